import type { ToolCall } from './planner-event.ts';

/** An entry of a run's `messages`, in the planner's (OpenAI's) roles. */
export type Turn =
  | { role: 'user'; content: string }
  | { role: 'assistant'; content: string; toolCalls?: ToolCall[] }
  | { role: 'tool'; toolCallId: string; content: string };
