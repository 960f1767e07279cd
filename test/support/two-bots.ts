import { createSandboxPlanner, type SandboxPlanner } from '../../src/sandbox/planner/sandbox-planner.ts';
import { createSandboxSlack, type SandboxSlack } from '../../src/sandbox/slack/sandbox-slack.ts';
import { type BotChild, sandboxEnv, startBotChild } from './bot-child.ts';
import { createDatabase } from './server-database.ts';

/** One of several bot processes. */
export type Bot = { child: BotChild; url: string };

/** Bot processes on one PostgreSQL, each of which can be handed what people do. */
export type TwoBots = {
  slack: SandboxSlack;
  planner: SandboxPlanner;
  databaseUrl: string;
  bots: Bot[];
  /** Starts one more; with its own settings, if any. */
  start(env?: Record<string, string>): Promise<Bot>;
  /** Does something whose delivery goes to this process. `act` must hand it over before it first waits. */
  at<Result>(bot: Bot | undefined, act: () => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
};

export async function openTwoBots(options: { serverUrl: string; env?: Record<string, string> }): Promise<TwoBots> {
  const slack = await createSandboxSlack();
  const planner = await createSandboxPlanner({ speed: 20 });
  const database = await createDatabase(options.serverUrl);
  const bots: Bot[] = [];

  async function start(env: Record<string, string> = {}): Promise<Bot> {
    const sandbox = sandboxEnv({ slack, planner, state: { DATABASE_URL: database.url } });
    const child = startBotChild({ ...sandbox, ...options.env, ...env });
    const bot = { child, url: `http://127.0.0.1:${await child.started}/slack/events` };
    bots.push(bot);
    slack.setEventsUrl(bot.url);
    return bot;
  }

  await Promise.all([start(), start()]);
  return {
    slack,
    planner,
    databaseUrl: database.url,
    bots,
    start,
    at(bot, act) {
      if (!bot) throw new Error('There is no such bot');
      slack.setEventsUrl(bot.url);
      return act();
    },
    async close() {
      await Promise.all(bots.map(({ child }) => child.end('SIGKILL')));
      await planner.close();
      await slack.close();
      await database.drop();
    },
  };
}
