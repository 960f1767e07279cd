import { type SetTimer, startTimer } from './timer.ts';

/** Resolves after `ms`, or as soon as the signal is aborted. */
export function sleep(ms: number, options: { signal?: AbortSignal; setTimer?: SetTimer } = {}): Promise<void> {
  const { signal, setTimer = startTimer } = options;
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const finish = (): void => {
      cancel();
      signal?.removeEventListener('abort', finish);
      resolve();
    };
    const cancel = setTimer(finish, ms);
    signal?.addEventListener('abort', finish);
  });
}
