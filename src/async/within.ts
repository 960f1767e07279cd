import { sleep } from './sleep.ts';

type Patience<Late> = {
  ms: number;
  /** What stands in for the outcome that did not come in time; throws where there is none. */
  late: () => Late;
  /** Ends the wait early, as if the time had passed. */
  signal?: AbortSignal;
};

/** The work's outcome, or that of `late` once the time has passed. The work goes on; what it comes to then is ignored. */
export async function within<Result, Late>(
  work: Promise<Result>,
  { ms, late, signal }: Patience<Late>,
): Promise<Result | Late> {
  const over = new AbortController();
  const patience = sleep(ms, { signal: signal ? AbortSignal.any([signal, over.signal]) : over.signal });
  try {
    const outcome = await Promise.race([work.then((result) => () => result), patience.then(() => late)]);
    return outcome();
  } finally {
    over.abort();
  }
}
