import { createHmac } from 'node:crypto';
import { Pool } from 'undici';
import type { Load, LoadResult } from './generator.ts';

function sign(body: string, { signingSecret, timestampS }: { signingSecret: string; timestampS: number }) {
  const digest = createHmac('sha256', signingSecret).update(`v0:${timestampS}:${body}`).digest('hex');
  return { 'x-slack-request-timestamp': String(timestampS), 'x-slack-signature': `v0=${digest}` };
}

/** Signs everything first and opens all connections, so that the clock sees nothing but requests and answers. */
async function send({ url, signingSecret, connections, bodies, maxMs }: Load): Promise<LoadResult> {
  const { origin, pathname: path } = new URL(url);
  const timestampS = Math.floor(Date.now() / 1_000);
  const requests = bodies.map((body) => ({
    body,
    headers: { 'content-type': 'application/json', ...sign(body, { signingSecret, timestampS }) },
  }));
  const pool = new Pool(origin, { connections, pipelining: 1, headersTimeout: 60_000 });
  const warmUp = async () => (await pool.request({ path: '/healthz', method: 'GET' })).body.dump();
  await Promise.all(Array.from({ length: connections }, warmUp));

  const result: LoadResult = { ackMs: [], refused: 0, elapsedMs: 0 };
  const waiting = requests.values();
  const startedAt = performance.now();
  async function sendOneByOne(): Promise<void> {
    for (const { body, headers } of waiting) {
      const sentAt = performance.now();
      if (sentAt - startedAt > maxMs) return;
      const answer = await pool.request({ path, method: 'POST', headers, body });
      await answer.body.dump();
      if (answer.statusCode >= 200 && answer.statusCode < 300) result.ackMs.push(performance.now() - sentAt);
      else result.refused += 1;
    }
  }
  await Promise.all(Array.from({ length: connections }, sendOneByOne));
  result.elapsedMs = performance.now() - startedAt;
  await pool.close();
  return result;
}

process.on('message', (load: Load) => {
  send(load).then(
    (result) => process.send?.(result),
    (error: unknown) => {
      process.stderr.write(`The load generator failed: ${String(error)}\n`);
      process.exit(1);
    },
  );
});
