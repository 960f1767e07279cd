import type { App } from '@slack/bolt';
import { ACTION_IDS, parseOptionActionId } from '../../presenter/action-ids.ts';
import type { ListenerDeps } from '../listener-deps.ts';
import { readClick, tellResult } from './click.ts';

const KNOWN_IDS: ReadonlySet<string> = new Set(Object.values(ACTION_IDS));

function isKnown(actionId: string): boolean {
  return KNOWN_IDS.has(actionId) || parseOptionActionId(actionId) !== null;
}

/** Buttons of older versions, and of nobody: a click is always answered (contract C36). */
export function listenToUnknownActions(app: App, deps: ListenerDeps): void {
  app.action(/.*/, async ({ ack, body, respond }) => {
    const click = readClick(body);
    if (click !== null && isKnown(click.actionId)) return;
    await ack();
    if (click !== null) await tellResult(deps, { click, respond, result: { kind: 'unknown' } });
  });
}
