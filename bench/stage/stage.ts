import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSandboxPlanner, type SandboxPlanner } from '../../src/sandbox/planner/sandbox-planner.ts';
import type { Scenario } from '../../src/sandbox/planner/scenario.ts';
import { createSandboxSlack, type SandboxSlack } from '../../src/sandbox/slack/sandbox-slack.ts';
import { SANDBOX } from '../../src/sandbox/slack/setup.ts';
import { type BotProcess, buildBot, startBot } from './bot-process.ts';

/** A bot process on its embedded default, between a sandbox Slack and a sandbox planner in this process. */
export type Stage = {
  slack: SandboxSlack;
  planner: SandboxPlanner;
  bot: BotProcess;
  close(): Promise<void>;
};

export type StageOptions = { scenario: string | Scenario; env?: Record<string, string> };

/** Opens stages whose bot finds its database there already, as after a first start. */
export type Theatre = {
  openStage(options: StageOptions): Promise<Stage>;
  /** A fresh DATA_DIR with an empty database, and its removal. */
  newDataDir(): Promise<{ path: string; remove(): Promise<void> }>;
  close(): Promise<void>;
};

/** A channel that people wrote in before the bot joined it: messages stand there, and no event was sent for them. */
export const BENCH_CHANNEL = 'C0BENCH001';

const CHANNEL = { id: BENCH_CHANNEL, name: 'bench', kind: 'public' as const };

/** Compiles the bot and lets it create its database once; every stage starts on a copy. */
export async function createTheatre(): Promise<Theatre> {
  await buildBot();
  const template = await mkdtemp(join(tmpdir(), 'steward-bench-template-'));

  async function newDataDir(): Promise<{ path: string; remove(): Promise<void> }> {
    const path = await mkdtemp(join(tmpdir(), 'steward-bench-'));
    await cp(template, path, { recursive: true });
    return { path, remove: () => rm(path, { recursive: true, force: true }) };
  }

  const first = await openStage({ scenario: 'answer-only' }, { path: template, remove: async () => {} });
  await first.bot.stop();
  await first.close();
  return {
    newDataDir,
    openStage: async (options) => openStage(options, await newDataDir()),
    close: () => rm(template, { recursive: true, force: true }),
  };
}

async function openStage(options: StageOptions, data: { path: string; remove(): Promise<void> }): Promise<Stage> {
  const slack = await createSandboxSlack({ channels: [{ ...CHANNEL, members: [SANDBOX.users.alice] }] });
  const planner = await createSandboxPlanner({ scenario: options.scenario });
  const bot = await startBot({
    PATH: process.env.PATH ?? '',
    SLACK_BOT_TOKEN: slack.setup.botToken,
    SLACK_SIGNING_SECRET: slack.setup.signingSecret,
    SLACK_API_URL: slack.apiUrl,
    ASI_ONE_API_KEY: planner.apiKey,
    ASI_ONE_BASE_URL: planner.baseUrl,
    DATA_DIR: data.path,
    PORT: '0',
    ...options.env,
  });
  slack.setEventsUrl(`${bot.url}/slack/events`);
  return {
    slack,
    planner,
    bot,
    async close() {
      // Slack first: it would go on delivering to a bot that is gone.
      await slack.close();
      await planner.close();
      await bot.kill();
      await data.remove();
    },
  };
}

/** Messages that mention the bot, each the first of a thread, of which it knows nothing yet; their ts. */
export async function writeMentions(slack: SandboxSlack, count: number): Promise<string[]> {
  const members = [SANDBOX.users.alice];
  slack.changeChannel(BENCH_CHANNEL, { members });
  const written: string[] = [];
  for (let index = 0; index < count; index += 1) {
    written.push((await slack.mention({ channel: BENCH_CHANNEL, text: 'what is two and two?' })).ts);
  }
  slack.changeChannel(BENCH_CHANNEL, { members: [...members, SANDBOX.botUserId] });
  return written;
}
