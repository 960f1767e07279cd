import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSandboxPlanner, type SandboxPlanner } from '../../src/sandbox/planner/sandbox-planner.ts';
import { createSandboxSlack, type SandboxSlack } from '../../src/sandbox/slack/sandbox-slack.ts';
import { SANDBOX } from '../../src/sandbox/slack/setup.ts';
import { type BotChild, sandboxEnv, startBotChild } from '../support/bot-child.ts';
import { botMessages } from '../support/bot-messages.ts';
import { createDatabase, type TestDatabase } from '../support/server-database.ts';
import { shown } from './stage.ts';

const BOT = `<@${SANDBOX.botUserId}>`;
const serverUrl = process.env.TEST_DATABASE_URL;
type Thread = { channel: string; ts: string };

describe.skipIf(!serverUrl)('an intake and workers on one PostgreSQL', { timeout: 90_000 }, () => {
  let slack: SandboxSlack;
  let planner: SandboxPlanner;
  let database: TestDatabase;
  let worker: BotChild;
  const children: BotChild[] = [];

  async function start(role: 'intake' | 'worker'): Promise<BotChild> {
    const child = startBotChild(sandboxEnv({ slack, planner, state: { DATABASE_URL: database.url } }), [
      '--role',
      role,
    ]);
    children.push(child);
    const port = await child.started;
    if (role === 'intake') slack.setEventsUrl(`http://127.0.0.1:${port}/slack/events`);
    return child;
  }

  beforeAll(async () => {
    slack = await createSandboxSlack();
    planner = await createSandboxPlanner({ speed: 20 });
    database = await createDatabase(serverUrl ?? '');
    // At once, on an empty database: both want to create the tables.
    [, worker] = await Promise.all([start('intake'), start('worker')]);
  });
  afterAll(async () => {
    await Promise.all(children.map((child) => child.end('SIGKILL')));
    await planner?.close();
    await slack?.close();
    await database?.drop();
  });

  const shows = (thread: Thread, words: string) =>
    botMessages(slack, thread).some((message) => shown(message).includes(words));
  const askedAbout = (words: string) =>
    planner.requests.filter(({ messages }) => JSON.stringify(messages).includes(words));

  it('answers a request, whichever process posts what', async () => {
    const sent = await slack.mention({ text: `${BOT} across [scenario:happy]` });
    await slack.waitFor(() => shows(sent, 'Vendor comparison') && shows(sent, 'Done'));
    expect(botMessages(slack, sent)).toHaveLength(2);
  });

  it('stops within two seconds what the other process runs', async () => {
    const sent = await slack.mention({ text: `${BOT} stop-across [scenario:held]` });
    await slack.waitFor(() => shows(sent, 'Wait at the gate'));
    await slack.click({ messageTs: botMessages(slack, sent)[0]?.ts ?? '', text: 'Stop' });
    await planner.waitFor(() => askedAbout('stop-across')[0]?.state === 'aborted');
    await slack.waitFor(() => shows(sent, 'Stopped'));
  });

  it('carries a decision that the intake took to a worker, once', async () => {
    const sent = await slack.mention({ text: `${BOT} decide-across [scenario:clarify-options]` });
    const card = await slack.waitFor(() => botMessages(slack, sent)[1]);
    const click = () => slack.click({ messageTs: card.ts, text: 'Second', stale: true });
    await Promise.all([click(), click()]);
    await slack.waitFor(() => shows(sent, 'Booked as you said: Second'));
    expect(askedAbout('decide-across')).toHaveLength(2);
  });

  it('closes the runs of a killed worker, keeps what is asked meanwhile, and goes on with another', async () => {
    const sent = await slack.mention({ text: `${BOT} worker-dies [scenario:held]` });
    await slack.waitFor(() => shows(sent, 'Wait at the gate'));
    await worker.end('SIGKILL');
    const late = await slack.mention({ text: `${BOT} nobody-there [scenario:answer-only]` });
    expect(late.acked).toBe(true);
    await start('worker');
    await slack.waitFor(() => botMessages(slack, late).length === 2, { timeoutMs: 60_000 });
    await slack.waitFor(() => shows(sent, 'Interrupted'), { timeoutMs: 60_000 });
    expect(askedAbout('worker-dies')).toHaveLength(1);
    expect(askedAbout('nobody-there')).toHaveLength(1);
  });
});
