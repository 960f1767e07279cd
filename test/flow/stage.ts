import { type DestinationStream, pino } from 'pino';
import { afterAll, beforeAll } from 'vitest';
import { type App, createApp, type Role } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { createLogger } from '../../src/log.ts';
import {
  createSandboxPlanner,
  type SandboxPlanner,
  type SandboxPlannerOptions,
} from '../../src/sandbox/planner/sandbox-planner.ts';
import type { SandboxMessage } from '../../src/sandbox/slack/history.ts';
import { createSandboxSlack, type SandboxSlack } from '../../src/sandbox/slack/sandbox-slack.ts';
import type { SandboxSlackOptions } from '../../src/sandbox/slack/setup.ts';
import { openPool } from '../../src/store/connection/open-pool.ts';
import { newDataDir } from '../support/embedded-template.ts';

/** A bot with its real parts, between a sandbox Slack and a sandbox planner. */
export type Stage = {
  slack: SandboxSlack;
  planner: SandboxPlanner;
  /** Base URL of the bot's own HTTP server. */
  readonly botUrl: string;
  readonly dataDir: string;
  /** Ends the bot as SIGTERM does. */
  stopBot(): Promise<void>;
  /** Starts it again on the same data; `role` for this time only. */
  startBot(env?: Record<string, string>, role?: Role): Promise<void>;
  /** Reads the policy file again, as SIGHUP does. */
  reloadPolicy(): Promise<void>;
  /** Ends everything and removes the data. */
  close(): Promise<void>;
};

export type StageOptions = {
  transport?: 'http' | 'socket';
  env?: Record<string, string>;
  slack?: SandboxSlackOptions;
  planner?: SandboxPlannerOptions;
  role?: Role;
  /** Takes the log from `logLevel` on (default `info`), as the process writes it. */
  log?: DestinationStream;
  logLevel?: string;
};

/** Short pauses, so that tests wait for states and not for settings; every one is a setting an operator has too. */
const TEST_ENV = {
  STATUS_EDIT_INTERVAL_MS: '50',
  WORKSPACE_EDITS_PER_MINUTE: '6000',
  SHUTDOWN_GRACE_MS: '5000',
  PORT: '0',
  LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
};

export async function openStage(options: StageOptions = {}): Promise<Stage> {
  const slack = await createSandboxSlack(options.slack);
  const planner = await createSandboxPlanner({ speed: 20, ...options.planner });
  const data = await newDataDir();
  const { transport = 'http' } = options;
  let app: App | null = null;
  let botUrl = '';

  async function startBot(env: Record<string, string> = {}, role = options.role ?? 'both'): Promise<void> {
    const config = loadConfig({
      SLACK_BOT_TOKEN: slack.setup.botToken,
      ...(transport === 'socket' ? { SLACK_APP_TOKEN: slack.setup.appToken } : {}),
      SLACK_SIGNING_SECRET: slack.setup.signingSecret,
      SLACK_API_URL: slack.apiUrl,
      ASI_ONE_API_KEY: planner.apiKey,
      ASI_ONE_BASE_URL: planner.baseUrl,
      DATA_DIR: data.path,
      ...TEST_ENV,
      ...options.env,
      ...env,
    });
    const logger = options.log
      ? createLogger(options.logLevel ?? 'info', options.log)
      : pino({ level: config.logLevel });
    app = await createApp(config, { pool: await openPool(config.state, logger), logger, role });
    botUrl = `http://127.0.0.1:${await app.start()}`;
    if (transport === 'http') slack.setEventsUrl(`${botUrl}/slack/events`);
    else await slack.waitFor(() => slack.socketCount() > 0);
  }

  async function stopBot(): Promise<void> {
    const stopping = app;
    app = null;
    await stopping?.stop();
  }

  await startBot();
  return {
    slack,
    planner,
    get botUrl() {
      return botUrl;
    },
    dataDir: data.path,
    stopBot,
    startBot,
    async reloadPolicy() {
      await app?.reloadPolicy();
    },
    async close() {
      await stopBot();
      await planner.close();
      await slack.close();
      await data.remove();
    },
  };
}

/** A stage for the tests of a file or suite: open while they run. */
export function useStage(options: StageOptions = {}): Stage {
  let opened: Stage | undefined;
  beforeAll(async () => {
    opened = await openStage(options);
  });
  afterAll(() => opened?.close());

  function stage(): Stage {
    if (!opened) throw new Error('The stage is open only while tests run');
    return opened;
  }

  return {
    get slack() {
      return stage().slack;
    },
    get planner() {
      return stage().planner;
    },
    get botUrl() {
      return stage().botUrl;
    },
    get dataDir() {
      return stage().dataDir;
    },
    stopBot: () => stage().stopBot(),
    startBot: (env, role) => stage().startBot(env, role),
    reloadPolicy: () => stage().reloadPolicy(),
    close: () => stage().close(),
  };
}

/** Everything that a message shows, its text and its blocks, as one string. */
export function shown(message: SandboxMessage): string {
  return `${message.text}\n${JSON.stringify(message.blocks)}`;
}
