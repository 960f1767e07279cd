import type { Run } from '../domain/run.ts';

/** Whether someone may answer a run's clarification: the person who asked for the run, and nobody else. */
export function mayAnswer({ run, actorId }: { run: Pick<Run, 'requesterId'>; actorId: string }): boolean {
  return run.requesterId === actorId;
}
