import type { SandboxPlanner } from '../../../../src/sandbox/planner/sandbox-planner.ts';

export type ChatOptions = {
  sessionId?: string | null;
  key?: string;
  body?: Record<string, unknown>;
  signal?: AbortSignal;
};

/** Posts a streaming planner request with plain fetch. */
export function postChat(planner: SandboxPlanner, messages: unknown, options: ChatOptions = {}): Promise<Response> {
  const { sessionId = 'session-1', key = planner.apiKey, body = {}, signal } = options;
  const headers: Record<string, string> = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  if (sessionId !== null) headers['x-session-id'] = sessionId;
  return fetch(`${planner.baseUrl}/chat/completions`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ model: 'asi1', planner_mode: true, stream: true, messages, ...body }),
    ...(signal ? { signal } : {}),
  });
}

export const user = (content: unknown) => ({ role: 'user', content });
export const assistant = (content: string | null, more: object = {}) => ({ role: 'assistant', content, ...more });

/** The JSON of every `data:` line of a stream that frames with LF. */
export function parseEvents(text: string): Array<Record<string, unknown>> {
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: ') && line !== 'data: [DONE]')
    .map((line) => JSON.parse(line.slice('data: '.length)));
}
