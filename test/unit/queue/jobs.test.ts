import { describe, expect, it } from 'vitest';
import { legJob, pauseCheckJob } from '../../../src/queue/jobs.ts';

describe('a job', () => {
  it('holds the run’s id and nothing else', () => {
    expect(legJob({ runId: 'r', epoch: 2 })).toMatchObject({ name: 'leg', data: { runId: 'r' } });
    expect(pauseCheckJob('r', { delayMs: 10, nowMs: 0 }).data).toEqual({ runId: 'r' });
  });

  it('is one per run and epoch, or per run and deadline', () => {
    expect(legJob({ runId: 'r', epoch: 2 }).opts.jobId).toBe('leg-r-2');
    expect(pauseCheckJob('r', { delayMs: 30_000, nowMs: 1_000 }).opts.jobId).toBe('pause-check-r-31');
    expect(pauseCheckJob('r', { delayMs: 60_000, nowMs: 1_000 }).opts.jobId).toBe('pause-check-r-61');
  });

  it('is another one in each lifetime of a process that is alone', () => {
    expect(legJob({ runId: 'r', epoch: 2 }, 'second').opts.jobId).toBe('leg-r-2-second');
  });

  it('is due at once when its deadline has passed', () => {
    expect(pauseCheckJob('r', { delayMs: -5, nowMs: 1_000 }).opts.delay).toBe(0);
  });
});
