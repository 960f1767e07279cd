import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Beside `node_modules`' packages, so that the compiled bot finds them, and away from `dist/`, which may be in use. */
const OUT_DIR = fileURLToPath(new URL('../../node_modules/.cache/steward-bench/', import.meta.url));

/** The bot as `npm start` runs it: compiled, in a process of its own, logging at its default level. */
export type BotProcess = {
  url: string;
  /** From the start of the process until `/readyz` answered 200. */
  readyAfterMs: number;
  /** Resident memory of the process now, from its own metrics, in bytes. */
  residentBytes(): Promise<number>;
  /** Warnings and errors that it logged. */
  complaints: readonly string[];
  /** Ends it at once; what it had under way is of no further interest. */
  kill(): Promise<void>;
  /** Ends it as an operator does. */
  stop(): Promise<void>;
};

/** Compiles the bot. @throws with what the compiler says */
export async function buildBot(): Promise<void> {
  const compiler = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));
  const args = [compiler, '-p', 'tsconfig.build.json', '--outDir', OUT_DIR];
  await promisify(execFile)(process.execPath, args, { cwd: ROOT }).catch((error: { stdout?: string }) => {
    throw new Error(`The bot does not compile:\n${error.stdout ?? ''}`, { cause: error });
  });
  await writeFile(`${OUT_DIR}package.json`, '{ "type": "module" }\n');
}

/** Starts the compiled bot with exactly this environment; resolves when it is ready. */
export async function startBot(env: Record<string, string>): Promise<BotProcess> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [`${OUT_DIR}main.js`], {
    cwd: OUT_DIR,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const complaints: string[] = [];
  const url = `http://127.0.0.1:${await readPort(child, complaints)}`;
  await readUntilReady(url);
  return {
    url,
    readyAfterMs: performance.now() - startedAt,
    residentBytes: () => readResidentBytes(url),
    complaints,
    kill: () => end(child, 'SIGKILL'),
    stop: () => end(child, 'SIGTERM'),
  };
}

/** Reads the bot's log for as long as it lives; the port stands in its line `started`. */
function readPort(child: ChildProcess, complaints: string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code, signal) => {
      reject(new Error(`The bot ended (${code ?? signal}) before it was ready.\n${complaints.join('\n')}`));
    });
    if (!child.stdout) throw new TypeError('The bot has no stdout');
    createInterface({ input: child.stdout }).on('line', (line) => {
      const { msg, port, level } = JSON.parse(line) as { msg?: unknown; port?: unknown; level?: unknown };
      if (msg === 'started' && typeof port === 'number') resolve(port);
      if (typeof level === 'number' && level >= 40) complaints.push(line);
    });
  });
}

async function readUntilReady(url: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`${url}/readyz`);
    await answer.arrayBuffer();
    if (answer.ok) return;
  }
}

async function readResidentBytes(url: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const bytes = /^process_resident_memory_bytes (\d+)/m.exec(metrics)?.[1];
  if (bytes === undefined) throw new Error('The bot does not tell its resident memory');
  return Number(bytes);
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}
