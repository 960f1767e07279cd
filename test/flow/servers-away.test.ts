import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SANDBOX } from '../../src/sandbox/slack/setup.ts';
import { botMessages } from '../support/bot-messages.ts';
import { createDatabase, type TestDatabase } from '../support/server-database.ts';
import { createTcpDoor, type TcpDoor } from '../support/tcp-door.ts';
import { openStage, type Stage, shown } from './stage.ts';

const BOT = `<@${SANDBOX.botUserId}>`;
const { TEST_DATABASE_URL, TEST_REDIS_URL } = process.env;
const SOON = { timeoutMs: 60_000 };
type Thread = { channel: string; ts: string };

/** A door in front of a server, and the server's URL by way of it. */
async function doorTo(url: string): Promise<{ door: TcpDoor; url: string }> {
  const way = new URL(url);
  const door = await createTcpDoor({ host: way.hostname, port: Number(way.port) });
  way.hostname = '127.0.0.1';
  way.port = String(door.port);
  return { door, url: way.href };
}

describe.skipIf(!TEST_DATABASE_URL || !TEST_REDIS_URL)('a server that goes away', { timeout: 120_000 }, () => {
  let stage: Stage;
  let database: TestDatabase;
  let redis: Awaited<ReturnType<typeof doorTo>>;
  let postgres: Awaited<ReturnType<typeof doorTo>>;

  beforeAll(async () => {
    database = await createDatabase(TEST_DATABASE_URL ?? '');
    postgres = await doorTo(database.url);
    redis = await doorTo(TEST_REDIS_URL ?? '');
    stage = await openStage({ env: { DATABASE_URL: postgres.url, REDIS_URL: redis.url } });
  });
  afterAll(async () => {
    await stage?.close();
    await redis?.door.close();
    await postgres?.door.close();
    await database?.drop();
  });

  const shows = (thread: Thread, words: string) =>
    botMessages(stage.slack, thread).some((message) => shown(message).includes(words));
  const askedAbout = (words: string) =>
    stage.planner.requests.filter(({ messages }) => JSON.stringify(messages).includes(words));
  const readiness = async () => {
    const response = await fetch(`${stage.botUrl}/readyz`);
    return { status: response.status, body: await response.text() };
  };

  it('Redis: requests are acknowledged at once, kept, and run when it is back', async () => {
    const { slack } = stage;
    const before = await slack.mention({ text: `${BOT} before-the-outage [scenario:answer-only]` });
    await slack.waitFor(() => shows(before, 'Done'));
    redis.door.shut();
    const during = await Promise.all(
      Array.from({ length: 5 }, (_, index) => slack.mention({ text: `${BOT} outage-${index} [scenario:answer-only]` })),
    );
    for (const sent of during) {
      expect(sent.acked).toBe(true);
      expect(sent.ackMs).toBeLessThan(3_000);
      await slack.waitFor(() => shows(sent, 'Queued'));
    }
    const down = await readiness();
    expect(down.status).toBe(503);
    expect(down.body).toContain('queue');
    redis.door.open();
    for (const sent of during) await slack.waitFor(() => botMessages(slack, sent).length === 2, SOON);
    for (let index = 0; index < 5; index += 1) expect(askedAbout(`outage-${index} `)).toHaveLength(1);
    expect((await readiness()).status).toBe(200);
  });

  it('Redis: a run under way goes on to its answer', async () => {
    const { slack, planner } = stage;
    const sent = await slack.mention({ text: `${BOT} redis-midway [scenario:held]` });
    await slack.waitFor(() => shows(sent, 'Wait at the gate'));
    redis.door.shut();
    planner.release('held');
    await slack.waitFor(() => shows(sent, 'Done') && shows(sent, 'The gate was opened.'));
    redis.door.open();
    const next = await slack.mention({ text: `${BOT} redis-after [scenario:answer-only]` });
    await slack.waitFor(() => botMessages(slack, next).length === 2, SOON);
    expect(askedAbout('redis-midway')).toHaveLength(1);
  });

  it('the database: nothing is acknowledged that is not stored, and Slack delivers it again', async () => {
    const { slack } = stage;
    postgres.door.shut();
    const refused = await slack.mention({ text: `${BOT} database-away [scenario:answer-only]` });
    expect(refused.acked).toBe(false);
    const down = await readiness();
    expect(down.status).toBe(503);
    expect(down.body).toContain('database');
    postgres.door.open();
    await slack.waitFor(async () => (await readiness()).status === 200);
    const again = await slack.redeliver(refused.ts);
    expect(again.some(({ acked }) => acked)).toBe(true);
    await slack.waitFor(() => botMessages(slack, refused).length === 2, SOON);
    expect(askedAbout('database-away')).toHaveLength(1);
  });

  it('the database: an answer that comes meanwhile is kept and posted when it is back', async () => {
    const { slack, planner } = stage;
    const sent = await slack.mention({ text: `${BOT} database-midway [scenario:held]` });
    await slack.waitFor(() => shows(sent, 'Wait at the gate'));
    postgres.door.shut();
    planner.release('held');
    await planner.waitFor(() => askedAbout('database-midway')[0]?.state !== 'open');
    postgres.door.open();
    await slack.waitFor(() => shows(sent, 'Done') && shows(sent, 'The gate was opened.'), SOON);
    expect(askedAbout('database-midway')).toHaveLength(1);
  });
});
