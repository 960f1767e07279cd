import type { OutboxStore } from '../domain/ports/store.ts';

/** A killed process' deliveries are taken up after this long; short, because the thread shows an old state meanwhile. */
export const LEASE_MS = 20_000;
const RENEW_MS = 5_000;

/**
 * Keeps the lease of a claimed message while its delivery goes on, so that the lease can be far shorter than the
 * longest call to Slack. A renewal that fails is made up for by the next.
 */
export async function whileLeased<Result>(
  outbox: Pick<OutboxStore, 'renew'>,
  operationId: string,
  deliver: () => Promise<Result>,
): Promise<Result> {
  const timer = setInterval(() => outbox.renew(operationId, LEASE_MS).catch(() => undefined), RENEW_MS);
  try {
    return await deliver();
  } finally {
    clearInterval(timer);
  }
}
