import type { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SANDBOX } from '../../src/sandbox/slack/setup.ts';
import { type Asked, createAsked } from '../support/asked.ts';
import { openStage, type Stage } from './stage.ts';

const BOT = `<@${SANDBOX.botUserId}>`;

let stage: Stage;
let asked: Asked;
/** The threads that were started in this process; the newest is the one of the database. */
const threads: Worker[] = [];
const noteThread = (worker: Worker): void => void threads.push(worker);

beforeAll(async () => {
  process.on('worker', noteThread);
  stage = await openStage({ planner: { scenario: 'answer-only' }, slack: { retryDelaysMs: [10, 20, 30] } });
  asked = createAsked(stage);
});
afterAll(async () => {
  process.off('worker', noteThread);
  await stage.close();
});

describe('a request over HTTP that Slack did not sign', () => {
  const body = JSON.stringify({
    type: 'event_callback',
    team_id: SANDBOX.teamId,
    event: {
      type: 'app_mention',
      user: SANDBOX.users.alice,
      text: `${BOT} forged`,
      channel: SANDBOX.channels.general,
      ts: '1700000000.000001',
    },
  });
  const nowS = () => Math.floor(Date.now() / 1000);

  it.each([
    ['carries no signature', () => ({})],
    ['is signed with another secret', () => stage.slack.sign(body, { secret: 'another' })],
    ['is signed for another body', () => stage.slack.sign(`${body} `)],
    ['is six minutes old', () => stage.slack.sign(body, { timestampS: nowS() - 360 })],
    ['is six minutes ahead', () => stage.slack.sign(body, { timestampS: nowS() + 360 })],
    ['has a time that is no number', () => ({ ...stage.slack.sign(body), 'x-slack-request-timestamp': 'now' })],
  ])('because it %s is refused with 401 and starts nothing', async (_why, headers) => {
    expect((await stage.slack.deliverRaw({ body, headers: headers() })).status).toBe(401);
    await asked.caughtUp();
    expect(asked.requestsFor('forged')).toHaveLength(0);
  });

  it('is taken once it is signed and at most five minutes off', async () => {
    const headers = stage.slack.sign(body, { timestampS: nowS() - 290 });
    expect((await stage.slack.deliverRaw({ body, headers })).status).toBe(200);
    await stage.planner.waitFor(() => asked.requestsFor('forged').length === 1);
  });
});

describe('a database that is gone', () => {
  it('makes Slack deliver again, and what it could not store runs once when it is back', async () => {
    const { slack } = stage;
    const before = await slack.mention({ text: 'stored before' });
    await asked.answered(before);
    await threads.at(-1)?.terminate();
    const refused = await slack.mention({ text: 'not to be stored' });
    expect(refused).toMatchObject({ acked: false, status: 503, attempts: 4 });
    const command = await slack.slashCommand({ text: 'not to be stored either' });
    expect(command).toMatchObject({ acked: false, status: 503 });
    expect((await fetch(`${stage.botUrl}/readyz`)).status).toBe(503);
    expect((await fetch(`${stage.botUrl}/healthz`)).status).toBe(200);

    await stage.stopBot();
    await stage.startBot();
    await slack.redeliver(refused.ts, { retry: { num: 3, reason: 'http_error' } });
    await slack.redeliver(before.ts, { newEventId: true });
    await asked.answered(refused);
    await asked.caughtUp();
    expect(asked.requestsFor('not to be stored')).toHaveLength(1);
    expect(asked.requestsFor('stored before')).toHaveLength(1);
  });
});
