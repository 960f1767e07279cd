import type { PauseState } from '../../domain/pause.ts';
import type { LedgerState, PaymentTerms } from '../../domain/payment.ts';
import type { Run } from '../../domain/run.ts';

/** A person's or the policy's decision on a payment. `optionIndex` is the approved option's place in the terms. */
export type PaymentVerdict = { verdict: 'approve' | 'decline'; optionIndex: number | null; reason: string | null };

/**
 * All that a payment's card shows.
 *
 * `approversText` says who may decide, as our own mrkdwn; `spentLines` are plain (`Today in this channel: 12 of 100
 * USD`). `approvals` are the people who approved so far, in order; `approversNeeded` is 1 or 2. `pause.decidedBy` is
 * null where the policy declined.
 */
export type PaymentCardView = {
  terms: PaymentTerms;
  pause: {
    id: string;
    state: PauseState;
    deadlineAt: Date;
    decidedBy: string | null;
    decidedAt: Date | null;
    decision: PaymentVerdict | null;
  };
  run: Pick<Run, 'id' | 'stopRequestedBy' | 'choice'>;
  approversText: string;
  spentLines: readonly string[];
  approvals: readonly string[];
  approversNeeded: number;
  ledgerState: LedgerState;
  /** The amount has to be typed again to approve. */
  mustRetype: boolean;
  now: Date;
};

/** What an approval does and does not do; on the card and in the modal. */
export const HONEST_TEXT =
  'An approval only tells the planner to go on. I move no money myself, and I cannot call a payment back.';
