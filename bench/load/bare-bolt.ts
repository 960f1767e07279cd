import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A Bolt app that stores nothing, in a process of its own. */
export async function startBareBolt(): Promise<{ url: string; close(): void }> {
  const child = fork(fileURLToPath(new URL('./bare-bolt-process.ts', import.meta.url)), {
    execArgv: ['--import', import.meta.resolve('tsx')],
  });
  const [port] = await once(child, 'message');
  return { url: `http://127.0.0.1:${String(port)}`, close: () => child.disconnect() };
}
