import { describe, expect, it } from 'vitest';
import { withinDeadline } from '../../../src/queue/deadline.ts';

describe('a deadline', () => {
  it('passes on what comes in time', async () => {
    await expect(withinDeadline(Promise.resolve(5), 1_000)).resolves.toBe(5);
  });

  it('gives up on what does not come', async () => {
    const never = new Promise<never>(() => undefined);
    await expect(withinDeadline(never, 10)).rejects.toMatchObject({
      code: 'queue_unavailable',
      retryable: true,
      message: 'The queue cannot be used: no answer within 10 ms.',
    });
  });

  it('says why an operation failed, and keeps the cause', async () => {
    const cause = new Error('connection refused');
    await expect(withinDeadline(Promise.reject(cause), 1_000)).rejects.toMatchObject({
      code: 'queue_unavailable',
      message: 'The queue cannot be used: connection refused.',
      cause,
    });
  });
});
