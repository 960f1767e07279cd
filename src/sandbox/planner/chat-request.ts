import type { IncomingHttpHeaders } from 'node:http';
import { isObject, type JsonObject } from './json.ts';
import { findMessagesFault, type Message } from './messages.ts';
import { type Refusal, refuse, refuseField } from './refusal.ts';

/** A chat completion request that passed every check. */
export type ChatRequest = {
  sessionId: string;
  model: string;
  messages: Message[];
  agents: string[];
  tools: unknown[];
  stream: boolean;
};

export type ChatRules = { apiKey: string; maxAgents: number };

const MODELS = ['asi1', 'asi1-mini', 'asi1-ultra'];

/** Body keys that the vendor's pages name. Those without effect in planner mode are accepted, as there. */
const BODY_KEYS = [
  ...['model', 'messages', 'planner_mode', 'stream', 'agents', 'tools', 'tool_choice', 'temperature'],
  ...['stream_options', 'max_tokens', 'response_format', 'top_p', 'web_search', 'agent_address'],
];

/** Bech32 of 33 bytes with the prefix `agent`; the checksum is not computed. */
const AGENT_ADDRESS = /^agent1q[gf2tvdw0][qpzry9x8gf2tvdw0s3jn54khce6mua7l]{57}$/;

type RawRequest = { headers: IncomingHttpHeaders; body: unknown };

/** The request as far as the planner reads it, or how it is refused: key first, then session, then body. */
export function readChatRequest(raw: RawRequest, rules: ChatRules): ChatRequest | Refusal {
  if (raw.headers.authorization !== `Bearer ${rules.apiKey}`)
    return refuse(401, 'Incorrect API key provided', 'invalid_api_key');
  const sessionId = raw.headers['x-session-id'];
  if (typeof sessionId !== 'string' || sessionId.trim() === '')
    return refuseField(['header', 'x-session-id'], 'Field required in planner mode');
  if (!isObject(raw.body)) return refuse(400, 'The body must be a JSON object', 'invalid_json');
  const refusal = findBodyFault(raw.body, rules);
  if (refusal) return refusal;
  const { model, messages, agents, tools, stream } = raw.body;
  // Each field was checked by findBodyFault.
  return {
    sessionId,
    model: model as string,
    messages: messages as Message[],
    agents: (agents ?? []) as string[],
    tools: (tools ?? []) as unknown[],
    stream: stream === true,
  };
}

/** True when `readChatRequest` (or a session) refused. */
export function isRefusal(value: object): value is Refusal {
  return 'reason' in value && 'status' in value;
}

function findBodyFault(body: JsonObject, rules: ChatRules): Refusal | null {
  if (typeof body.model !== 'string') return refuseField(['body', 'model'], 'must be a string');
  if (!MODELS.includes(body.model)) return refuse(404, `The model ${body.model} does not exist`, 'model_not_found');
  if (body.planner_mode !== true)
    return refuse(400, 'planner_mode must be true: this sandbox imitates nothing else', 'unsupported');
  const unknown = Object.keys(body).find((key) => !BODY_KEYS.includes(key));
  if (unknown !== undefined) return refuseField(['body', unknown], 'is not a known field');
  if (body.stream !== undefined && typeof body.stream !== 'boolean')
    return refuseField(['body', 'stream'], 'must be true or false');
  const fault = findMessagesFault(body.messages);
  if (fault) return refuse(400, fault, 'invalid_messages');
  return findAgentsFault(body.agents, rules.maxAgents) ?? findToolsFault(body.tools);
}

function findAgentsFault(agents: unknown, maxAgents: number): Refusal | null {
  if (agents === undefined) return null;
  if (!Array.isArray(agents)) return refuseField(['body', 'agents'], 'must be a list of agent addresses');
  if (agents.length > maxAgents) return refuseField(['body', 'agents'], `holds more than ${maxAgents} addresses`);
  const bad = agents.findIndex((agent) => typeof agent !== 'string' || !AGENT_ADDRESS.test(agent));
  return bad === -1 ? null : refuseField(['body', 'agents', String(bad)], 'is not an agent address');
}

function findToolsFault(tools: unknown): Refusal | null {
  if (tools === undefined) return null;
  const good = (tool: unknown) =>
    isObject(tool) && tool.type === 'function' && isObject(tool.function) && typeof tool.function.name === 'string';
  if (Array.isArray(tools) && tools.every(good)) return null;
  return refuseField(['body', 'tools'], 'must be a list of {type: "function", function: {name, …}}');
}
