import { type PaymentOption, UNTOLD_METHOD } from '../../../domain/payment.ts';
import { PLANNER_LIMITS } from '../limits.ts';
import { isRecord, type JsonRecord, own } from '../values/json-record.ts';
import { readJson } from '../values/json-text.ts';
import { isMissing } from '../values/no-text.ts';
import { dropSecrets, readExactWord } from '../values/received-text.ts';
import { readAmount } from './exact-amount.ts';
import { firstOf, PAYMENT_ALIASES } from './payment-aliases.ts';

const MAX_WORD_CHARS = 40;
/** What a `Funds` without a method means (uAgents, `payment_method: str = "fet_direct"`). */
const FUNDS_DEFAULT_METHOD = 'fet_direct';

/**
 * The ways to pay that a request accepts, each once, in its order; empty when none can be read. A way is left out
 * when its amount or currency is missing, too long or holds what cannot be seen: it could not be shown as it is.
 */
export function readPaymentOptions(request: JsonRecord): PaymentOption[] {
  const funds = firstOf(request, PAYMENT_ALIASES.funds, (value) => {
    const options = readFunds(value, request);
    return options.length > 0 ? options : undefined;
  });
  if (funds !== undefined) return funds;
  const alone = readOption(request, { request: {}, method: UNTOLD_METHOD });
  return alone === undefined ? [] : [alone];
}

const FUNDS_KEYS: readonly string[] = [
  ...PAYMENT_ALIASES.amount,
  ...PAYMENT_ALIASES.currency,
  ...PAYMENT_ALIASES.method,
];

/** Whether an object says how much and how, and nothing else, as a `Funds` does. */
export function isFunds(record: JsonRecord): boolean {
  return Object.keys(record).every((key) => FUNDS_KEYS.includes(key));
}

function readFunds(value: unknown, request: JsonRecord): PaymentOption[] {
  const seen = new Map<string, PaymentOption>();
  for (const item of listOf(readJson(value))) {
    const option = isRecord(item) ? readOption(item, { request, method: FUNDS_DEFAULT_METHOD }) : undefined;
    if (option !== undefined) seen.set(JSON.stringify(option), option);
  }
  return [...seen.values()];
}

/** A list, a map by index or name, or one alone. */
function listOf(funds: unknown): unknown[] {
  if (Array.isArray(funds)) return funds.slice(0, PLANNER_LIMITS.listItems);
  if (!isRecord(funds)) return [];
  const isAlone = PAYMENT_ALIASES.amount.some((key) => Object.hasOwn(funds, key));
  return isAlone ? [funds] : Object.values(funds).slice(0, PLANNER_LIMITS.listItems);
}

type Beside = { request: JsonRecord; method: string };

function readOption(funds: JsonRecord, beside: Beside): PaymentOption | undefined {
  const told = firstOf(funds, PAYMENT_ALIASES.amount, readMoney);
  if (told === undefined) return undefined;
  const named = readNearest([funds, beside.request], PAYMENT_ALIASES.currency);
  const currency = told.currency ?? named;
  // Two currencies for one amount: nobody can know which of them is meant.
  if (told.currency !== undefined && named !== undefined && named?.toUpperCase() !== told.currency.toUpperCase())
    return undefined;
  const method = readNearest([funds, beside.request], PAYMENT_ALIASES.method);
  if (currency === undefined || currency === null || method === null) return undefined;
  return { amount: told.amount, currency, method: method ?? beside.method };
}

/** What the first object says that says anything, even if it cannot be read. */
function readNearest(records: readonly JsonRecord[], keys: readonly string[]): string | null | undefined {
  return records.map((record) => readNamed(record, keys)).find((word) => word !== undefined);
}

/** A word that is told, null when it is told and cannot be read: nothing else may stand in for it then. */
function readNamed(record: JsonRecord, keys: readonly string[]): string | null | undefined {
  const key = keys.find((alias) => !isMissing(own(record, alias)));
  if (key === undefined) return undefined;
  const value = own(record, key);
  const word = typeof value === 'string' ? readExactWord(value, MAX_WORD_CHARS) : undefined;
  return word === undefined ? null : dropSecrets(word);
}

type Money = { amount: string; currency?: string };

/** An amount as a string or number, as `{value, currency}`, or with its currency behind it (`25 USD`). */
function readMoney(value: unknown): Money | undefined {
  if (isRecord(value)) {
    const amount = readAmount(own(value, 'value') ?? own(value, 'amount'));
    const currency = readNamed(value, PAYMENT_ALIASES.currency);
    if (amount === undefined || currency === null) return undefined;
    return currency === undefined ? { amount } : { amount, currency };
  }
  const amount = readAmount(value);
  const [, number, currency] = /^(\d[\d.,]*)\s+(\p{L}{2,10})$/u.exec(amount ?? '') ?? [];
  if (number !== undefined && currency !== undefined) return { amount: number, currency };
  return amount === undefined ? undefined : { amount };
}
