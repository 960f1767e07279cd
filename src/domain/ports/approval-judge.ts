import type { ApproversNeeded, LedgerEntry, SpentToday } from '../payment.ts';

/**
 * How the store asks about an approval while it holds the locks that approvals are recorded under: whether it may be
 * recorded, and, before the planner hears of it, whether it is still allowed.
 */

/** What an approval is judged by, read under those locks. The sums are without the payment itself. */
export type ApprovalFacts = { entry: LedgerEntry; spentToday: SpentToday };

/** Whether an approval may be recorded. `policyDigest` names the policy that allowed it, for the audit. */
export type ApprovalJudgement =
  | { allowed: true; approversNeeded: ApproversNeeded; policyDigest: string }
  | { allowed: false; reason: string };

/**
 * What stands in the way of an approval whatever the policy says: the same person approved before, somebody approved
 * another option, or the option is none whose amount can be summed.
 */
export type ApprovalObstacle = 'approved-before' | 'other-option' | 'not-payable';

/** A second look at a recorded approval, by the policy in force, before the planner hears it, for the first time or not. */
export type ApprovalRecheck = { at: Date; dayStart: Date; judge: (facts: ApprovalFacts) => RecheckJudgement };

/** `people-unknown`: Slack has to be asked first about those who approved. */
export type RecheckJudgement =
  | { kind: 'allowed'; policyDigest: string }
  | { kind: 'withheld'; reason: string }
  | { kind: 'people-unknown' };

/** The planner does not hear the approval, because the policy does not allow it any more. */
export type ApprovalWithheld = { kind: 'withheld'; entry: LedgerEntry; reason: string };

/** Nothing was written: the write is to be made again once Slack was asked about those who approved. */
export type PeopleUnknown = { kind: 'people-unknown'; entry: LedgerEntry };
