import { noteShown, type Shown } from './answers/asked.ts';
import { isObject, type JsonObject } from './json.ts';
import type { WireToolCall } from './messages.ts';

/** What a leg has told its client so far, read back from the events it sent. */
export type LegReport = Shown & {
  text: string;
  toolCalls: WireToolCall[];
  finishReason: string | null;
  planEvents: number;
};

export function createLegReport(): LegReport {
  const nothing = { planStatus: null, payment: null, card: null };
  return { text: '', toolCalls: [], finishReason: null, planEvents: 0, ...nothing };
}

/** Adds one event of the stream to the report. Events of any shape are allowed. */
export function noteEvent(report: LegReport, event: unknown): void {
  if (!isObject(event)) return;
  if (isObject(event.metadata) && event.metadata.type === 'plan_state') report.planEvents += 1;
  if (isObject(event.metadata)) noteShown(report, event.metadata);
  const choice = Array.isArray(event.choices) ? event.choices[0] : undefined;
  if (!isObject(choice)) return;
  if (typeof choice.finish_reason === 'string') report.finishReason = choice.finish_reason;
  if (isObject(choice.delta)) noteMessage(report, choice.delta);
  if (isObject(choice.message)) noteMessage(report, choice.message);
}

function noteMessage(report: LegReport, message: JsonObject): void {
  if (typeof message.content === 'string') report.text += message.content;
  if (!Array.isArray(message.tool_calls)) return;
  for (const call of message.tool_calls) if (isObject(call)) noteToolCall(report, call);
}

/** A fragment continues the call of its index or id; a whole call that was told before says nothing new. */
function noteToolCall(report: LegReport, call: JsonObject): void {
  const made = isObject(call.function) ? call.function : {};
  const args = typeof made.arguments === 'string' ? made.arguments : '';
  const known =
    report.toolCalls.find((other) => other.id === call.id) ??
    (call.id === undefined && typeof call.index === 'number' ? report.toolCalls[call.index] : undefined);
  if (known) {
    if (known.function.arguments !== args) known.function.arguments += args;
    return;
  }
  if (typeof call.id !== 'string') return;
  const name = typeof made.name === 'string' ? made.name : '';
  report.toolCalls.push({ id: call.id, type: 'function', function: { name, arguments: args } });
}
