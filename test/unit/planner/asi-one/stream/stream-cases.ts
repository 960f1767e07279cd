import { readFileSync } from 'node:fs';
import type { PlanDelta, PlannerEvent } from '../../../../../src/domain/planner-event.ts';
import { createLegReader } from '../../../../../src/planner/asi-one/stream/leg-reader.ts';

/** One line of `test/fixtures/planner/streams.jsonl`: a body as it comes from the planner, and what it means. */
export type StreamCase = {
  name: string;
  body: string;
  text: string;
  skipped: number;
  outcome: object;
  deltas?: PlanDelta[];
};

export function readStreamCases(): StreamCase[] {
  const file = new URL('../../../../fixtures/planner/streams.jsonl', import.meta.url);
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as StreamCase);
}

/** Reads chunks of bytes as one leg. */
export function readChunks(chunks: readonly Uint8Array[]): PlannerEvent[] {
  const reader = createLegReader();
  return [...chunks.flatMap((chunk) => reader.push(chunk)), ...reader.end()];
}

export function readBody(body: string): PlannerEvent[] {
  return readChunks([new TextEncoder().encode(body)]);
}

/** The text of a leg. */
export function textOf(events: readonly PlannerEvent[]): string {
  return events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('');
}

export function dataLine(event: unknown): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}
