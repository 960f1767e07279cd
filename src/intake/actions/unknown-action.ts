import type { App } from '@slack/bolt';
import { isKnownAction } from '../../presenter/action-ids.ts';
import type { ListenerDeps } from '../listener-deps.ts';
import { actionIdOf } from './click.ts';
import { onDecision } from './on-press.ts';

/** Buttons of older versions, and of nobody: a click is always answered (contract C36). */
export function listenToUnknownActions(app: App, deps: ListenerDeps): void {
  const answer = onDecision(deps, async () => ({ kind: 'unknown' }));
  // Bolt calls every listener that matches, this one for all clicks.
  app.action(/.*/, async (args) => (isKnownAction(actionIdOf(args.body)) ? undefined : answer(args)));
}
