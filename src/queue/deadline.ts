import { errorMessage, StewardError } from '../errors.ts';

/**
 * Waits for a queue operation, but not for ever: BullMQ waits without limit for a server that is down. What was given
 * up may still happen later, which does no harm: jobs can be lost or repeated.
 *
 * @throws StewardError `queue_unavailable`, retryable, for a failure as for a timeout
 */
export async function withinDeadline<Result>(operation: Promise<Result>, timeoutMs: number): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    return await Promise.race([operation, timeout]);
  } catch (cause) {
    const text = `The queue cannot be used: ${errorMessage(cause)}.`;
    throw new StewardError(text, { code: 'queue_unavailable', retryable: true, cause });
  } finally {
    clearTimeout(timer);
  }
}
