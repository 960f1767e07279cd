import type { Selection } from '../../../domain/card.ts';
import { isRecord, type JsonRecord, own } from '../values/json-record.ts';
import { isMissing } from '../values/no-text.ts';
import { type CardBuilder, noteUnknownKeys, readCardText } from './card-builder.ts';
import { readSelection } from './selection.ts';

/** A button as the payload has it, and what to call it and the choice it makes where it does not say. */
export type Cta = {
  cta: unknown;
  label: string;
  detail?: string | undefined;
  isPrimary?: boolean;
  selection?: Selection;
};

/**
 * Adds the choice of a call to action, `{label, selection, primary?}` or a label alone. A part of its selection that
 * cannot be sent back is noted.
 */
export function addCta(builder: CardBuilder, { cta, label, detail, isPrimary, selection: fallback }: Cta): void {
  if (isMissing(cta)) return;
  const told = isRecord(cta) ? readCardText(own(cta, 'label')) : readCardText(cta);
  if (!isRecord(cta) && told === undefined) {
    builder.misread(`Choice "${label}"`);
    return;
  }
  const name = told ?? label;
  const sent = isRecord(cta) ? (own(cta, 'selection') ?? own(actionOf(cta), 'selection')) : undefined;
  const { selection, dropped } = readSelection(sent);
  for (const key of dropped) builder.misread(`Choice "${name}": the value of "${key}"`);
  if (isRecord(cta)) noteUnknownKeys(builder, { record: cta, known: CTA_KEYS, place: `Choice "${name}"` });
  const isEmpty = Object.keys(selection).length === 0;
  builder.addChoice({
    label: name,
    detail: detail ?? null,
    selection: isEmpty ? (fallback ?? {}) : selection,
    isPrimary: isTrue(isRecord(cta) ? own(cta, 'primary') : undefined) ?? isPrimary ?? false,
  });
}

const CTA_KEYS = ['type', 'label', 'selection', 'action', 'primary'];

/** A button of a custom card holds its selection in an `action`. */
function actionOf(cta: JsonRecord): JsonRecord {
  const action = own(cta, 'action');
  return isRecord(action) ? action : {};
}

/** A truth value, also as text, which is how flat metadata has it; undefined when it is none. */
export function isTrue(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string') return undefined;
  const word = value.trim().toLowerCase();
  return word === 'true' ? true : word === 'false' ? false : undefined;
}
