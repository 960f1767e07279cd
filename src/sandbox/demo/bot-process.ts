import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/**
 * The bot, as `npm start` runs it: a process of its own. The demo is in `sandbox/`, which never imports the product,
 * and signals, exit and memory are those of real life.
 *
 * States: starting → ready → ended.
 */
export type BotProcess = {
  readonly pid: number;
  /** Resolves when the bot serves; rejects with its last words when it ends before that. */
  readonly ready: Promise<void>;
  /** Resolves with the reason when the process ends. */
  readonly ended: Promise<string>;
  /** Its last warnings and bare text, as one paragraph; empty when there were none. */
  lastWords(): string;
  /** Asks it to end and waits; after `KILL_AFTER_MS` it is killed. */
  stop(): Promise<void>;
};

const KILL_AFTER_MS = 8_000;
const LAST_WORDS = 5;
const WARNING_LEVEL = 40;

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const PRELOAD = new URL('./exit-with-parent.ts', import.meta.url).href;

/** Starts the bot with exactly this environment. */
export function startBot(env: Record<string, string>): BotProcess {
  const child = spawn(process.execPath, ['--import', 'tsx', '--import', PRELOAD, 'src/main.ts'], {
    cwd: ROOT,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const { ready, lastWords } = readOutput(child);
  const ended = once(child, 'exit').then(([code, signal]) => describeEnd(code ?? signal, lastWords));
  const endedEarly = ended.then((reason) => Promise.reject(new Error(reason)));
  const settled = Promise.race([ready, endedEarly]);
  // Who does not wait for the start hears of the end by `ended`.
  for (const promise of [endedEarly, settled]) promise.catch(() => undefined);
  return {
    pid: child.pid ?? 0,
    ready: settled,
    ended,
    lastWords: () => quote(lastWords),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      signalGroup(child, 'SIGTERM');
      const timeout = new AbortController();
      const late = delay(KILL_AFTER_MS, true, { signal: timeout.signal }).catch(() => false);
      if (await Promise.race([ended.then(() => false), late])) signalGroup(child, 'SIGKILL');
      timeout.abort();
      await ended;
    },
  };
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid !== undefined) process.kill(-child.pid, signal);
}

/** The bot logs JSON lines; `started` says that it serves. Warnings and bare text are kept as its last words. */
function readOutput(child: ChildProcess): { ready: Promise<void>; lastWords: string[] } {
  const lastWords: string[] = [];
  const keep = (line: string) => {
    lastWords.push(line);
    if (lastWords.length > LAST_WORDS) lastWords.shift();
  };
  const ready = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      if (!stream) continue;
      createInterface({ input: stream }).on('line', (line) => {
        const entry = readEntry(line);
        if (entry?.msg === 'started') resolve();
        if (!entry) keep(line);
        else if (entry.level >= WARNING_LEVEL) keep(`${entry.msg}: ${entry.reason}`);
      });
    }
  });
  return { ready, lastWords };
}

type LogEntry = { level: number; msg: string; reason: string };

function readEntry(line: string): LogEntry | null {
  try {
    const { level, msg, err, reason } = JSON.parse(line);
    if (typeof level !== 'number' || typeof msg !== 'string') return null;
    return { level, msg, reason: String(err?.message ?? reason ?? '') };
  } catch {
    return null; // not a log line: bare text, which the caller keeps
  }
}

function describeEnd(how: unknown, lastWords: string[]): string {
  return `The bot ended (${String(how)}). ${quote(lastWords)}`.trimEnd();
}

function quote(lastWords: string[]): string {
  return lastWords.length > 0 ? `The bot last said:\n${lastWords.join('\n')}` : '';
}
