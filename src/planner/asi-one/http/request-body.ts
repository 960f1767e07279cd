import type { PlannerContent, PlannerTurn } from '../../../domain/ports/planner.ts';
import type { ToolCall } from '../../../domain/turn.ts';
import { neutraliseControlText } from './control-text.ts';

/**
 * The body of a planner request (docs.asi1.ai, planner page). `agents` is left out when there are none. Every text of
 * every turn is free of control text (contract C38).
 */
export function toRequestBody(request: { model: string; agents: readonly string[]; turns: readonly PlannerTurn[] }) {
  return {
    model: request.model,
    messages: request.turns.map(toMessage),
    planner_mode: true,
    stream: true,
    ...(request.agents.length > 0 ? { agents: request.agents } : {}),
  };
}

function toMessage(turn: PlannerTurn): object {
  if (turn.role === 'user') return { role: 'user', content: toUserContent(turn.content) };
  const content = neutraliseControlText(turn.content);
  if (turn.role === 'tool') return { role: 'tool', tool_call_id: turn.toolCallId, content };
  if (turn.toolCalls === undefined || turn.toolCalls.length === 0) return { role: 'assistant', content };
  return { role: 'assistant', content, tool_calls: turn.toolCalls.map(toWireCall) };
}

function toUserContent(content: string | PlannerContent[]): string | object[] {
  return typeof content === 'string' ? neutraliseControlText(content) : content.map(toPart);
}

function toPart(part: PlannerContent): object {
  return part.type === 'text'
    ? { type: 'text', text: neutraliseControlText(part.text) }
    : { type: 'image_url', image_url: { url: part.dataUrl } };
}

function toWireCall(call: ToolCall): object {
  const { id, name } = call;
  return { id, type: 'function', function: { name, arguments: neutraliseControlText(call.arguments) } };
}
