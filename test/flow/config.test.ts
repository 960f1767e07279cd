import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { SANDBOX } from '../../src/sandbox/slack/setup.ts';
import { startBotChild } from '../support/bot-child.ts';
import { botMessages } from '../support/bot-messages.ts';
import { newDataDir } from '../support/embedded-template.ts';
import { type ChildStage, openChildStage } from './child-stage.ts';
import { shown } from './stage.ts';

const BOT = `<@${SANDBOX.botUserId}>`;

/** Contract C41, as a scrape names them. */
const METRICS = [
  'steward_runs',
  'steward_queue_depth',
  'steward_oldest_waiting_seconds',
  'steward_status_edits_total',
  'steward_planner_streams_open',
  'steward_decision_seconds',
  'steward_ack_seconds',
];

describe('a process', { timeout: 60_000 }, () => {
  let stage: ChildStage;
  beforeAll(async () => {
    stage = await openChildStage();
  });
  afterAll(async () => {
    await stage.close();
  });

  it('ends with 78 and names every problem of its environment on stderr', async () => {
    const bot = startBotChild({ PORT: 'http', ASI_ONE_MODEL: 'gpt', REDIS_URL: 'redis://127.0.0.1:1' });
    expect(await bot.ended).toEqual({ code: 78, signal: null });
    const said = bot.stderr.join('\n');
    for (const name of [
      'SLACK_BOT_TOKEN',
      'SLACK_SIGNING_SECRET',
      'ASI_ONE_API_KEY',
      'PORT',
      'ASI_ONE_MODEL',
      'REDIS_URL',
    ]) {
      expect(said).toContain(name);
    }
  });

  it('ends with 78 when half a bot is asked for without a shared database, or a role that there is not', async () => {
    const half = startBotChild(stage.env, ['--role', 'worker']);
    const unknown = startBotChild(stage.env, ['--role', 'boss']);
    const option = startBotChild(stage.env, ['--rule', 'worker']);
    expect((await half.ended).code).toBe(78);
    expect(half.stderr.join('\n')).toContain('DATABASE_URL');
    expect((await unknown.ended).code).toBe(78);
    expect(unknown.stderr.join('\n')).toContain('boss');
    expect((await option.ended).code).toBe(78);
    expect(option.stderr.join('\n')).toContain('--rule');
  });

  it('refuses a DATA_DIR that another process has, and says which', async () => {
    const second = startBotChild(stage.env);
    const end = await second.ended;
    expect(end.code).toBeGreaterThan(0);
    expect(second.stderr.join('\n')).toContain('is in use by process');
    expect((await fetch(`${stage.botUrl}/readyz`)).status).toBe(200);
  });

  it('exits 0 on a SIGTERM that comes while it still starts', async () => {
    const data = await newDataDir();
    onTestFinished(data.remove);
    const starting = startBotChild({ ...stage.env, DATA_DIR: data.path });
    await vi.waitFor(() => access(join(data.path, 'steward.lock')), { timeout: 20_000 });
    expect(await starting.end('SIGTERM')).toEqual({ code: 0, signal: null });
  });

  it('shows its numbers, and no secret and no text of people in its log', async () => {
    const { slack, planner, bot } = stage;
    const secretText = 'the-moon-is-made-of-cheese';
    const sent = await slack.mention({ text: `${BOT} ${secretText} [scenario:clarify-options]` });
    const card = await slack.waitFor(() => botMessages(slack, sent)[1]);
    await slack.click({ messageTs: card.ts, text: 'Answer…' });
    await slack.waitFor(() => slack.openViews(SANDBOX.users.alice).length === 1);
    await slack.submitView({ user: SANDBOX.users.alice, values: { answer_input: 'a-very-private-answer' } });
    await slack.waitFor(() => botMessages(slack, sent).some((m) => shown(m).includes('a-very-private-answer.')));
    await slack.mention({ text: `${BOT} ${secretText} [scenario:error-401]` });
    await slack.mention({ text: `${BOT} ${secretText} [scenario:payment]` });
    await slack.slashCommand({ text: `${secretText} [scenario:cut-mid-event]` });
    await planner.waitFor((requests) => requests.filter(({ endedAt }) => endedAt !== null).length >= 5);
    const metrics = await (await fetch(`${stage.botUrl}/metrics`)).text();
    for (const name of METRICS) expect(metrics).toContain(`# TYPE ${name}`);
    expect(metrics).toMatch(/steward_runs\{state="completed"\} 1/);
    await bot.end('SIGTERM');
    const log = [...bot.stdout, ...bot.stderr].join('\n');
    const sessions = planner.requests.map(({ sessionId }) => sessionId ?? '');
    const hidden = [
      slack.setup.botToken,
      slack.setup.signingSecret,
      planner.apiKey,
      secretText,
      'a-very-private-answer',
      'Which class do you travel',
      'client_secret',
      'cs_test_sandbox',
      'This much arrived',
      ...sessions,
    ];
    for (const secret of hidden) expect(log).not.toContain(secret);
    expect(bot.stdout.every((line) => typeof JSON.parse(line) === 'object')).toBe(true);
  });
});
