import { createSandboxPlanner, type SandboxPlanner } from '../../src/sandbox/planner/sandbox-planner.ts';
import { createSandboxSlack, type SandboxSlack } from '../../src/sandbox/slack/sandbox-slack.ts';
import { type BotChild, type ChildEnd, sandboxEnv, startBotChild } from '../support/bot-child.ts';
import { newDataDir } from '../support/embedded-template.ts';

/** A bot in a process of its own, which can be killed, between the two sandboxes. */
export type ChildStage = {
  slack: SandboxSlack;
  planner: SandboxPlanner;
  readonly bot: BotChild;
  /** Base URL of the bot's own HTTP server. */
  readonly botUrl: string;
  env: Record<string, string>;
  /** Starts the bot, again on the same data. */
  start(env?: Record<string, string>): Promise<void>;
  /** SIGKILL, and the bot is gone. */
  kill(): Promise<ChildEnd>;
  close(): Promise<void>;
};

export async function openChildStage(options: { env?: Record<string, string> } = {}): Promise<ChildStage> {
  const slack = await createSandboxSlack();
  const planner = await createSandboxPlanner({ speed: 20 });
  const data = await newDataDir();
  const env = {
    ...sandboxEnv({ slack, planner, state: { DATA_DIR: data.path } }),
    SHUTDOWN_GRACE_MS: '5000',
    ...options.env,
  };
  let bot: BotChild | null = null;
  let botUrl = '';

  function current(): BotChild {
    if (!bot) throw new Error('The bot was never started');
    return bot;
  }

  async function start(more: Record<string, string> = {}): Promise<void> {
    bot = startBotChild({ ...env, ...more });
    botUrl = `http://127.0.0.1:${await bot.started}`;
    slack.setEventsUrl(`${botUrl}/slack/events`);
  }

  await start();
  return {
    slack,
    planner,
    get bot() {
      return current();
    },
    get botUrl() {
      return botUrl;
    },
    env,
    start,
    kill: () => current().end('SIGKILL'),
    async close() {
      await current().end('SIGKILL');
      await planner.close();
      await slack.close();
      await data.remove();
    },
  };
}
