import { isJson, type Json } from '../json.ts';
import { Refusal } from '../refusal.ts';
import { checkBlock } from './blocks.ts';
import { checkText } from './composition.ts';
import { below, checkKeys, checkList, checkString, checkUnique, report, type Spot } from './report.ts';

const MAX_VIEW_BYTES = 250_000;
const MAX_BLOCKS = 100;
const KEYS = ['type', 'title', 'submit', 'close', 'blocks', 'private_metadata', 'callback_id', 'clear_on_close'].concat(
  ['notify_on_close', 'external_id', 'submit_disabled'],
);

function checkModal(view: Json, spot: Spot): void {
  checkKeys(view, spot, KEYS);
  for (const field of ['title', 'submit', 'close']) {
    checkText(view[field], below(spot, field), { max: 24, plain: true, required: field === 'title' });
  }
  checkString(view.private_metadata, below(spot, 'private_metadata'), { max: 3_000 });
  checkString(view.callback_id, below(spot, 'callback_id'), { max: 255 });
  checkString(view.external_id, below(spot, 'external_id'), { max: 255 });
  const blocks = checkList(view.blocks, below(spot, 'blocks'), { max: MAX_BLOCKS });
  blocks.forEach((block, index) => {
    checkBlock(block, below(spot, 'blocks', index), 'modal');
  });
  const ids = blocks.map((block) => block.block_id);
  checkUnique(ids, below(spot, 'blocks'), 'block_id');
  if (blocks.some((block) => block.type === 'input') && view.submit === undefined) {
    report(below(spot, 'submit'), 'missing required field: submit');
  }
}

/** A modal checked against Slack's limits. Refuses with `view_too_large`, or `invalid_arguments` and its messages. */
export function validView(view: unknown): Json {
  if (!isJson(view)) throw new Refusal('invalid_arguments', { response_metadata: { messages: ['[ERROR] view'] } });
  if (Buffer.byteLength(JSON.stringify(view)) > MAX_VIEW_BYTES) throw new Refusal('view_too_large');
  const spot: Spot = { pointer: '/view', problems: [] };
  if (view.type === 'modal') checkModal(view, spot);
  else report(below(spot, 'type'), 'must be one of: modal');
  if (spot.problems.length === 0) return view;
  throw new Refusal('invalid_arguments', { response_metadata: { messages: spot.problems } });
}
