import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createSandboxPlanner, type SandboxPlanner } from '../../src/sandbox/planner/sandbox-planner.ts';
import { createSandboxSlack, type SandboxSlack } from '../../src/sandbox/slack/sandbox-slack.ts';
import { SANDBOX, type SandboxSlackOptions } from '../../src/sandbox/slack/setup.ts';
import { type BotChild, sandboxEnv, startBotChild } from '../support/bot-child.ts';
import { botMessages } from '../support/bot-messages.ts';
import { newDataDir } from '../support/embedded-template.ts';
import { openStage, shown } from './stage.ts';

describe('a start', { timeout: 60_000 }, () => {
  let planner: SandboxPlanner;
  let data: Awaited<ReturnType<typeof newDataDir>>;
  beforeEach(async () => {
    planner = await createSandboxPlanner();
    data = await newDataDir();
  });
  afterEach(async () => {
    await planner.close();
    await data.remove();
  });

  async function start(env: Record<string, string>, setup: SandboxSlackOptions = {}): Promise<BotChild> {
    const slack = await createSandboxSlack(setup);
    onTestFinished(() => slack.close());
    return startOn(slack, env);
  }

  function startOn(slack: SandboxSlack, env: Record<string, string>): BotChild {
    const bot = startBotChild({ ...sandboxEnv({ slack, planner, state: { DATA_DIR: data.path } }), ...env });
    onTestFinished(async () => void (await bot.end('SIGKILL')));
    return bot;
  }

  it('ends with 78 and a line for each token that Slack refuses, which names its variable', async () => {
    const bot = await start({ SLACK_BOT_TOKEN: 'xoxb-wrong', SLACK_APP_TOKEN: 'xapp-wrong' });
    expect(await bot.ended).toEqual({ code: 78, signal: null });
    expect(bot.stderr).toEqual([
      'The configuration has 2 problem(s):',
      expect.stringMatching(
        /^ {2}- SLACK_BOT_TOKEN is refused by Slack \(invalid_auth\): install .*OAuth & Permissions/,
      ),
      expect.stringMatching(/^ {2}- SLACK_APP_TOKEN is refused by Slack \(invalid_auth\): .*connections:write/),
    ]);
    expect(bot.stdout.join('\n')).not.toMatch(/stack|"msg":"started"/);
  });

  it('ends with 78 when the app may not write, and goes on, with a warning, when it may do less than it asks for', async () => {
    const silent = await start({}, { scopes: ['commands'] });
    expect(await silent.ended).toEqual({ code: 78, signal: null });
    expect(silent.stderr.join('\n')).toContain('SLACK_BOT_TOKEN is refused by Slack (missing_scope: chat:write)');
    const limited = await start({}, { scopes: ['chat:write', 'commands'] });
    await limited.line(({ msg }) => msg === 'slack_scopes_missing');
    await limited.started;
  });

  it('goes on while Slack cannot be reached, and says so in a line per attempt, without a stack', async () => {
    const slack = await createSandboxSlack();
    await slack.close();
    const bot = startOn(slack, { SLACK_APP_TOKEN: slack.setup.appToken });
    await bot.started;
    await vi.waitFor(() => expect(bot.stdout.join('\n')).toMatch(/"failures":3/), { timeout: 20_000 });
    const connecting = bot.stdout.filter((line) => line.includes('apps.connections.open'));
    // Of the check at the start, and of two connections.
    expect(connecting.filter((line) => line.includes('"failures":1'))).toHaveLength(2);
    expect(connecting.every((line) => /slack_access_not_checked|socket_connect_failed/.test(line))).toBe(true);
    expect(bot.stdout.join('\n')).not.toMatch(/"stack"|slack_sdk/);
  });
});

describe('a token that is revoked while the bot runs', () => {
  it('is said once, and what is owed meanwhile is shown once Slack takes it again', async () => {
    const lines: string[] = [];
    const log = { write: (line: string) => void lines.push(line) };
    const stage = await openStage({ log, planner: { scenario: 'answer-only' } });
    onTestFinished(stage.close);
    const { slack } = stage;
    const { botToken } = slack.setup;
    slack.setup.botToken = 'xoxb-the-next-one';
    const sent = await slack.mention({ text: `<@${SANDBOX.botUserId}> owed` });
    const tried = () => slack.calls('chat.postMessage').concat(slack.calls('conversations.replies'));
    await slack.waitFor(() => tried().length >= 4 && slack.calls().every(({ status }) => status !== null));
    slack.setup.botToken = botToken;
    await slack.waitFor(() => botMessages(slack, sent).length === 2);
    expect(botMessages(slack, sent).map(shown).join('\n')).toContain('Two and two is four.');
    const told = lines.filter((line) => line.includes('slack_token_refused'));
    expect(told).toHaveLength(1);
    expect(JSON.parse(told[0] ?? '')).toMatchObject({ level: 50, slackCode: 'invalid_auth' });
    expect(lines.filter((line) => line.includes('slack_token_accepted'))).toHaveLength(1);
    expect(lines.join('')).not.toMatch(/message_not_shown|status_edit_failed/);
  });

  it('of the sockets is said once too, whichever of them is refused', async () => {
    const lines: string[] = [];
    const log = { write: (line: string) => void lines.push(line) };
    const stage = await openStage({ log, transport: 'socket', planner: { scenario: 'answer-only' } });
    onTestFinished(stage.close);
    const { slack } = stage;
    slack.failNext({ method: 'apps.connections.open', error: 'token_revoked', times: 6 });
    slack.dropSockets();
    await slack.waitFor(() => slack.socketCount() === 2);
    expect(lines.filter((line) => line.includes('slack_token_refused'))).toHaveLength(1);
    expect(lines.join('')).not.toMatch(/socket_connect_failed|slack_sdk_error/);
    const sent = await slack.mention({ text: 'heard again' });
    await slack.waitFor(() => botMessages(slack, sent).length === 2);
  });
});
