import type { PauseOf } from '../../domain/pause.ts';
import type { LedgerEntry } from '../../domain/payment.ts';
import type { CardRun } from '../card-run.ts';

/**
 * What a payment's card shows beside pause and run: its ledger entry; who may decide, as our own mrkdwn; what was
 * approved today against the caps, in plain lines (`Today in this channel: 12 of 100 USD`); and whether the amount has
 * to be typed again to approve.
 */
export type PaymentDetails = {
  entry: LedgerEntry;
  approversText: string;
  spentLines: readonly string[];
  mustRetype: boolean;
};

/** All that a payment's card shows. `pause.decidedBy` is null where the policy declined. */
export type PaymentCardView = PaymentDetails & { pause: PauseOf<'payment'>; run: CardRun };

/** What an approval does and does not do; on the card and in the modal. */
export const HONEST_TEXT =
  'An approval only tells the planner to go on. I move no money myself, and I cannot call a payment back.';
