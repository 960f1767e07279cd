import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { readArguments, USAGE, UsageError } from './arguments.ts';
import { type Demo, startDemo } from './demo.ts';
import { createTerminalLook, PLAIN } from './look.ts';

/** Kept between demos, because making a database takes longer than all the rest. */
const DATA_DIR = fileURLToPath(new URL('../../../data/demo', import.meta.url));
const REQUEST = 'Find a venue in Lisbon for a 12-person offsite in October';
/** What the demo's own request goes through. */
const MUST_ASK = ['question', 'payment', 'card'] as const;
/** Longest wait for the next change of the thread before the demo gives up. */
const ONCE_TIMEOUT_MS = 60_000;
/** As good as for ever: the longest a timer takes. */
const SERVE_TIMEOUT_MS = 2_147_483_647;
/** sysexits.h EX_USAGE, and the shell's code for an end by Ctrl-C. */
const EXIT_USAGE = 64;
const EXIT_INTERRUPTED = 130;

const look = process.stdout.isTTY ? createTerminalLook(process.stdout) : PLAIN;

const write = (line: string) => void process.stdout.write(`${line}\n`);
/** Writes a line of the demo's own, in contrast to the thread's. */
const say = (line: string) => write(look.fit(line, 0));

/** Resolves at the first Ctrl-C or SIGTERM; later ones change nothing (npm and tsx send it on once more). */
function waitForSignal(): Promise<'signal'> {
  return new Promise((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => resolve('signal'));
  });
}

async function runOnce(demo: Demo, text: string): Promise<number> {
  return (await ask(demo, text, ONCE_TIMEOUT_MS)) ? 0 : 1;
}

/** Asks, and tells how it came out. */
async function ask(demo: Demo, text: string, timeoutMs: number): Promise<boolean> {
  const { ok, summary } = await demo.ask(text, { timeoutMs, mustAsk: text === REQUEST ? MUST_ASK : [] });
  write('');
  say(look.strong(summary));
  return ok;
}

/** Asks the first request, then serves. With a terminal, each line typed is a new request in a new thread. */
async function serve(demo: Demo, text: string): Promise<number> {
  await ask(demo, text, SERVE_TIMEOUT_MS);
  write('');
  say(look.faint(`The sandbox Slack serves at ${demo.slackUrl}, the sandbox planner at ${demo.plannerUrl}.`));
  if (!process.stdin.isTTY) say('Ctrl-C ends it all.');
  else {
    say('Type a request and press Enter; Ctrl-C ends it all.');
    say(
      look.faint(
        'With [scenario:payment-options] in it, another script plays; src/sandbox/planner/README.md lists all.',
      ),
    );
    for await (const line of createInterface({ input: process.stdin })) {
      if (line.trim() !== '') askMore(demo, line.trim());
    }
  }
  return new Promise(() => undefined); // until the signal, or the end of the bot
}

/** Does not wait: several requests may run at once, each in a thread of its own. */
function askMore(demo: Demo, text: string): void {
  ask(demo, text, SERVE_TIMEOUT_MS).catch(fail);
}

function fail(error: unknown): void {
  process.stderr.write(`The demo failed: ${error instanceof Error ? error.message : String(error)}\n`);
}

async function runDemo(demo: Demo, options: { once: boolean; text: string }): Promise<number> {
  await demo.ready;
  say('The bot is up. It follows a script here: your words are quoted, not understood.');
  say('This is the Slack thread; "edit" is what changed in a message that is already there.');
  write('');
  return options.once ? runOnce(demo, options.text) : serve(demo, options.text);
}

async function main(): Promise<number> {
  const args = process.argv.slice(2);
  if (args.includes('--help') || args.includes('-h')) {
    write(USAGE);
    return 0;
  }
  const { once, request } = readArguments(args);
  const signal = waitForSignal();
  say('Starting the sandbox Slack, the sandbox planner and the bot…');
  if (!existsSync(DATA_DIR)) say('Creating the database, once; this takes some seconds…');
  const demo = await startDemo({ write, look, dataDir: DATA_DIR });
  try {
    const botEnded = demo.botEnded.then((reason) => Promise.reject(new Error(reason)));
    const end = await Promise.race([runDemo(demo, { once, text: request ?? REQUEST }), signal, botEnded]);
    if (end !== 'signal') return end;
    say('Stopping…');
    return once ? EXIT_INTERRUPTED : 0;
  } finally {
    await demo.stop();
  }
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    fail(error);
    if (error instanceof UsageError) process.stderr.write(`${USAGE}\n`);
    process.exit(error instanceof UsageError ? EXIT_USAGE : 1);
  },
);
