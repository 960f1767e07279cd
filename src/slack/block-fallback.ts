import type { MessageContent } from '../domain/ports/chat.ts';
import type { Logger } from '../domain/ports/logger.ts';
import { SlackError } from '../errors.ts';

/** The least that Slack asks of a block. */
type AnyBlock = { type: string };

/**
 * Sends a message's blocks, then its fallback blocks, then its text alone, until Slack takes one of them.
 *
 * It remembers for good that this workspace refuses `plan` blocks, so that later status messages go straight to their
 * fallback (contract C11; design decision 9). Only a refusal of the blocks moves on to the next form: any other error
 * is the caller's.
 */
export interface BlockFallback {
  send<T>(content: MessageContent, deliver: (blocks: AnyBlock[]) => Promise<T>): Promise<T>;
}

export function createBlockFallback(logger: Logger): BlockFallback {
  let plansRefused = false;

  return {
    async send(content, deliver) {
      const native = toBlocks(content.blocks);
      const fallback = content.fallbackBlocks ? [toBlocks(content.fallbackBlocks)] : [];
      const skipNative = plansRefused && hasPlan(native) && fallback.length > 0;
      const forms = [...(skipNative ? [] : [native]), ...fallback, ...(native.length > 0 ? [[]] : [])];
      const sent = await sendFirstTaken(forms, deliver);
      if (sent.refusal) logger.warn({ slackCode: sent.refusal.slackCode, form: sent.form }, 'slack_blocks_fell_back');
      if (!skipNative && sent.form === 1 && fallback.length > 0 && hasPlan(native) && refusesKind(sent.refusal)) {
        plansRefused = true;
      }
      return sent.result;
    },
  };
}

async function sendFirstTaken<T>(
  forms: readonly AnyBlock[][],
  deliver: (blocks: AnyBlock[]) => Promise<T>,
): Promise<{ result: T; form: number; refusal: SlackError | null }> {
  let refusal: SlackError | null = null;
  for (const [form, blocks] of forms.entries()) {
    try {
      return { result: await deliver(blocks), form, refusal };
    } catch (error) {
      const isLast = form === forms.length - 1;
      if (isLast || !(error instanceof SlackError) || error.code !== 'slack_blocks_rejected') throw error;
      refusal = error;
    }
  }
  throw new TypeError('A message has no form to send');
}

/** A message that is only too long says nothing of what the workspace knows. */
function refusesKind(refusal: SlackError | null): boolean {
  return refusal?.slackCode?.startsWith('invalid_blocks') === true;
}

function hasPlan(blocks: readonly AnyBlock[]): boolean {
  return blocks.some((block) => block.type === 'plan');
}

function toBlocks(blocks: readonly object[]): AnyBlock[] {
  if (!blocks.every(isBlock)) throw new TypeError('A block has no type');
  return [...blocks];
}

function isBlock(block: object): block is AnyBlock {
  return 'type' in block && typeof block.type === 'string';
}
