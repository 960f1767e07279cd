import type { ApproversNeeded, LedgerEntry, SpentToday } from '../payment.ts';

/** How the store asks, under its locks, whether an approval may be recorded, or told to the planner. */

/** What an approval is judged by, read under the locks that it is recorded under. The sums are without the payment. */
export type ApprovalFacts = { entry: LedgerEntry; spentToday: SpentToday };

/** `policyDigest` names the policy that allowed it, for the audit. */
export type ApprovalJudgement =
  | { allowed: true; approversNeeded: ApproversNeeded; policyDigest: string }
  | { allowed: false; reason: string };

/**
 * How an approval that goes to the planner, for the first time or again, is asked for by the policy in force; under the
 * locks that approvals are recorded under. `people-unknown`: Slack has to be asked first who approved it.
 */
export type Telling = { at: Date; dayStart: Date; judge: (facts: ApprovalFacts) => TellingJudgement };

export type TellingJudgement =
  | { kind: 'allowed'; policyDigest: string }
  | { kind: 'withheld'; reason: string }
  | { kind: 'people-unknown' };

/** An approval that does not go to the planner. With `people-unknown` nothing was written. */
export type NotTold =
  | { kind: 'withheld'; entry: LedgerEntry; reason: string }
  | { kind: 'people-unknown'; entry: LedgerEntry };

/**
 * What stands in the way of an approval whatever the policy says: the same person approved before, somebody approved
 * another option, or the option is none whose amount can be summed.
 */
export type ApprovalObstacle = 'approved-before' | 'other-option' | 'not-payable';
