/** One way to pay that the agent accepts, exactly as received: amounts are decimal text and never become floats. */
export type PaymentOption = { amount: string; currency: string; method: string };

/** The method of an option whose agent told none. */
export const UNTOLD_METHOD = 'unspecified';

/**
 * What an agent asks to be paid, as read from the planner's stream. Texts are untrusted. Secrets (`client_secret`, keys)
 * and raw metadata are dropped where the stream is read, so they exist nowhere else.
 */
export type PaymentTerms = {
  /** Agent's name, if told. */
  payeeName: string | null;
  /** Agent address or other recipient as received. */
  payeeAddress: string | null;
  /** The agent that asks, where it is not itself the recipient: it can name any agent or wallet as the one to be paid. */
  askerAddress: string | null;
  /** Never empty: a payment request without a readable option is a clarification with the planner's text. */
  options: PaymentOption[];
  description: string | null;
  reference: string | null;
  /** The payment's own deadline, in seconds from receipt. */
  deadlineSeconds: number | null;
  /** Checkout or payment pages, https only. */
  links: string[];
};

/** `requested → approved → sent → settled | declined | expired | unknown`. */
export const LEDGER_STATES = ['requested', 'approved', 'sent', 'settled', 'declined', 'expired', 'unknown'] as const;
export type LedgerState = (typeof LEDGER_STATES)[number];

/** How many different people a payment needs. */
export type ApproversNeeded = 1 | 2;

/** One payment request of a run, from its card to its end. */
export type LedgerEntry = {
  /** The pause that asked. */
  pauseId: string;
  runId: string;
  teamId: string;
  channelId: string;
  requesterId: string;
  terms: PaymentTerms;
  termsDigest: string;
  state: LedgerState;
  /** How many different people it takes, as the strictest rule so far said. */
  approversNeeded: ApproversNeeded;
  /** Index into `terms.options` of what was approved; null before. */
  optionIndex: number | null;
  /** Who approved, in order; two of them where the policy wants two. */
  approverIds: string[];
  requestedAt: Date;
  approvedAt: Date | null;
  /** When, and by which policy (its digest), its approval was last allowed; null before the first one. */
  allowedAt: Date | null;
  policyDigest: string | null;
  /** When the planner was first told. */
  sentAt: Date | null;
  endedAt: Date | null;
};

/** A sum in one currency (upper case), as exact decimal text. */
export type Spent = { currency: string; amount: string };

/**
 * What counts against the caps: payments approved or first told to the planner since the day began, whatever has become
 * of them since. By whom they were asked for, by channel, and in the whole workspace.
 */
export type SpentToday = { user: Spent[]; channel: Spent[]; workspace: Spent[] };

/** For a look at what the policy says of a payment whatever the day's sums are. */
export const NOTHING_SPENT: SpentToday = { user: [], channel: [], workspace: [] };

/** Whose and since when. `dayStart` is inclusive; the payment in question, `pauseId`, is never counted. */
export type SpendingScope = Pick<LedgerEntry, 'pauseId' | 'teamId' | 'channelId' | 'requesterId'> & { dayStart: Date };

/** The day that caps count by begins at midnight UTC, for everybody alike. */
export function dayStartOf(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()));
}
