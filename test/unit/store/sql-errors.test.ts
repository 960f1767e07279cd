import { createServer } from 'node:net';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { createStore } from '../../../src/store/store.ts';

/** A port on which nobody listens. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('The server had no port');
  return address.port;
}

describe('errors of the database', () => {
  it('says of a database that cannot be reached that it may come back', async () => {
    const pool = new pg.Pool({ host: '127.0.0.1', port: await closedPort(), user: 'postgres' });
    await expect(createStore(pool)).rejects.toMatchObject({
      name: 'StewardError',
      code: 'store_unavailable',
      retryable: true,
      message: expect.stringContaining('ECONNREFUSED'),
      cause: { code: 'ECONNREFUSED' },
    });
    await pool.end();
  });
});
