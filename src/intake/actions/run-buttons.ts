import type { App } from '@slack/bolt';
import type { ActionResult, ClickContext, RunCommands } from '../../domain/ports/run-commands.ts';
import { ACTION_IDS } from '../../presenter/action-ids.ts';
import type { ListenerDeps } from '../listener-deps.ts';
import { onDecision } from './on-press.ts';

type Act = (commands: RunCommands, runId: string, click: ClickContext) => Promise<ActionResult>;

const ACTS: Readonly<Record<string, Act>> = {
  [ACTION_IDS.stopRun]: (commands, runId, click) => commands.stop(runId, click),
  [ACTION_IDS.resumeRun]: (commands, runId, click) => commands.resume(runId, click),
  [ACTION_IDS.startOverRun]: (commands, runId, click) => commands.choose(runId, 'start_over', click),
  [ACTION_IDS.closeRun]: (commands, runId, click) => commands.choose(runId, 'close', click),
};

/**
 * Stop on a live run's status message; Resume, Start over and Close on an ended run's status message or expired card.
 * The button's value is the run's id.
 */
export function listenToRunButtons(app: App, deps: ListenerDeps): void {
  for (const [actionId, act] of Object.entries(ACTS)) {
    app.action(
      actionId,
      onDecision(deps, (click) => act(deps.commands, click.value, click.context)),
    );
  }
}
