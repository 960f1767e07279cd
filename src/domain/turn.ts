/** A call to one of the client's tools. `arguments` is the JSON text received. */
export type ToolCall = { id: string; name: string; arguments: string };

/** An entry of a run's `messages`, in the planner's (OpenAI's) roles. */
export type Turn =
  | { role: 'user'; content: string }
  | { role: 'assistant'; content: string; toolCalls?: ToolCall[] }
  | { role: 'tool'; toolCallId: string; content: string };
