import type { IdSource } from './ids.ts';
import { isJson, type Json } from './json.ts';

function withActionId(element: unknown, newId: () => string): unknown {
  if (!isJson(element) || typeof element.type !== 'string') return element;
  const interactive = /button|select|picker|input|checkboxes|overflow/.test(element.type);
  return interactive && element.action_id === undefined ? { ...element, action_id: newId() } : element;
}

/** Fills in the block and action ids that the app left out, as Slack does when it stores blocks. */
export function withIds(blocks: readonly Json[], ids: IdSource): Json[] {
  const newId = () => ids.secret().slice(0, 5);
  return blocks.map((block) => {
    const filled: Json = { ...block, block_id: block.block_id ?? newId() };
    for (const field of ['elements', 'actions']) {
      const list = block[field];
      if (Array.isArray(list)) filled[field] = list.map((entry: unknown) => withActionId(entry, newId));
    }
    for (const field of ['accessory', 'element']) {
      if (block[field] !== undefined) filled[field] = withActionId(block[field], newId);
    }
    if (Array.isArray(block.child_blocks)) filled.child_blocks = withIds(block.child_blocks.filter(isJson), ids);
    return filled;
  });
}
