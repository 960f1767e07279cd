import type { Logger } from '../domain/ports/logger.ts';
import type { Leg, RunStore } from '../domain/ports/store.ts';
import type { LegProgress } from './drive-leg.ts';

/** How often what a leg has so far is stored, so that a crash shows it as partial. */
const PROGRESS_INTERVAL_MS = 5000;
const FIRST_SAVE_MS = 250;

/** Keeps the newest progress of a leg; owns a timer until closed. */
export type ProgressSaver = { note(progress: LegProgress): void; close(): Promise<void> };

/** Stores progress now and then, so that after a crash the thread can show what had arrived. */
export function createProgressSaver(input: {
  runs: Pick<RunStore, 'saveProgress'>;
  logger: Logger;
  leg: Leg;
  /** The leg belongs to another process now. */
  onLost: () => void;
}): ProgressSaver {
  let latest: LegProgress | null = null;
  let saving = Promise.resolve();
  let timer: NodeJS.Timeout | null = null;

  function saveLatest(): void {
    const progress = latest;
    latest = null;
    if (progress) saving = save(progress);
    timer = setTimeout(saveLatest, PROGRESS_INTERVAL_MS);
  }

  async function save(progress: LegProgress): Promise<void> {
    try {
      const kept = await input.runs.saveProgress(input.leg, { plan: progress.plan(), answer: progress.text });
      if (!kept) input.onLost();
    } catch (error) {
      input.logger.warn({ err: error }, 'progress_not_saved');
    }
  }

  return {
    note(progress) {
      latest = progress;
      // The plan's beginning soon: a crash in the first seconds would otherwise leave nothing of it.
      timer ??= setTimeout(saveLatest, FIRST_SAVE_MS);
    },
    async close() {
      if (timer) clearTimeout(timer);
      await saving;
    },
  };
}
