import type { PaymentTerms } from '../../../domain/payment.ts';
import { PLANNER_LIMITS } from '../limits.ts';
import { isRecord, type JsonRecord, own } from '../values/json-record.ts';
import { readJson } from '../values/json-text.ts';
import { readWord } from '../values/received-text.ts';
import { readClean } from './clean-text.ts';
import { type Party, readAgentParty, readPayee } from './payee.ts';
import { firstOf, PAYMENT_ALIASES } from './payment-aliases.ts';
import { readPaymentLinks } from './payment-links.ts';
import { isFunds, readPaymentOptions } from './payment-options.ts';

const MAX_REFERENCE_CHARS = 500;
const MAX_DESCRIPTION_CHARS = 4_000;
/** A deadline beyond a month is none: a pause never stays open so long. */
const MAX_DEADLINE_SECONDS = 30 * 24 * 60 * 60;

/** What a request says of itself once it is over and done with. */
const PAST = /^(?:complete|completed|paid|settled|committed|failed|error|rejected|declined|cancell?ed|expired)$/i;

/**
 * The payment that a task's or the plan's object asks for, as an object, as JSON text, or the last of a list that is
 * not over; null when there is none with an amount and a currency. `agent` is who the planner was talking to; by default
 * whoever stands beside the request. Secrets and metadata stay behind. Never throws.
 */
export function readPayment(record: JsonRecord, agent: Party = readAgentParty(record)): PaymentTerms | null {
  if (Object.hasOwn(record, 'accepted_funds')) return readTerms(record, agent);
  return firstOf(record, PAYMENT_ALIASES.request, (value) => readRequest(value, agent)) ?? null;
}

/** Messages inside of messages: a request may be wrapped in what carried it, but not for ever. */
const MAX_WRAPPERS = 2;

function readRequest(value: unknown, agent: Party, wrappersLeft: number = MAX_WRAPPERS): PaymentTerms | undefined {
  const request = readJson(value);
  if (isRecord(request)) return readTerms(request, agent) ?? readWrapped(request, agent, wrappersLeft);
  if (!Array.isArray(request)) return undefined;
  const list = request.slice(-PLANNER_LIMITS.listItems).map(readJson).filter(isRecord);
  // A bare list of amounts is one request with a choice of ways to pay it.
  if (list.length > 0 && list.every(isFunds)) {
    return readTerms({ accepted_funds: list }, agent) ?? undefined;
  }
  const waiting = list.filter((item) => !isPast(item));
  return lastTerms(waiting, agent) ?? lastTerms(list.filter(isPast), agent);
}

function readWrapped(wrapper: JsonRecord, agent: Party, wrappersLeft: number): PaymentTerms | undefined {
  if (wrappersLeft === 0) return undefined;
  return firstOf(wrapper, PAYMENT_ALIASES.wrapped, (inner) => readRequest(inner, agent, wrappersLeft - 1));
}

function lastTerms(requests: readonly JsonRecord[], agent: Party): PaymentTerms | undefined {
  for (const request of [...requests].reverse()) {
    const terms = readTerms(request, agent);
    if (terms !== null) return terms;
  }
  return undefined;
}

function isPast(request: JsonRecord): boolean {
  const status = own(request, 'status');
  return typeof status === 'string' && PAST.test(status.trim());
}

function readTerms(request: JsonRecord, agent: Party): PaymentTerms | null {
  const options = readPaymentOptions(request);
  if (options.length === 0) return null;
  const payee = readPayee(request, agent);
  return {
    payeeName: payee.name ?? null,
    payeeAddress: payee.address ?? null,
    askerAddress: payee.asker ?? null,
    options,
    description:
      firstOf(request, PAYMENT_ALIASES.description, (value) => readClean(value, MAX_DESCRIPTION_CHARS)) ?? null,
    reference:
      firstOf(request, PAYMENT_ALIASES.reference, (value) => readClean(readWord(value), MAX_REFERENCE_CHARS)) ?? null,
    deadlineSeconds: firstOf(request, PAYMENT_ALIASES.deadline, readDeadline) ?? null,
    links: readPaymentLinks(request),
  };
}

/** Whole seconds from receipt, as a number or as digits; undefined when they are past, too many or something else. */
function readDeadline(value: unknown): number | undefined {
  const word = readWord(value);
  const seconds = word !== undefined && /^\d{1,12}(?:\.\d+)?$/.test(word) ? Math.floor(Number(word)) : 0;
  return seconds >= 1 && seconds <= MAX_DEADLINE_SECONDS ? seconds : undefined;
}
