import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { Scenario, Step } from '../../src/sandbox/planner/scenario.ts';
import { SANDBOX } from '../../src/sandbox/slack/setup.ts';
import type { SandboxView } from '../../src/sandbox/slack/views.ts';
import type { Stage } from '../flow/stage.ts';
import { createPausedRuns } from './paused-runs.ts';
import { textOf } from './watched-runs.ts';

type Thread = { channel: string; ts: string };
type Fund = { amount: string; currency: string; payment_method: string };

export const PAYEE = 'agent1qfnjsuwnfc5wu8ju7kwezamc6t6tdngtfmw8jc3szxf8kkw7qujm5h5tdr9';

const DONE: Step[] = [{ finish: 'stop' }, { done: true }];

/** A script that asks for one payment, and then says what it was answered. */
export function paymentScript(
  amounts: string | readonly string[],
  more: { deadline_seconds?: number; recipient?: string; description?: string } = {},
): Scenario {
  const funds = [amounts].flat().map((words): Fund => {
    const [amount = '', currency = '', payment_method = 'stripe'] = words.split(' ');
    return { amount, currency, payment_method };
  });
  const payment_request = { accepted_funds: funds, recipient: PAYEE, description: 'Full report', ...more };
  const asked = { phases: { '0': { tasks: { '0': { task: 'Order it', payment_request } } } } };
  return {
    about: 'asks for one payment',
    legs: [
      [{ plan: { plan_status: 'payment_requested', ...asked } }, { text: 'To be paid.' }, ...DONE],
      [{ plan: { plan_status: 'completed' } }, { text: 'Heard: {{answer}}' }, ...DONE],
    ],
  };
}

/** A policy file that can be changed; removed at the end. */
export function policyFile(text: string): { path: string; write(text: string): void } {
  const folder = mkdtempSync(join(tmpdir(), 'steward-policy-'));
  const path = join(folder, 'policy.yml');
  const write = (now: string) => writeFileSync(path, `version: 1\n${now}`);
  write(text);
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return { path, write };
}

/** What people do about payments, and what they see. */
export function createPayments(stage: Pick<Stage, 'slack' | 'planner'>) {
  const paused = createPausedRuns(stage);
  const alice: string = SANDBOX.users.alice;

  type Who = { user?: string; index?: number };
  const cardText = (thread: Thread, index = 0): string => textOf(paused.cardOf(thread, index));

  /** Presses a button that opens a modal; its view. */
  async function open(thread: Thread, button: string, { user = alice, index = 0 }: Who = {}) {
    const before = stage.slack.views().length;
    const { channel } = thread;
    await stage.slack.click({ user, channel, messageTs: paused.cardOf(thread, index).ts, text: button });
    return stage.slack.waitFor(() => {
      const view = stage.slack
        .views()
        .slice(before)
        .find((each) => each.userId === user && each.open);
      return view?.view.submit ? view : null;
    });
  }

  async function press(
    thread: Thread,
    button: string,
    { user = alice, index = 0, stale = false } = {},
  ): Promise<string> {
    const before = { whispers: paused.whispersTo(user).length, views: stage.slack.views().length };
    const { channel } = thread;
    await stage.slack.click({ user, channel, messageTs: paused.cardOf(thread, index).ts, text: button, stale });
    return stage.slack.waitFor(() => {
      // Where Slack takes its time to say who it is, a window is there already to say it in.
      const shown = stage.slack.views().slice(before.views).filter(isNoticeFor(user));
      return [...paused.whispersTo(user, before.whispers), ...shown.map(({ view }) => viewText(view))].join('\n');
    });
  }

  return {
    ...paused,
    cardText,
    open,
    /** Presses a button that is answered privately; the answer. */
    press,
    /** What a person's window shows now, and what was said under its fields. */
    windowText(user: string = alice): string {
      const view = stage.slack.openViews(user).at(-1);
      return view ? [viewText(view.view), JSON.stringify(view.errors)].join('\n') : '';
    },
    async approve(thread: Thread, who: Who & { values?: Record<string, string> } = {}) {
      const { user = alice, values = {} } = who;
      const view = await open(thread, 'Approve…', who);
      return stage.slack.submitView({ user, viewId: view.id, values });
    },
    async decline(thread: Thread, who: Who & { reason?: string } = {}) {
      const { user = alice, reason } = who;
      const view = await open(thread, 'Decline', who);
      return stage.slack.submitView({ user, viewId: view.id, values: reason === undefined ? {} : { Reason: reason } });
    },
    /** The card says this. */
    says: (thread: Thread, words: string, index = 0) =>
      stage.slack.waitFor(() => cardText(thread, index).includes(words)),
    async closeWindows(user: string = alice): Promise<void> {
      while (stage.slack.openViews(user).length > 0) await stage.slack.closeView({ user });
    },
  };
}

/** A window that only tells, and not that it takes a moment. */
function isNoticeFor(user: string): (view: SandboxView) => boolean {
  return ({ userId, open, view }) => userId === user && open && !view.submit && !viewText(view).includes('One moment');
}

function viewText(view: SandboxView['view']): string {
  return textOf({ text: '', blocks: Array.isArray(view.blocks) ? view.blocks : [] });
}
