/** Calls back once after `delayMs` and answers with what calls it off. A parameter wherever tests hold the clock. */
export type SetTimer = (callback: () => void, delayMs: number) => () => void;

/** The real timer. */
export const startTimer: SetTimer = (callback, delayMs) => {
  const timer = setTimeout(callback, delayMs);
  return () => clearTimeout(timer);
};
