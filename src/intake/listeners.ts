import type { App } from '@slack/bolt';
import { listenToCardButtons } from './actions/card-buttons.ts';
import { listenToClarificationButtons } from './actions/clarification-buttons.ts';
import { listenToPaymentButtons } from './actions/payment-buttons.ts';
import { listenToRunButtons } from './actions/run-buttons.ts';
import { listenToUnknownActions } from './actions/unknown-action.ts';
import { listenToSteward } from './commands/steward.ts';
import { listenToMessages } from './events/messages.ts';
import type { ListenerDeps } from './listener-deps.ts';
import { listenToModals } from './views/modals.ts';

/** Everything that Steward listens to; a new way in is one more line. */
export function registerListeners(app: App, deps: ListenerDeps): void {
  listenToMessages(app, deps);
  listenToSteward(app, deps);
  listenToRunButtons(app, deps);
  listenToClarificationButtons(app, deps);
  listenToPaymentButtons(app, deps);
  listenToCardButtons(app, deps);
  listenToUnknownActions(app, deps);
  listenToModals(app, deps);
}
