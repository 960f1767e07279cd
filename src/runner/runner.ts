import type { JobHandlers } from '../domain/ports/queue.ts';
import type { RunCommands } from '../domain/ports/run-commands.ts';
import { checkPause } from './check-pause.ts';
import { createRunCommands } from './commands.ts';
import type { RunnerDeps, RunnerParts } from './context.ts';
import { drawMessage } from './draw-message.ts';
import { createEnqueuer } from './enqueuer.ts';
import { createLiveLegs } from './live-legs.ts';
import { takeOverLegs } from './lost-legs.ts';
import { createOutboxSender } from './outbox-sender.ts';
import { redrawPayments } from './payments/redraw-payments.ts';
import { runLeg } from './run-leg.ts';
import { stopWithoutThread } from './stop-run.ts';
import { createSweep, type Sweep } from './sweep.ts';

/**
 * Starts, advances, resumes and ends runs.
 *
 * Owns the legs under way in this process, what is on its way to Slack and the sweep. States: made → started → stopping (no
 * new legs; those under way go on for the grace given, then are interrupted) → stopped.
 */
export type Runner = {
  commands: RunCommands;
  handlers: JobHandlers;
  /**
   * Takes over at once what an earlier process left under way. Before `start`, and only by a process that has the state
   * to itself: where others may be alive, silence tells, and the sweep sees to it.
   */
  takeOver(): Promise<void>;
  /** @param extraRepairs run with each sweep: what other parts have to put right */
  start(extraRepairs?: ReadonlyArray<() => Promise<unknown>>): void;
  /** The policy has changed: cards of open payments say who may decide. */
  redrawPayments(): Promise<void>;
  /** Waits for the legs under way, at most `graceMs`, then interrupts them and waits until that is stored. */
  finishLegs(graceMs: number): Promise<void>;
  /** Ends the sweep and what is on its way to Slack and the queue. */
  stop(): Promise<void>;
};

export function createRunner(base: RunnerDeps): Runner {
  const sender = createOutboxSender({
    outbox: base.store.outbox,
    chat: base.chat,
    draw: (message) => drawMessage(base, message),
    giveWay: base.giveWay,
    onThreadGone: (runId) => stopWithoutThread(deps, runId),
    logger: base.logger,
  });
  const enqueuer = createEnqueuer({ queue: base.queue, runs: base.store.runs, logger: base.logger });
  const liveLegs = createLiveLegs({ runs: base.store.runs, logger: base.logger });
  const deps: RunnerParts = { ...base, sender, enqueuer, liveLegs };
  let sweep: Sweep | undefined;

  return {
    commands: createRunCommands(deps),
    handlers: {
      leg: (runId) => base.giveWay().then(() => runLeg(deps, runId)),
      pauseCheck: (runId) => checkPause(deps, runId),
    },
    takeOver: () => takeOverLegs(deps),
    start(extraRepairs = []) {
      sweep = createSweep(deps, extraRepairs);
      sweep.start();
    },
    redrawPayments: () => redrawPayments(deps),
    async finishLegs(graceMs) {
      liveLegs.close();
      const timer = setTimeout(() => liveLegs.abortAll('shutdown'), graceMs);
      await liveLegs.whenIdle();
      clearTimeout(timer);
    },
    async stop() {
      await sweep?.stop();
      await enqueuer.drain();
      await sender.drain();
    },
  };
}
