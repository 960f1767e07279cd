import { z } from 'zod';
import { currencyKey, isPlainAmount } from '../domain/money.ts';
import { readApprovers } from './approvers.ts';
import { methodKey, payeeKey } from './keys.ts';
import { isGreater, type Money, parseMoney } from './money.ts';
import { type AllowDeny, type Cap, perCap, type WhoMayApprove } from './policy.ts';

const MAX_RULES = 500;
const MAX_LIST = 1_000;
const LISTED = { error: `must be a list of 1 to ${MAX_LIST}, such as [one, two]` };

/** A list of texts, each read by `read`; what it cannot read (null) is a problem. */
function listOf<T>(read: (text: string) => T | null, expected: string) {
  const item = z.string({ error: `must be ${expected}` }).transform((text, context) => {
    const value = read(text);
    if (value !== null) return value;
    context.addIssue({ code: 'custom', message: `must be ${expected}` });
    return z.NEVER;
  });
  return z.array(item, LISTED).max(MAX_LIST, LISTED);
}

function id(pattern: RegExp): (text: string) => string | null {
  return (text) => (pattern.test(text) ? text : null);
}

const channels = listOf(id(/^[CDG][A-Z0-9]{1,30}$/), 'the id of a channel, such as C0123ABCD');
const requesters = listOf(id(/^[UW][A-Z0-9]{1,30}$/), 'the id of a person, such as U0123ABCD');
const teams = listOf(id(/^[TE][A-Z0-9]{1,30}$/), 'the id of a workspace, such as T0123ABCD');
const currencies = listOf(currencyKey, 'a plain currency code, such as USD');
const methods = listOf(methodKey, 'the name of a payment method, such as stripe');
const payees = listOf(payeeKey, 'the address of a payee, such as agent1q…');

const thresholds = listOf(parseMoney, 'an amount and a currency, such as 50 USD')
  .min(1, LISTED)
  .refine((list) => areDistinct(list.map(({ currency }) => currency)), 'must name each currency once');

function areDistinct(keys: readonly string[]): boolean {
  return new Set(keys).size === keys.length;
}

const when = z
  .strictObject({
    channels: channels.min(1, LISTED).optional(),
    requesters: requesters.min(1, LISTED).optional(),
    currencies: currencies.min(1, LISTED).optional(),
    over: thresholds.optional(),
    'up-to': thresholds.optional(),
    methods: methods.min(1, LISTED).optional(),
    payees: payees.min(1, LISTED).optional(),
  })
  .refine((conditions) => Object.keys(conditions).length > 0, 'must name a condition (or be left out)')
  .refine(
    ({ over, 'up-to': upTo }) => !over || !upTo || hasSameCurrencies(over, upTo),
    'must name the same currencies in over and up-to',
  )
  .refine(({ over, 'up-to': upTo }) => !over || !upTo || !over.some((from) => isAtOrAbove(from, upTo)), {
    error: 'must be less than up-to, or the rule never applies',
    path: ['over'],
  })
  .refine(({ currencies: listed, ...bounds }) => !isLeftOut(listed, bounds.over), {
    error: 'must name none but the currencies of the rule',
    path: ['over'],
  })
  .refine(({ currencies: listed, ...bounds }) => !isLeftOut(listed, bounds['up-to']), {
    error: 'must name none but the currencies of the rule',
    path: ['up-to'],
  });

/** A rule that matches nothing is passed over, perhaps for a laxer one: it is a slip of the pen. */
function isAtOrAbove(from: Money, upTo: readonly Money[]): boolean {
  return upTo.some(({ amount, currency }) => currency === from.currency && !isGreater(amount, from.amount));
}

function isLeftOut(listed: readonly string[] | undefined, bounds: readonly Money[] | undefined): boolean {
  if (listed === undefined) return false;
  return bounds?.some(({ currency }) => !listed.includes(currency)) ?? false;
}

function hasSameCurrencies(a: readonly Money[], b: readonly Money[]): boolean {
  return a.length === b.length && a.every(({ currency }) => b.some((other) => other.currency === currency));
}

