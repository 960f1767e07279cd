import type { PaymentTerms } from '../../../domain/payment.ts';
import { readText } from '../stream/field-reader.ts';
import { isRecord, type JsonRecord, own } from '../json-record.ts';
import { readJson } from '../json-text.ts';
import { PLANNER_LIMITS } from '../limits.ts';
import { firstOf, PAYMENT_ALIASES } from './payment-aliases.ts';
import { readPaymentLinks } from './payment-links.ts';
import { isFunds, readPaymentOptions } from './payment-options.ts';
import { boundedText, dropSecrets, readExactWord, readWord } from '../received-text.ts';

const MAX_NAME_CHARS = 200;
const MAX_ADDRESS_CHARS = 200;
const MAX_REFERENCE_CHARS = 500;
const MAX_DESCRIPTION_CHARS = 4_000;
/** A deadline beyond a month is none: a pause never stays open so long. */
const MAX_DEADLINE_SECONDS = 30 * 24 * 60 * 60;

/** What a request says of itself once it is over and done with. */
const PAST = /^(?:complete|completed|paid|settled|committed|failed|error|rejected|declined|cancell?ed|expired)$/i;

/**
 * The payment that a task's or the plan's object asks for, as an object, as JSON text, or the last of a list that is
 * not over; null when there is none with an amount and a currency. Secrets and metadata stay behind. Never throws.
 */
export function readPayment(record: JsonRecord): PaymentTerms | null {
  if (Object.hasOwn(record, 'accepted_funds')) return readTerms(record, {});
  return firstOf(record, PAYMENT_ALIASES.request, (value) => readRequest(value, record)) ?? null;
}

function readRequest(value: unknown, beside: JsonRecord): PaymentTerms | undefined {
  const request = readJson(value);
  if (isRecord(request)) return readTerms(request, beside) ?? undefined;
  if (!Array.isArray(request)) return undefined;
  const list = request.slice(-PLANNER_LIMITS.listItems).map(readJson).filter(isRecord);
  // A bare list of amounts is one request with a choice of ways to pay it.
  if (list.length > 0 && list.every(isFunds)) {
    return readTerms({ accepted_funds: list }, beside) ?? undefined;
  }
  const read = (items: JsonRecord[]) =>
    items.map((item) => readTerms(item, beside)).findLast((terms) => terms !== null);
  return read(list.filter((item) => !isPast(item))) ?? read(list) ?? undefined;
}

function isPast(request: JsonRecord): boolean {
  const status = own(request, 'status');
  return typeof status === 'string' && PAST.test(status.trim());
}

function readTerms(request: JsonRecord, beside: JsonRecord): PaymentTerms | null {
  const options = readPaymentOptions(request);
  if (options.length === 0) return null;
  const payee = readPayee(request, beside);
  return {
    payeeName: payee.name ?? null,
    payeeAddress: payee.address ?? null,
    options,
    description:
      firstOf(request, PAYMENT_ALIASES.description, (value) => readClean(value, MAX_DESCRIPTION_CHARS)) ?? null,
    reference:
      firstOf(request, PAYMENT_ALIASES.reference, (value) => readClean(readWord(value), MAX_REFERENCE_CHARS)) ?? null,
    deadlineSeconds: firstOf(request, PAYMENT_ALIASES.deadline, readDeadline) ?? null,
    links: readPaymentLinks(request),
  };
}

function readClean(value: unknown, maxChars: number): string | undefined {
  const text = readText(value);
  if (text === undefined) return undefined;
  // Cut first, so that a huge text costs little; then again, since a secret's stand-in may be longer than the secret.
  const clean = boundedText(dropSecrets(text.slice(0, maxChars * 4)), maxChars);
  return clean.trim() === '' ? undefined : clean;
}

/** Whatever the request calls its recipient, whole; a wallet and an agent's address are usual. */
function readRecipient(value: unknown): string | undefined {
  const word = readExactWord(value, MAX_ADDRESS_CHARS);
  return word === undefined || dropSecrets(word) !== word ? undefined : word;
}

type Party = { name?: string | undefined; address?: string | undefined };

/** Who is paid: the planner's own name for the agent before the name that the request gives itself. */
function readPayee(request: JsonRecord, beside: JsonRecord): Party {
  const agent = readParty(beside, PAYMENT_ALIASES.agent);
  const payee = readParty(request, PAYMENT_ALIASES.payee);
  const isNamed = readWord(own(request, 'recipient')) !== undefined;
  const recipient = readRecipient(own(request, 'recipient'));
  const ownName = firstOf(request, PAYMENT_ALIASES.payeeName, (value) => readClean(readWord(value), MAX_NAME_CHARS));
  const ownAddress = firstOf(request, PAYMENT_ALIASES.payeeAddress, readAddress);
  return {
    name: agent.name ?? ownName ?? payee.name,
    // Nobody may stand in for a recipient that cannot be shown as it is.
    address: isNamed ? recipient : (ownAddress ?? payee.address ?? agent.address),
  };
}

function readParty(record: JsonRecord, keys: readonly string[]): Party {
  const party: Party = {};
  for (const key of keys) {
    const value = own(record, key);
    const [name, address] = isRecord(value)
      ? [own(value, 'name') ?? own(value, 'handle'), own(value, 'address')]
      : [value, value];
    party.address ??= readAddress(address);
    // A bare recipient is kept as the address, whatever it is.
    const isName = readAddress(name) === undefined && (key !== 'recipient' || isRecord(value));
    if (isName) party.name ??= readClean(readWord(name), MAX_NAME_CHARS);
  }
  return party;
}

/** An address of an agent or of a wallet. */
function readAddress(value: unknown): string | undefined {
  const word = typeof value === 'string' ? readExactWord(value, MAX_ADDRESS_CHARS) : undefined;
  return word !== undefined && /^(?:(?:test-)?agent(?:1|:\/\/)|fetch1|0x)\S*$/.test(word) ? word : undefined;
}

/** Whole seconds from receipt, as a number or as digits; undefined when they are past, too many or something else. */
function readDeadline(value: unknown): number | undefined {
  const word = readWord(value);
  const seconds = word !== undefined && /^\d{1,12}(?:\.\d+)?$/.test(word) ? Math.floor(Number(word)) : 0;
  return seconds >= 1 && seconds <= MAX_DEADLINE_SECONDS ? seconds : undefined;
}
