import type { App } from '@slack/bolt';
import { PAYMENT_ACTIONS, PAYMENT_LINK_PATTERN } from '../../presenter/payment/payment-ids.ts';
import { declineModal, paymentModal } from '../../presenter/payment/payment-modal.ts';
import type { ListenerDeps } from '../listener-deps.ts';
import { metadataOf } from '../metadata-of.ts';
import { onPress, type Press } from './on-press.ts';
import { type Opening, openModal } from './open-modal.ts';

async function readPayment({ deps, click }: Press, intent: 'approve' | 'decline'): Promise<Opening> {
  const opened = await deps.commands.openPayment(click.value, intent, click.context);
  if (opened.kind !== 'open') return opened;
  const { pause, mustRetype, spentLines } = opened;
  const about = { ...metadataOf(pause, click.context), terms: pause.request.terms };
  const view = intent === 'approve' ? paymentModal({ ...about, mustRetype, spentLines }) : declineModal(about);
  return { kind: 'modal', view };
}

/** A payment's card: "Approve…" and "Decline" open their modals and decide nothing (contract C18). */
export function listenToPaymentButtons(app: App, deps: ListenerDeps): void {
  for (const intent of ['approve', 'decline'] as const) {
    app.action(
      PAYMENT_ACTIONS[intent],
      onPress(deps, async (press) => {
        await press.ack();
        await openModal(press, readPayment(press, intent));
      }),
    );
  }
  // Slack opens the page by itself and only wants to hear that its report came.
  app.action(PAYMENT_LINK_PATTERN, async ({ ack }) => ack());
}
