import type { App } from '@slack/bolt';
import { listenToOptions } from './actions/choose-option.ts';
import { listenToAnswerButton } from './actions/open-answer.ts';
import { listenToRunButtons } from './actions/run-buttons.ts';
import { listenToUnknownActions } from './actions/unknown-action.ts';
import { listenToSteward } from './commands/steward.ts';
import { listenToMessages } from './events/messages.ts';
import type { ListenerDeps } from './listener-deps.ts';
import { listenToAnswerModal } from './views/answer-modal.ts';

/** Everything that Steward listens to; a new way in is one more line. */
export function registerListeners(app: App, deps: ListenerDeps): void {
  listenToMessages(app, deps);
  listenToSteward(app, deps);
  listenToRunButtons(app, deps);
  listenToOptions(app, deps);
  listenToAnswerButton(app, deps);
  listenToUnknownActions(app, deps);
  listenToAnswerModal(app, deps);
}
