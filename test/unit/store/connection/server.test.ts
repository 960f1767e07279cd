import { once } from 'node:events';
import { createServer } from 'node:net';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { openServerPool } from '../../../../src/store/connection/server.ts';

const logger = pino({ level: 'silent' });

/** A port on which nothing listens any more. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('There is no port');
  return address.port;
}

describe('a PostgreSQL server that cannot be used', () => {
  it('is named with the reason and without the password', async () => {
    const port = await closedPort();
    const opening = openServerPool({ databaseUrl: `postgres://me:hidden@127.0.0.1:${port}/steward`, logger });
    const error: unknown = await opening.catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'store_unavailable', retryable: true });
    expect(String(error)).toContain(`127.0.0.1:${port}/steward`);
    expect(String(error)).toContain('ECONNREFUSED');
    expect(String(error)).not.toContain('hidden');
  });

  it('is reported when its address cannot be read', async () => {
    const opening = openServerPool({ databaseUrl: 'postgres://me:hidden@:x/steward', logger });
    const error: unknown = await opening.catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'store_unavailable' });
    expect(String(error)).not.toContain('hidden');
  });
});
