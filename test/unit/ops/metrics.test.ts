import { describe, expect, it } from 'vitest';
import { createMetrics, type MetricsOptions } from '../../../src/ops/metrics.ts';
import { createMemoryLogger } from '../intake/fakes/memory-logger.ts';

function setUp(options: Partial<MetricsOptions> = {}) {
  const logger = createMemoryLogger();
  const store = {
    runs: { countByState: async () => ({ running: 3, failed: 1 }), oldestWaitingMs: async () => 1_500 },
  };
  const metrics = createMetrics({ store, queue: { depth: async () => 7 }, logger, ...options });
  const lines = async () => (await metrics.render()).body.split('\n');
  return { metrics, logger, lines };
}

describe('metrics', () => {
  it('tells runs by every state, the queue and the oldest waiting run', async () => {
    const lines = await setUp().lines();
    for (const line of [
      'steward_runs{state="running"} 3',
      'steward_runs{state="failed"} 1',
      'steward_runs{state="queued"} 0',
      'steward_queue_depth 7',
      'steward_oldest_waiting_seconds 1.5',
    ]) {
      expect(lines).toContain(line);
    }
  });

  it('counts what modules report', async () => {
    const { metrics, lines } = setUp();
    metrics.ackTook(30);
    metrics.statusEdit('sent');
    metrics.statusEdit('sent');
    metrics.statusEdit('limited');
    metrics.streamOpened();
    metrics.streamOpened();
    metrics.streamClosed();
    metrics.deltaSkipped();
    metrics.decisionTook(20_000);
    const found = await lines();
    for (const line of [
      'steward_ack_seconds_bucket{le="0.025"} 0',
      'steward_ack_seconds_bucket{le="0.05"} 1',
      'steward_status_edits_total{outcome="sent"} 2',
      'steward_status_edits_total{outcome="dropped"} 0',
      'steward_status_edits_total{outcome="limited"} 1',
      'steward_planner_streams_open 1',
      'steward_planner_events_skipped_total 1',
      'steward_decision_seconds_sum 20',
    ]) {
      expect(found).toContain(line);
    }
  });

  it('still tells the rest when the store does not answer, and shows no old numbers', async () => {
    let down = false;
    const counts = async () => {
      if (down) throw new Error('store down');
      return { running: 3 };
    };
    const { metrics, logger, lines } = setUp({
      store: { runs: { countByState: counts, oldestWaitingMs: async () => null } },
    });
    await metrics.render();
    down = true;
    const found = await lines();
    expect(found.some((line) => line.startsWith('steward_runs{'))).toBe(false);
    expect(found).toContain('steward_oldest_waiting_seconds 0');
    expect(found).toContain('steward_queue_depth 7');
    expect(logger.lines.at(-1)).toMatchObject({ event: 'metric_not_read' });
  });

  it('has registries that do not disturb each other', () => {
    setUp();
    expect(() => setUp()).not.toThrow();
  });

  it('tells of the process too', async () => {
    expect((await setUp().lines()).some((line) => line.startsWith('process_resident_memory_bytes'))).toBe(true);
  });
});
