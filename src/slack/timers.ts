/** Milliseconds since the epoch. */
export type Now = () => number;

/** Calls back once after `delayMs` and answers with what cancels it. */
export type SetTimer = (callback: () => void, delayMs: number) => () => void;

/** The real timer. It does not keep a process alive: an edit that is still due is no reason to stay. */
export const startTimer: SetTimer = (callback, delayMs) => {
  const timer = setTimeout(callback, delayMs);
  timer.unref();
  return () => clearTimeout(timer);
};
