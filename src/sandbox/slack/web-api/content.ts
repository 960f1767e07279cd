import { withIds } from '../block-ids.ts';
import { isJson, type Json } from '../json.ts';
import { Refusal } from '../refusal.ts';
import type { SandboxState } from '../state.ts';
import { MAX_MARKDOWN_CHARACTERS, validMessageBlocks } from '../validate/message.ts';
import { jsonArg, stringArg } from './args.ts';

const MAX_ATTACHMENTS = 100;

/** What a post or an edit carries; a field is undefined if the call did not name it. */
export type Content = { text: string | undefined; blocks: Json[] | undefined; attachments: Json[] | undefined };

function readBlocks(args: Json, state: SandboxState): Json[] | undefined {
  const blocks = jsonArg(args, 'blocks', 'invalid_blocks_format');
  if (blocks === undefined) return undefined;
  return withIds(validMessageBlocks(blocks, state.setup), state.ids);
}

function readAttachments(args: Json): Json[] | undefined {
  const attachments = jsonArg(args, 'attachments', 'invalid_attachments');
  if (attachments === undefined) return undefined;
  if (!Array.isArray(attachments)) throw new Refusal('invalid_attachments');
  if (attachments.length > MAX_ATTACHMENTS) throw new Refusal('too_many_attachments');
  return attachments.filter(isJson);
}

/** The text, blocks and attachments of a call, checked. `markdown_text` excludes the first two and becomes a block. */
export function readContent(args: Json, state: SandboxState): Content {
  const text = typeof args.text === 'string' ? args.text : undefined;
  const markdown = stringArg(args, 'markdown_text');
  const attachments = readAttachments(args);
  if (markdown === null) return { text, blocks: readBlocks(args, state), attachments };
  const hasOther = (text ?? '') !== '' || args.blocks !== undefined;
  if (hasOther) throw new Refusal('markdown_text_conflict');
  if (markdown.length > MAX_MARKDOWN_CHARACTERS) throw new Refusal('msg_too_long');
  return { text: markdown, blocks: withIds([{ type: 'markdown', text: markdown }], state.ids), attachments };
}

/** Whether there is anything to show. */
export function isEmpty(content: Content): boolean {
  const lists = [content.blocks ?? [], content.attachments ?? []];
  return (content.text ?? '').trim() === '' && lists.every((list) => list.length === 0);
}
