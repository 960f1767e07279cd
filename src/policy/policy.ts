import type { ApproversNeeded } from '../domain/payment.ts';
import type { Money } from './money.ts';

/** Who a rule lets approve. The parts add up; `notTheRequester` takes the requester away from all of them. */
export type WhoMayApprove = {
  requester: boolean;
  /** Every member of the channel. */
  anyone: boolean;
  users: readonly string[];
  /** Slack user groups. */
  groups: readonly string[];
  notTheRequester: boolean;
};

/** A list that is `null` allows everything that is not denied. A denial wins over an allowance. */
export type AllowDeny = { allow: readonly string[] | null; deny: readonly string[] };

/** What a rule looks at; `null` means that it does not. All that is set must hold. */
export type RuleConditions = {
  channels: readonly string[] | null;
  requesters: readonly string[] | null;
  currencies: readonly string[] | null;
  /** One threshold per currency. An amount in a currency that is not among them counts as over them. */
  over: readonly Money[] | null;
  /** One threshold per currency. An amount in a currency that is not among them is not within them. */
  upTo: readonly Money[] | null;
  methods: readonly string[] | null;
  payees: readonly string[] | null;
};

/** What a rule does. There is none that approves: that takes a person. */
export type RuleEffect =
  | { kind: 'approval'; who: WhoMayApprove; approversNeeded: ApproversNeeded }
  | { kind: 'decline'; reason: string };

export type PolicyRule = { name: string; when: RuleConditions; effect: RuleEffect };

/** Each is a key of `caps` in the policy file too. In the order in which people are told of them. */
export const CAP_NAMES = ['request', 'user-per-day', 'channel-per-day', 'workspace-per-day'] as const;
export type CapName = (typeof CAP_NAMES)[number];

/** Something for each cap. */
export function perCap<T>(of: (name: CapName) => T): Record<CapName, T> {
  return Object.fromEntries(CAP_NAMES.map((name) => [name, of(name)])) as Record<CapName, T>;
}

/** Limits of one cap, one per currency. Money in any `other` currency cannot be paid unless it says `unlimited`. */
export type Cap = { limits: readonly Money[]; other: 'deny' | 'unlimited' };

/** Who may approve which payments. Denies by default: what no rule matches is declined. */
export type Policy = {
  /** Where it came from, for people: a file's name, or the environment variable. */
  source: string;
  /** SHA-256 in hex of what it was read from, for the audit. */
  digest: string;
  guests: 'deny' | 'allow';
  /** People of other workspaces in shared channels: nobody, everybody, or those of some teams. */
  slackConnect: 'deny' | 'allow' | readonly string[];
  methods: AllowDeny;
  payees: AllowDeny;
  caps: Readonly<Record<CapName, Cap | null>>;
  /** The first that matches decides. */
  rules: readonly PolicyRule[];
};
