/**
 * Where to look for what the planner may say. Only `status`, `plan_status`, `phases` and `tasks` are documented; the
 * names of all other fields are not public, so each is looked for under every plausible one, likeliest first
 * (docs.asi1.ai speaks of "the agents it found, which one it used, the message it sent and the reply it received").
 */
export const ALIASES = {
  title: ['task', 'description', 'title', 'name', 'objective', 'query'],
  agentsFound: ['agents', 'agents_found', 'found_agents', 'available_agents', 'search_results', 'candidates'],
  agent: ['agent', 'agent_address', 'address', 'selected_agent', 'agent_used', 'agent_name'],
  message: ['message', 'message_sent', 'sent_message', 'request', 'query', 'prompt'],
  reply: ['reply', 'response', 'agent_response', 'reply_received', 'result', 'output'],
  error: ['error', 'error_message', 'reason', 'detail'],
  tool: ['tool', 'tool_name', 'type', 'action'],
  reasoning: ['reasoning', 'thought', 'thinking', 'rationale', 'summary'],
  question: [
    'clarification',
    'question',
    'clarification_question',
    'clarification_request',
    'clarifying_question',
    'questions',
    'clarifications',
  ],
  options: ['options', 'choices', 'suggestions', 'suggested_answers', 'answers'],
  /** The words of a text that comes as an object. */
  text: ['text', 'content', 'message', 'question', 'prompt'],
  /** What to call an agent that comes as an object. */
  agentLabel: ['name', 'handle', 'address'],
  /** What to call an option that comes as an object. */
  optionLabel: ['label', 'text', 'title', 'name', 'option', 'choice', 'answer', 'description', 'value', 'id'],
} as const satisfies Record<string, readonly string[]>;

export type Concept = keyof typeof ALIASES;
