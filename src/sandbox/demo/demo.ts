import { createSandboxPlanner } from '../planner/sandbox-planner.ts';
import { createSandboxSlack } from '../slack/sandbox-slack.ts';
import { startBot } from './bot-process.ts';
import { botEnvironment } from './environment.ts';
import { type Look, PLAIN } from './look.ts';
import { type DemoRequest, type RequestResult, runRequest } from './run-request.ts';

/** The whole product on this machine: sandbox Slack, sandbox planner, and the bot as a process of its own. */
export type Demo = {
  readonly slackUrl: string;
  readonly plannerUrl: string;
  readonly botPid: number;
  /** Resolves when the bot serves; rejects with the reason when it does not. */
  readonly ready: Promise<void>;
  /** Resolves with the reason when the bot ends. */
  readonly botEnded: Promise<string>;
  /** Rejects with the reason and the bot's last words when the thread does not get on. */
  ask(text: string, options: Omit<DemoRequest, 'text'>): Promise<RequestResult>;
  /** Ends the bot first, so that it can still tell the sandbox, then the sandbox. */
  stop(): Promise<void>;
};

/** Starts the sandbox, then the bot; does not wait for the bot. */
export async function startDemo(options: {
  write: (line: string) => void;
  dataDir: string;
  look?: Look;
}): Promise<Demo> {
  const { write, look = PLAIN, dataDir } = options;
  const [slack, planner] = await Promise.all([
    createSandboxSlack(),
    createSandboxPlanner({ scenario: 'clarify-payment-card' }),
  ]);
  const bot = startBot(
    botEnvironment(process.env, {
      slackApiUrl: slack.apiUrl,
      botToken: slack.setup.botToken,
      appToken: slack.setup.appToken,
      plannerUrl: planner.baseUrl,
      plannerKey: planner.apiKey,
      dataDir,
    }),
  );
  return {
    slackUrl: slack.baseUrl,
    plannerUrl: planner.baseUrl,
    botPid: bot.pid,
    ready: bot.ready,
    botEnded: bot.ended,
    async ask(text, options) {
      try {
        return await runRequest({ slack, planner, write, look }, { text, ...options });
      } catch (error) {
        throw new Error(`${errorText(error)}\n${bot.lastWords() || 'The bot logged no warning.'}`, { cause: error });
      }
    },
    async stop() {
      await bot.stop();
      await Promise.all([slack.close(), planner.close()]);
    },
  };
}

function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
