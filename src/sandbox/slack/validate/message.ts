import { isJson, type Json } from '../json.ts';
import { Refusal } from '../refusal.ts';
import { checkBlock } from './blocks.ts';
import { below, checkUnique, report, type Spot } from './report.ts';
import { MAX_TABLE_CHARACTERS, tableCharacters } from './tables.ts';

const MAX_BLOCKS = 50;
/** Over all markdown blocks of a message. */
export const MAX_MARKDOWN_CHARACTERS = 12_000;
const PLAN_BLOCKS = ['plan', 'task_card'];

function invalidBlocks(problems: readonly string[]): Refusal {
  return new Refusal('invalid_blocks', { errors: problems, response_metadata: { messages: problems } });
}

function checkAll(blocks: readonly unknown[], spot: Spot): Json[] {
  if (blocks.length > MAX_BLOCKS) report(spot, `no more than ${MAX_BLOCKS} items allowed`);
  blocks.forEach((block, index) => {
    const at = below(spot, index);
    if (isJson(block)) checkBlock(block, at, 'message');
    else report(at, 'must be an object');
  });
  const known = blocks.filter(isJson);
  const ids = known.map((block) => block.block_id);
  checkUnique(ids, spot, 'block_id');
  return known;
}

function markdownCharacters(blocks: readonly Json[]): number {
  const texts = blocks.filter((block) => block.type === 'markdown').map((block) => String(block.text));
  return texts.join('').length;
}

/** What a workspace takes, beside Slack's limits. */
type BlockOptions = { rejectPlanBlocks: boolean; brokenImageHosts?: readonly string[] };

/** Slack downloads the images of a message as it is posted or edited. */
function isBrokenImage({ image_url: url }: Json, { brokenImageHosts = [] }: BlockOptions): boolean {
  return typeof url === 'string' && URL.canParse(url) && brokenImageHosts.includes(new URL(url).hostname);
}

/**
 * The blocks of a message, checked against Slack's limits. Refuses with `invalid_blocks_format`, `invalid_blocks` (the
 * problems in `response_metadata.messages`) or `msg_too_long` (markdown).
 */
export function validMessageBlocks(blocks: unknown, options: BlockOptions): Json[] {
  if (!Array.isArray(blocks)) throw new Refusal('invalid_blocks_format');
  const spot: Spot = { pointer: '/blocks', problems: [] };
  const known = checkAll(blocks, spot);
  known.forEach((block, index) => {
    const rejected = options.rejectPlanBlocks && PLAN_BLOCKS.includes(String(block.type));
    if (rejected) report(below(spot, index, 'type'), `unsupported type: ${String(block.type)}`);
    if (isBrokenImage(block, options)) report(below(spot, index, 'image_url'), 'downloading image failed');
  });
  if (tableCharacters(known) > MAX_TABLE_CHARACTERS) {
    report(spot, `no more than ${MAX_TABLE_CHARACTERS} characters allowed in tables`);
  }
  if (spot.problems.length > 0) throw invalidBlocks(spot.problems);
  if (markdownCharacters(known) > MAX_MARKDOWN_CHARACTERS) throw new Refusal('msg_too_long');
  return known;
}
