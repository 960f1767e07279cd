import { isPauseOf, type Pause } from '../domain/pause.ts';
import type { MessageContent } from '../domain/ports/chat.ts';
import type { Run } from '../domain/run.ts';
import { clarificationCard } from './clarification/clarification-card.ts';
import { interactionCard } from './interaction/interaction-card.ts';
import { paymentCard } from './payment/payment-card.ts';
import type { PaymentDetails } from './payment/payment-view.ts';

/** All that a pause's card shows. `payment` belongs to a payment and is null for the other kinds. */
export type PauseCardView = { pause: Pause; run: Run; payment: PaymentDetails | null };

/**
 * Draws a pause's card as it stands, by its kind (contract C16–C19, C21, C24): open with its buttons, or what became of
 * it without them.
 *
 * Throws a TypeError for a payment without its ledger entry, which is stored together with the pause.
 */
export function pauseCard({ pause, run, payment }: PauseCardView): MessageContent {
  if (isPauseOf(pause, 'clarification')) return clarificationCard({ pause, run });
  if (isPauseOf(pause, 'card')) return interactionCard({ pause, run });
  if (isPauseOf(pause, 'payment') && payment !== null) return paymentCard({ pause, run, ...payment });
  throw new TypeError('The card of a payment cannot be drawn without its ledger entry');
}
