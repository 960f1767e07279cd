import { within } from '../async/within.ts';
import { errorMessage, StewardError } from '../errors.ts';

/**
 * Waits for a queue operation, but not for ever: BullMQ waits without limit for a server that is down. What was given
 * up may still happen later, which does no harm: jobs can be lost or repeated.
 *
 * @throws StewardError `queue_unavailable`, retryable, for a failure as for a timeout
 */
export async function withinDeadline<Result>(operation: Promise<Result>, timeoutMs: number): Promise<Result> {
  const late = (): never => {
    throw new Error(`no answer within ${timeoutMs} ms`);
  };
  try {
    return await within(operation, { ms: timeoutMs, late });
  } catch (cause) {
    const text = `The queue cannot be used: ${errorMessage(cause)}.`;
    throw new StewardError(text, { code: 'queue_unavailable', retryable: true, cause });
  }
}
