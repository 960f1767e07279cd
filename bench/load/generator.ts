import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Events to send to one URL, over kept connections, each of which sends its next when its last was answered. */
export type Load = { url: string; signingSecret: string; connections: number; bodies: string[]; maxMs: number };

/** What came of it. `ackMs` has the time of each event that was answered with 2xx. */
export type LoadResult = { ackMs: number[]; refused: number; elapsedMs: number };

/** Sends loads from a process of its own, so that it shares no event loop with what it measures. */
export type LoadGenerator = { send(load: Load): Promise<LoadResult>; close(): void };

export function startLoadGenerator(): LoadGenerator {
  const child = fork(fileURLToPath(new URL('./generator-process.ts', import.meta.url)), {
    execArgv: ['--import', import.meta.resolve('tsx')],
  });
  return {
    async send(load) {
      const answered = once(child, 'message');
      child.send(load);
      const [result] = await answered;
      // The one thing that generator-process.ts sends.
      return result as LoadResult;
    },
    close: () => child.disconnect(),
  };
}
