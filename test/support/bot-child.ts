import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { SandboxPlanner } from '../../src/sandbox/planner/sandbox-planner.ts';
import type { SandboxSlack } from '../../src/sandbox/slack/sandbox-slack.ts';

/** How a process ended: one of the two is null. */
export type ChildEnd = { code: number | null; signal: NodeJS.Signals | null };

/** The bot in a process of its own, as `npm start` runs it, with all that it said. */
export type BotChild = {
  readonly stdout: string[];
  readonly stderr: string[];
  /** Resolves with the bot's HTTP port when it serves; rejects with what it said when it ends before that. */
  readonly started: Promise<number>;
  readonly ended: Promise<ChildEnd>;
  /** The first line of stdout, said already or to come, that matches. */
  line(match: (entry: { msg: string }) => boolean): Promise<void>;
  /** Sends a signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<ChildEnd>;
  signal(signal: NodeJS.Signals): void;
};

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The environment of a bot between the two sandboxes, with its own `state`: quick edits, a short end, any port. */
export function sandboxEnv(on: {
  slack: SandboxSlack;
  planner: SandboxPlanner;
  state: { DATABASE_URL: string } | { DATA_DIR: string };
}): Record<string, string> {
  return {
    SLACK_BOT_TOKEN: on.slack.setup.botToken,
    SLACK_SIGNING_SECRET: on.slack.setup.signingSecret,
    SLACK_API_URL: on.slack.apiUrl,
    ASI_ONE_API_KEY: on.planner.apiKey,
    ASI_ONE_BASE_URL: on.planner.baseUrl,
    ...on.state,
    STATUS_EDIT_INTERVAL_MS: '50',
    WORKSPACE_EDITS_PER_MINUTE: '6000',
    SHUTDOWN_GRACE_MS: '1000',
    PORT: '0',
  };
}

/** Starts the bot with this environment and no other, but for PATH. */
export function startBotChild(env: Record<string, string>, args: readonly string[] = []): BotChild {
  const child = spawn(process.execPath, ['--import', 'tsx', 'src/main.ts', ...args], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stdout: string[] = [];
  const stderr: string[] = [];
  const watchers = new Set<(line: string) => void>();
  keepLines(child.stdout, (line) => {
    stdout.push(line);
    for (const watch of [...watchers]) watch(line);
  });
  keepLines(child.stderr, (line) => stderr.push(line));
  const ended = once(child, 'close').then(([code, signal]): ChildEnd => ({ code, signal }));

  function line(match: (entry: { msg: string }) => boolean): Promise<void> {
    return new Promise((resolve) => {
      const watch = (text: string) => {
        const entry = readEntry(text);
        if (!entry || !match(entry)) return;
        watchers.delete(watch);
        resolve();
      };
      watchers.add(watch);
      for (const text of stdout) watch(text);
    });
  }

  const early = ended.then((end): never => {
    throw new Error(`The bot ended (${JSON.stringify(end)}):\n${[...stdout, ...stderr].join('\n')}`);
  });
  early.catch(() => undefined); // carried by `started` while the bot starts; later `ended` tells it
  const started = Promise.race([line((entry) => entry.msg === 'started').then(() => portOf(stdout)), early]);
  started.catch(() => undefined); // whoever starts a bot that must not start never looks at it
  return {
    stdout,
    stderr,
    started,
    ended,
    line,
    signal: (signal) => void child.kill(signal),
    async end(signal) {
      if (isRunning(child)) child.kill(signal);
      return ended;
    },
  };
}

function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}

function keepLines(stream: NodeJS.ReadableStream, keep: (line: string) => void): void {
  createInterface({ input: stream }).on('line', keep);
}

function readEntry(line: string): { msg: string; port?: unknown } | null {
  try {
    const entry: unknown = JSON.parse(line);
    return typeof entry === 'object' && entry !== null && 'msg' in entry ? { ...entry, msg: String(entry.msg) } : null;
  } catch {
    return null; // not a log line
  }
}

function portOf(stdout: readonly string[]): number {
  const port = stdout.map(readEntry).find((entry) => entry?.msg === 'started')?.port;
  if (typeof port !== 'number') throw new Error('The bot did not say its port');
  return port;
}
