import { PLANNER_LIMITS } from '../limits.ts';
import { isRecord, type JsonRecord, own, parseJson } from '../values/json-record.ts';
import { readJson } from '../values/json-text.ts';
import { isMissing } from '../values/no-text.ts';
import { isTrue } from './card-choices.ts';
import { CARD_KINDS, guessKind } from './card-kinds.ts';
import { textSizeProblem } from './card-size.ts';

/** A card as it was wrapped. `payload` is undefined when it was no JSON; `problem` says why it was not even parsed. */
export type CardEnvelope = { cardKind: string | null; payload: unknown; isTerminal: boolean; problem: string | null };

/** Where a card may stand in a task or in the plan, likeliest first; the planner's own name is not public. */
const CARD_KEYS = ['card', 'card_interaction', 'card_request', 'interaction'] as const;
/** Below a task: `metadata`, or `content` as a list of a chat message's parts, or both. */
const MAX_WRAPPERS = 3;

/**
 * Finds a card in a task's or the plan's object: the five flat metadata keys of the card protocol, the same with a
 * parsed payload, uAgents' `{card_id, payload, is_terminal}`, or the bare payload under a card's key.
 */
export function findCardEnvelope(record: JsonRecord): CardEnvelope | null {
  return readFlat(record) ?? findUnderCardKeys(record) ?? findFlat(own(record, 'metadata'), MAX_WRAPPERS);
}

/** An object with the card protocol's own keys. They may stand everywhere, and be empty where there is no card. */
function readFlat(record: JsonRecord): CardEnvelope | null {
  const isKindTold = !isMissing(own(record, 'card_kind'));
  const payload = own(record, 'card_payload');
  if (!isMissing(payload) || (isKindTold && payload !== undefined)) return openEnvelope(record, payload);
  const isUagentsCard =
    Object.hasOwn(record, 'payload') && (Object.hasOwn(record, 'card_id') || Object.hasOwn(record, 'is_terminal'));
  if (!isKindTold && !isUagentsCard) return null;
  return openEnvelope(record, own(record, 'payload') ?? record);
}

function findUnderCardKeys(record: JsonRecord): CardEnvelope | null {
  for (const key of CARD_KEYS) {
    const card = readUnderCardKey(readJson(own(record, key)));
    if (card !== null) return card;
  }
  return null;
}

function readUnderCardKey(value: unknown): CardEnvelope | null {
  const found = findFlat(value, MAX_WRAPPERS);
  if (found !== null) return found;
  if (typeof value === 'string' && !isMissing(value)) return openEnvelope({}, value);
  const record = Array.isArray(value) ? value.findLast(isRecord) : value;
  if (!isRecord(record)) return null;
  if (Object.hasOwn(record, 'payload')) return openEnvelope(record, own(record, 'payload'));
  return kindOf(record, record) === null ? null : openEnvelope(record, record);
}

/** Looks for the card protocol's own keys in an object, in its metadata, and in the last entries of a list. */
function findFlat(value: unknown, wrappersLeft: number): CardEnvelope | null {
  if (wrappersLeft < 0) return null;
  if (Array.isArray(value)) {
    const cards = value.slice(-PLANNER_LIMITS.listItems).map((item) => findFlat(item, wrappersLeft - 1));
    return cards.findLast((card) => card !== null) ?? null;
  }
  if (!isRecord(value)) return null;
  const below = own(value, 'metadata') ?? own(value, 'content');
  return readFlat(value) ?? findFlat(below, wrappersLeft - 1);
}

function openEnvelope(envelope: JsonRecord, sent: unknown): CardEnvelope {
  const problem = typeof sent === 'string' ? textSizeProblem(sent) : null;
  const payload = problem === null ? readPayload(sent) : undefined;
  const isTerminal = isTrue(own(envelope, 'is_terminal')) ?? false;
  return { cardKind: kindOf(envelope, isRecord(payload) ? payload : {}), payload, isTerminal, problem };
}

/** JSON text is often wrapped twice. Text that is no JSON is for reading, unless it was clearly meant to be JSON. */
function readPayload(sent: unknown): unknown {
  if (typeof sent !== 'string') return sent;
  const parsed = parseJson(sent);
  if (parsed === undefined) return /^\s*[[{"]/.test(sent) ? undefined : sent;
  return typeof parsed === 'string' ? readPayload(parsed) : parsed;
}

/** The kind that is told; one told under a vague name (`kind`, `type`) counts if it is known or nothing else helps. */
function kindOf(envelope: JsonRecord, payload: JsonRecord): string | null {
  const told = readKind(envelope, 'card_kind') ?? readKind(payload, 'card_kind');
  if (told !== null) return told;
  const vague = [envelope, payload].flatMap((record) => [readKind(record, 'kind'), readKind(record, 'type')]);
  return (
    vague.find((kind) => kind !== null && CARD_KINDS.has(kind)) ?? guessKind(payload) ?? vague.find(isKind) ?? null
  );
}

function readKind(record: JsonRecord, key: string): string | null {
  const value = own(record, key);
  return typeof value === 'string' && !isMissing(value) ? value.trim().toLowerCase() : null;
}

/** `type` also names what a chat message's part or a plan's piece is. */
function isKind(word: string | null): boolean {
  return word !== null && !['metadata', 'card', 'plan_state'].includes(word);
}
