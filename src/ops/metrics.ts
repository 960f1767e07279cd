import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Logger } from '../domain/ports/logger.ts';
import type { RunQueue } from '../domain/ports/queue.ts';
import type { RunStore } from '../domain/ports/store.ts';
import type { Telemetry } from '../domain/ports/telemetry.ts';
import { RUN_STATES } from '../domain/run.ts';
import type { RenderedMetrics } from './http-server.ts';

/** Telemetry that can be read. */
export interface Metrics extends Telemetry {
  /** The registry in Prometheus' text format. What the store or queue cannot tell now is left out. */
  render(): Promise<RenderedMetrics>;
}

export type MetricsOptions = {
  store: { runs: Pick<RunStore, 'countByState' | 'oldestWaitingMs'> };
  queue?: Pick<RunQueue, 'depth'>;
  logger: Logger;
};

const ACK_BUCKETS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3];
/** From a quick click to the end of the default half hour. */
const DECISION_BUCKETS_S = [5, 15, 30, 60, 120, 300, 600, 1_200, 1_800, 3_600];

/** Gauges that are read from the store and the queue at each scrape. */
function addScrapedGauges({ store, queue, logger }: MetricsOptions, registry: Registry): void {
  const read = async (metric: { reset(): void }, set: () => Promise<void>): Promise<void> => {
    try {
      metric.reset();
      await set();
    } catch (error) {
      logger.warn({ err: error }, 'metric_not_read');
    }
  };
  const registers = [registry];

  new Gauge({
    name: 'steward_runs',
    help: 'Runs by state.',
    labelNames: ['state'],
    registers,
    collect() {
      return read(this, async () => {
        const counts = await store.runs.countByState();
        for (const state of RUN_STATES) this.set({ state }, counts[state] ?? 0);
      });
    },
  });
  new Gauge({
    name: 'steward_oldest_waiting_seconds',
    help: 'Age of the oldest queued run that could run; 0 when none waits.',
    registers,
    collect() {
      return read(this, async () => this.set(((await store.runs.oldestWaitingMs()) ?? 0) / 1_000));
    },
  });
  if (queue === undefined) return;
  new Gauge({
    name: 'steward_queue_depth',
    help: 'Jobs waiting in the queue, delayed ones not counted.',
    registers,
    collect() {
      return read(this, async () => this.set(await queue.depth()));
    },
  });
}

/** Counts what the modules report. */
function createTelemetry(registry: Registry): Telemetry {
  const registers = [registry];
  const ack = new Histogram({
    name: 'steward_ack_seconds',
    help: 'From the arrival of a Slack delivery to its acknowledgement.',
    buckets: ACK_BUCKETS_S,
    registers,
  });
  const edits = new Counter({
    name: 'steward_status_edits_total',
    help: 'Edits of status messages: sent, dropped for a newer state, or limited by Slack.',
    labelNames: ['outcome'],
    registers,
  });
  const streams = new Gauge({ name: 'steward_planner_streams_open', help: 'Planner streams open now.', registers });
  const skipped = new Counter({
    name: 'steward_planner_events_skipped_total',
    help: 'Planner events that could not be read.',
    registers,
  });
  const decision = new Histogram({
    name: 'steward_decision_seconds',
    help: "From a pause's opening to its decision.",
    buckets: DECISION_BUCKETS_S,
    registers,
  });
  for (const outcome of ['sent', 'dropped', 'limited']) edits.inc({ outcome }, 0);

  return {
    ackTook: (ms) => ack.observe(ms / 1_000),
    statusEdit: (outcome) => edits.inc({ outcome }),
    streamOpened: () => streams.inc(),
    streamClosed: () => streams.dec(),
    deltaSkipped: () => skipped.inc(),
    decisionTook: (ms) => decision.observe(ms / 1_000),
  };
}

/** The product's numbers in a registry of their own (contract C41), with those of the process. */
export function createMetrics(options: MetricsOptions): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  addScrapedGauges(options, registry);
  return {
    ...createTelemetry(registry),
    async render() {
      return { contentType: registry.contentType, body: await registry.metrics() };
    },
  };
}
