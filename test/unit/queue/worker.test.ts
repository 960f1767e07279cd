import { WaitingError } from 'bullmq';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import type { QueueBackend, RunJob } from '../../../src/queue/backend.ts';
import { startRunWorker } from '../../../src/queue/worker.ts';

/** A backend that hands over jobs when told to, and says what its consumer was asked. */
function createFakeBackend() {
  const asked: string[] = [];
  let process: ((job: RunJob) => Promise<void>) | null = null;
  const consumer = {
    on: () => consumer,
    pause: async () => void asked.push('pause'),
    close: async () => void asked.push('close'),
  };
  const backend: QueueBackend = {
    producer: {
      addBulk: () => Promise.reject(new Error('not set up')),
      getWaitingCount: () => Promise.reject(new Error('not set up')),
      close: () => Promise.reject(new Error('not set up')),
    },
    createConsumer(take) {
      process = take;
      return consumer;
    },
    patienceMs: 100,
  };
  const hand = async (job: RunJob) => {
    if (!process) throw new Error('No worker was started');
    return process(job);
  };
  return { backend, asked, hand };
}

function createJob(name: 'leg' | 'pause-check', givenBack: string[] = []): RunJob {
  return {
    id: `${name}-1`,
    name,
    data: { runId: 'r' },
    token: 'token-1',
    attemptsMade: 0,
    moveToWait: async (token) => givenBack.push(token ?? ''),
  };
}

describe('a worker', () => {
  const start = () => {
    const fake = createFakeBackend();
    const handled: string[] = [];
    const worker = startRunWorker(
      fake.backend,
      {
        leg: async (id) => void handled.push(`leg ${id}`),
        pauseCheck: async (id) => void handled.push(`pauseCheck ${id}`),
      },
      { concurrency: 1, logger: pino({ level: 'silent' }) },
    );
    return { ...fake, worker, handled };
  };

  it('hands each kind of job to its handler', async () => {
    const { hand, handled } = start();
    await hand(createJob('leg'));
    await hand(createJob('pause-check'));
    expect(handled).toEqual(['leg r', 'pauseCheck r']);
  });

  it('puts a job back that arrives while it pauses', async () => {
    const { hand, handled, worker } = start();
    await worker.pause();
    const givenBack: string[] = [];
    await expect(hand(createJob('leg', givenBack))).rejects.toThrow(WaitingError);
    expect(givenBack).toEqual(['token-1']);
    expect(handled).toEqual([]);
  });

  it('pauses once, and closes after that', async () => {
    const { asked, worker } = start();
    await worker.pause();
    await worker.pause();
    await worker.close();
    expect(asked).toEqual(['pause', 'close']);
  });
});