const approvers = z
  .array(z.string('must be requester, anyone, not-the-requester, or an id (U…, W…, S…)'), LISTED)
  .min(1, LISTED)
  .max(MAX_LIST, LISTED)
  .transform((words, context): WhoMayApprove => {
    const read = readApprovers(words);
    if ('who' in read) return read.who;
    context.addIssue({ code: 'custom', message: read.problem });
    return z.NEVER;
  });

/** Runs beside the other checks of a rule, not after them, so that every problem is reported at once. */
const always = { when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null };

const rule = z
  .strictObject({
    name: text(80),
    when: when.optional(),
    approvers: approvers.optional(),
    count: z.enum(['1', '2'], { error: 'must be 1 or 2' }).optional(),
    decline: text(300).optional(),
  })
  .refine((value) => 'approvers' in value !== 'decline' in value, {
    error: 'must have either approvers or decline',
    ...always,
  })
  .refine((value) => !('count' in value && 'decline' in value), {
    error: 'goes with approvers, not with decline',
    path: ['count'],
    ...always,
  })
  .refine(({ approvers: who, count }) => count !== '2' || !who || canBeTwo(who), {
    error: 'needs 2 different people, and these approvers can only be one',
    path: ['count'],
  });

function canBeTwo({ anyone, groups, users, requester }: WhoMayApprove): boolean {
  return anyone || groups.length > 0 || new Set(users).size + (requester ? 1 : 0) > 1;
}

function text(max: number) {
  const error = `must be a text of 1 to ${max} characters`;
  return z.string({ error }).trim().min(1, error).max(max, error);
}

const cap = z
  .record(z.string(), z.string({ error: 'must be an amount such as 50' }), {
    error: 'must name an amount per currency, such as { USD: 50 }',
  })
  .transform((entries, context): Cap => {
    const limits: Money[] = [];
    let other: Cap['other'] = 'deny';
    const refuse = (key: string, message: string) => context.addIssue({ code: 'custom', message, path: [key] });
    for (const [key, value] of Object.entries(entries)) {
      const currency = currencyKey(key);
      if (key === 'other') {
        if (value === 'unlimited' || value === 'deny') other = value;
        else refuse(key, 'must be deny or unlimited');
      } else if (currency === null) refuse(key, 'must be a plain currency code, such as USD');
      else if (!isPlainAmount(value)) refuse(key, 'must be a plain decimal number, such as 50 or 0.50');
      else if (limits.some((limit) => limit.currency === currency)) refuse(key, 'names the same currency again');
      else limits.push({ amount: value, currency });
    }
    if (Object.keys(entries).length === 0) {
      context.addIssue({ code: 'custom', message: 'must name a currency (or be left out)' });
    }
    return { limits, other };
  });

function allowDeny(list: typeof methods) {
  return z
    .strictObject({ allow: list.optional(), deny: list.optional() })
    .transform(({ allow, deny }): AllowDeny => ({ allow: allow ?? null, deny: deny ?? [] }));
}

/** A policy file's content, after YAML: every scalar is a string, and what is not named here is a problem. */
export const policyFileSchema = z.strictObject({
  version: z.literal('1', { error: 'must be 1' }),
  guests: z.enum(['deny', 'allow'], { error: 'must be deny or allow' }).default('deny'),
  'slack-connect': z
    .union([z.enum(['deny', 'allow']), teams], { error: 'must be deny, allow, or a list of workspace ids' })
    .default('deny'),
  methods: allowDeny(methods).optional(),
  payees: allowDeny(payees).optional(),
  caps: z.strictObject(perCap(() => cap.optional())).optional(),
  rules: z
    .array(rule, { error: 'must be a list of rules' })
    .min(1, 'must hold a rule: nobody may approve what no rule matches')
    .max(MAX_RULES, `must hold at most ${MAX_RULES} rules`),
});

export type PolicyFile = z.infer<typeof policyFileSchema>;
