/** Carries work to the workers. Jobs hold a run id and nothing else; losing or repeating one does no harm. */
export interface RunQueue {
  /** Adds a job that starts the run's next leg. `epoch` is the run's epoch now, so that each leg has one job. */
  addLegs(legs: ReadonlyArray<{ runId: string; epoch: number }>): Promise<void>;
  /** Adds a job that looks at the run's open pause after `delayMs`: whether to remind of it or to expire it. */
  addPauseCheck(runId: string, delayMs: number): Promise<void>;
  /** Jobs waiting, delayed ones not counted. */
  depth(): Promise<number>;
  /** Rejects when the queue's server does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** What a worker does with jobs. A handler that throws has its job tried again with backoff. */
export type JobHandlers = {
  leg(runId: string): Promise<void>;
  pauseCheck(runId: string): Promise<void>;
};

export interface RunWorker {
  /** Takes no new jobs; those under way go on. */
  pause(): Promise<void>;
  /** Takes no new jobs and waits for those under way. */
  close(): Promise<void>;
}
