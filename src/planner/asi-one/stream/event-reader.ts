import type { Card } from '../../../domain/card.ts';
import type { LegOutcome, PlannerEvent } from '../../../domain/planner-event.ts';
import { createPauseWatch, type PauseWatch, pauseKindOf } from '../pause/pause-watch.ts';
import type { JsonRecord } from '../values/json-record.ts';
import { readChunk } from './chunk.ts';
import { readPlanDelta } from './read-plan-delta.ts';
import { createToolCallAssembler } from './tool-calls.ts';

/** Reads the events of one leg, once they are JSON, and keeps what its outcome depends on. */
export interface EventReader {
  /** What one event says. It may hold text, tool calls, a finish reason and a piece of the plan at once. */
  read(event: JsonRecord): PlannerEvent[];
  /** How the leg ended, given that its stream ended in order; `sawDone` when it said `[DONE]`. */
  outcome(sawDone: boolean): LegOutcome;
}

export function createEventReader(): EventReader {
  const pause = createPauseWatch();
  const tools = createToolCallAssembler();
  let text = '';
  let finishReason: string | null = null;
  return {
    read(event) {
      const chunk = readChunk(event);
      tools.addFragments(chunk.callFragments);
      tools.replaceBy(chunk.wholeCalls);
      finishReason = chunk.finishReason ?? finishReason;
      // Which finish reason a pause has is not documented; one that names it needs no plan to say it again.
      if (chunk.finishReason !== null && pauseKindOf(chunk.finishReason) !== null) pause.seeStatus(chunk.finishReason);
      const more = chunk.text + missingPart(text + chunk.text, chunk.wholeText);
      text += more;
      const events: PlannerEvent[] = more === '' ? [] : [{ type: 'text-delta', text: more }];
      for (const metadata of chunk.metadata) events.push(...readMetadata(metadata, pause));
      for (const record of chunk.beside) events.push(...pause.seeBeside(record).map(toNotice));
      return events;
    },
    outcome(sawDone) {
      const calls = tools.calls();
      const hasText = text.trim() !== '';
      if (calls.length > 0 && (finishReason === 'tool_calls' || !hasText)) return { kind: 'tool-calls', calls };
      const request = pause.request(text);
      if (request !== null) return { kind: 'paused', request };
      if (sawDone || finishReason !== null || hasText || pause.onlyInforms()) return { kind: 'finished' };
      return { kind: 'cut', detail: 'the stream ended without an answer, a finish reason, [DONE] or a pause' };
    },
  };
}

/** A finished message may repeat what its deltas said, in whole; only what they left out is new. */
function missingPart(text: string, whole: string): string {
  if (text === '') return whole;
  if (whole.trim() === '' || text.includes(whole.trim())) return '';
  return whole.startsWith(text) ? whole.slice(text.length) : `\n\n${whole}`;
}

function readMetadata(metadata: JsonRecord, pause: PauseWatch): PlannerEvent[] {
  const { delta, clarifications, omitted } = readPlanDelta(metadata);
  if (delta?.status !== undefined) pause.seeStatus(delta.status);
  clarifications.forEach(pause.seeQuestion);
  const events: PlannerEvent[] = delta === null ? [] : [{ type: 'plan-delta', delta }];
  if (omitted > 0) events.push({ type: 'skipped', reason: `${omitted} entries beyond what one event may hold` });
  return [...events, ...pause.seeMetadata(metadata).map(toNotice)];
}

function toNotice(card: Card): PlannerEvent {
  return { type: 'card', card };
}
