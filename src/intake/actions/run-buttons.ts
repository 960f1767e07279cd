import type { App } from '@slack/bolt';
import type { Settlement } from '../../domain/run.ts';
import { ACTION_IDS } from '../../presenter/action-ids.ts';
import type { ListenerDeps } from '../listener-deps.ts';
import { readClick, tellResult } from './click.ts';

const SETTLEMENTS: Readonly<Record<string, Settlement['action']>> = {
  [ACTION_IDS.resumeRun]: 'resume',
  [ACTION_IDS.startOverRun]: 'start_over',
  [ACTION_IDS.closeRun]: 'close',
};

/** Stop on a live run's status message. The button's value is the run's id. */
export function listenToStop(app: App, deps: ListenerDeps): void {
  app.action(ACTION_IDS.stopRun, async ({ ack, body, respond }) => {
    const click = readClick(body);
    if (click === null) return ack();
    const result = await deps.commands.stop(click.value, click.context);
    // Acknowledged only now: a decision that was not stored shows Slack's warning sign instead.
    await ack();
    await tellResult(deps, { click, respond, result });
  });
}

/** Resume, Start over and Close on an ended run's status message or expired card. The button's value is the run's id. */
export function listenToSettlements(app: App, deps: ListenerDeps): void {
  for (const [actionId, settlement] of Object.entries(SETTLEMENTS)) {
    app.action(actionId, async ({ ack, body, respond }) => {
      const click = readClick(body);
      if (click === null) return ack();
      const result = await deps.commands.settle(click.value, settlement, click.context);
      await ack();
      await tellResult(deps, { click, respond, result });
    });
  }
}
