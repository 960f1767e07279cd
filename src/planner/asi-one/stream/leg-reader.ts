import type { LegOutcome, PlannerEvent } from '../../../domain/planner-event.ts';
import { describeBody, describeJson, failureForStatus, statusInBody } from '../refusal.ts';
import { isRecord, type JsonRecord, own, parseJson } from '../values/json-record.ts';
import { createEventReader, type EventReader } from './event-reader.ts';
import { createFrameReader, type Frame } from './frames.ts';

/**
 * Reads one leg's bytes into events and, in the end, its outcome. Knows nothing of networks, time or secrets.
 *
 * States: reading → over. It is over when an outcome is known: within `push` by `[DONE]`, an error event or a bound
 * passed, else by `end`. Details of outcomes are raw: not redacted, not shortened.
 */
interface LegReader {
  /** The events that these bytes complete. When the outcome is known, the last one is `end`. */
  push(bytes: Uint8Array): PlannerEvent[];
  /** The body ended in order: the remaining events, `end` last. Nothing when the leg was over before. */
  end(): PlannerEvent[];
}

export function createLegReader(): LegReader {
  const frames = createFrameReader();
  const reader = createEventReader();
  let isOver = false;
  const take = (read: () => PlannerEvent[]): PlannerEvent[] => {
    if (isOver) return [];
    const events = read();
    isOver = events.at(-1)?.type === 'end';
    return events;
  };
  return {
    push: (bytes) =>
      take(() => {
        const complete = frames.push(bytes);
        return complete === 'too-large' ? [end(TOO_LARGE)] : readFrames(complete, reader);
      }),
    end: () =>
      take(() => {
        const events = readFrames(frames.end(), reader);
        if (events.at(-1)?.type === 'end') return events;
        const body = frames.rawText()?.trim() ?? '';
        return [...events, ...readRest(body, reader)];
      }),
  };
}

const TOO_LARGE: LegOutcome = {
  kind: 'failed',
  code: 'planner_too_large',
  detail: 'an event or the stream is too large',
};

/** Reads up to the event that ends the leg; what comes after it is of no concern. */
function readFrames(frames: readonly Frame[], reader: EventReader): PlannerEvent[] {
  const events: PlannerEvent[] = [];
  for (const frame of frames) {
    for (const event of readFrame(frame, reader)) events.push(event);
    if (events.at(-1)?.type === 'end') break;
  }
  return events;
}

function readFrame(frame: Frame, reader: EventReader): PlannerEvent[] {
  const data = frame.data.trim();
  if (data === '') return [];
  if (data === '[DONE]') return [end(reader.outcome(true))];
  const event = parseJson(data);
  if (frame.event === 'error') return [end(failed(isRecord(event) ? event : { error: data }))];
  if (isRecord(event)) return isError(event) ? [end(failed(event))] : reader.read(event);
  return [{ type: 'skipped', reason: event === undefined ? 'not JSON' : 'not a JSON object' }];
}

/** What is left at the end: a body that was no event stream, or just the outcome. */
function readRest(body: string, reader: EventReader): PlannerEvent[] {
  if (!/^[{[<]/.test(body)) return [end(reader.outcome(false))];
  const event = parseJson(body);
  if (isRecord(event) && Object.hasOwn(event, 'choices') && !isError(event)) {
    return [...reader.read(event), end(reader.outcome(false))];
  }
  if (isRecord(event)) return [end(failed(event))];
  return [end({ kind: 'failed', code: 'planner_error', detail: `not an event stream: ${describeBody(body)}` })];
}

function isError(event: JsonRecord): boolean {
  return Boolean(own(event, 'error'));
}

function failed(body: JsonRecord): LegOutcome {
  const detail = describeJson(body) ?? 'an error without a message';
  return { kind: 'failed', code: failureForStatus(statusInBody(body)), detail };
}

function end(outcome: LegOutcome): PlannerEvent {
  return { type: 'end', outcome };
}
