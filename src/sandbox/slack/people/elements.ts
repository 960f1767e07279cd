import { isJson, type Json } from '../json.ts';
import { ImpossibleAction } from '../refusal.ts';

/** An interactive element on the screen and the block it stands in. */
export type FoundElement = { blockId: string; block: Json; element: Json };

/** How a person picks an element: by its action id, or by the label they read. */
export type Pick = { actionId?: string; text?: string; blockId?: string };

function objects(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isJson) : [];
}

function elementsOf(block: Json): Json[] {
  const single = [block.accessory, block.element].filter(isJson);
  const cards = block.type === 'carousel' ? objects(block.elements).flatMap((card) => objects(card.actions)) : [];
  return [...single, ...objects(block.elements), ...objects(block.actions), ...cards];
}

/** All interactive elements of blocks, those inside containers and carousels too. */
export function findElements(blocks: readonly Json[]): FoundElement[] {
  return blocks.flatMap((block) => {
    const own = elementsOf(block)
      .filter((element) => typeof element.action_id === 'string')
      .map((element) => ({ blockId: String(block.block_id), block, element }));
    return [...own, ...findElements(objects(block.child_blocks))];
  });
}

/** The words on a button or another element. */
export function labelOf({ block, element }: FoundElement): string {
  for (const text of [element.text, block.label, element.placeholder]) {
    if (isJson(text)) return String(text.text);
  }
  return String(element.action_id);
}

/** The one element that a pick means; ImpossibleAction if there is none or more than one. */
export function pickElement(blocks: readonly Json[], pick: Pick): FoundElement {
  const all = findElements(blocks);
  const found = all.filter(
    (candidate) =>
      (pick.actionId === undefined || candidate.element.action_id === pick.actionId) &&
      (pick.blockId === undefined || candidate.blockId === pick.blockId) &&
      (pick.text === undefined || labelOf(candidate) === pick.text),
  );
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  const wanted = JSON.stringify(pick);
  const there = all.map((candidate) => `"${labelOf(candidate)}" (${String(candidate.element.action_id)})`).join(', ');
  throw new ImpossibleAction(`${found.length} elements match ${wanted}; on the screen: ${there || 'none'}`);
}
