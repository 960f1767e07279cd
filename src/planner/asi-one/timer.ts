/** Calls back once after `delayMs`; the returned function calls it off. */
export type SetTimer = (callback: () => void, delayMs: number) => () => void;

export const setNodeTimer: SetTimer = (callback, delayMs) => {
  const timer = setTimeout(callback, delayMs);
  return () => clearTimeout(timer);
};

/** Resolves after `delayMs`, or as soon as the signal is aborted. */
export function waitFor(delayMs: number, signal: AbortSignal, setTimer: SetTimer): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const finish = (): void => {
      cancel();
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const cancel = setTimer(finish, delayMs);
    signal.addEventListener('abort', finish);
  });
}
