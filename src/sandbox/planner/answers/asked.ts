import { isObject, type JsonObject } from '../json.ts';

/** What a leg that pauses asks a person: for a payment or a card in the agents' own form, or for words. */
export type Asked = { kind: 'payment'; request: JsonObject } | { kind: 'card'; card: JsonObject } | { kind: 'words' };

/** The latest payment request and card that a leg has sent, and its last `plan_status`. */
export type Shown = { planStatus: string | null; payment: JsonObject | null; card: JsonObject | null };

/** Words of the vendor after which a plan does not go on. */
const OVER = ['completed', 'failed', 'cancelled'];

export function isPlanOver({ planStatus }: Pick<Shown, 'planStatus'>): boolean {
  return planStatus !== null && OVER.includes(planStatus);
}

export function askedBy({ planStatus, payment, card }: Shown): Asked {
  if (planStatus === 'payment_requested' && payment) return { kind: 'payment', request: payment };
  if (planStatus === 'card_interaction_requested' && card) return { kind: 'card', card };
  return { kind: 'words' };
}

/**
 * Notes what one event's `metadata` shows: a `RequestPayment` of the payment protocol (uAgents 0.1.0) or a card's
 * metadata, wherever they stand. A card that only informs asks for nothing.
 */
export function noteShown(shown: Shown, metadata: JsonObject): void {
  if (typeof metadata.plan_status === 'string') shown.planStatus = metadata.plan_status;
  for (const found of objectsIn(metadata)) {
    if (Array.isArray(found.accepted_funds)) shown.payment = found;
    if (isCard(found) && String(found.is_terminal) !== 'true') shown.card = found;
  }
}

function isCard(found: JsonObject): boolean {
  if ('card_payload' in found || 'card_kind' in found) return true;
  return 'payload' in found && ('card_id' in found || 'is_terminal' in found);
}

/** All objects inside a JSON value, itself included. */
export function* objectsIn(value: unknown): Generator<JsonObject> {
  if (isObject(value)) yield value;
  if (typeof value !== 'object' || value === null) return;
  for (const inner of Object.values(value)) yield* objectsIn(inner);
}
