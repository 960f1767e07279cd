import { StewardError } from '../errors.ts';

/**
 * The promise's outcome, or a retryable `StewardError` once `ms` have passed. The work behind it goes on; a later
 * failure of it is the caller's to observe.
 */
export async function within<T>(work: Promise<T>, ms: number, message: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new StewardError(message, { code: 'store_unavailable', retryable: true })), ms);
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
