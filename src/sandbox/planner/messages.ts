import { isObject } from './json.ts';

type TextPart = { type: 'text'; text: string };
type ImagePart = { type: 'image_url'; image_url: { url: string; detail?: string } };

export type WireToolCall = { id: string; type: 'function'; function: { name: string; arguments: string } };

/** An entry of `messages` that passed the check. */
export type Message =
  | { role: 'system'; content: string }
  | { role: 'user'; content: string | Array<TextPart | ImagePart> }
  | { role: 'assistant'; content: string | null; tool_calls?: WireToolCall[] }
  | { role: 'tool'; tool_call_id: string; content: string };

const IMAGE_URL = /^(data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+=*|https:\/\/\S+)$/;

/** The text of a user turn: its string, or its text parts on lines of their own. */
export function userText(message: Message): string {
  if (typeof message.content === 'string') return message.content;
  if (message.content === null) return '';
  return message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

/** What is wrong with `messages`, with its place, or null. The order of turns is checked too. */
export function findMessagesFault(messages: unknown): string | null {
  if (!Array.isArray(messages) || messages.length === 0) return 'messages must be a non-empty list';
  for (const [index, message] of messages.entries()) {
    const fault = findMessageFault(message);
    if (fault) return `messages[${index}]${fault}`;
  }
  // Each entry was checked above.
  return findOrderFault(messages as Message[]);
}

function findMessageFault(message: unknown): string | null {
  if (!isObject(message)) return ' must be an object';
  if (message.role === 'system') return findKeyFault(message, ['role', 'content']) ?? findTextFault(message.content);
  if (message.role === 'user') return findKeyFault(message, ['role', 'content']) ?? findUserFault(message.content);
  if (message.role === 'assistant') return findAssistantFault(message);
  if (message.role === 'tool') return findToolFault(message);
  return '.role must be system, user, assistant or tool';
}

function findKeyFault(value: object, known: string[]): string | null {
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  return unknown === undefined ? null : ` has the unknown key "${unknown}"`;
}

function findTextFault(content: unknown): string | null {
  return typeof content === 'string' && content.trim() !== '' ? null : '.content must be a text that is not empty';
}

function findUserFault(content: unknown): string | null {
  if (!Array.isArray(content)) return findTextFault(content);
  if (content.length === 0) return '.content must not be an empty list';
  for (const [index, part] of content.entries()) {
    const fault = findPartFault(part);
    if (fault) return `.content[${index}]${fault}`;
  }
  return null;
}

function findPartFault(part: unknown): string | null {
  if (!isObject(part)) return ' must be an object';
  if (part.type === 'text')
    return (
      findKeyFault(part, ['type', 'text']) ??
      (typeof part.text === 'string' && part.text !== '' ? null : '.text must not be empty')
    );
  if (part.type !== 'image_url') return '.type must be text or image_url';
  const image = part.image_url;
  if (!isObject(image) || typeof image.url !== 'string' || !IMAGE_URL.test(image.url))
    return '.image_url.url must be an https address or a data URL of a png, jpeg, gif or webp image';
  return findKeyFault(part, ['type', 'image_url']);
}

function findAssistantFault(message: object & { content?: unknown; tool_calls?: unknown }): string | null {
  const keys = findKeyFault(message, ['role', 'content', 'tool_calls']);
  if (keys) return keys;
  if (message.tool_calls === undefined) return findTextFault(message.content);
  if (message.content !== null && message.content !== undefined && typeof message.content !== 'string')
    return '.content must be a text or null';
  if (!Array.isArray(message.tool_calls) || message.tool_calls.length === 0)
    return '.tool_calls must be a non-empty list';
  const bad = message.tool_calls.findIndex((call) => !isToolCall(call));
  return bad === -1
    ? null
    : `.tool_calls[${bad}] must be {id, type: "function", function: {name, arguments: JSON text}}`;
}

function isToolCall(call: unknown): call is WireToolCall {
  if (!isObject(call) || typeof call.id !== 'string' || call.type !== 'function' || !isObject(call.function))
    return false;
  return typeof call.function.name === 'string' && typeof call.function.arguments === 'string';
}

function findToolFault(message: object & { content?: unknown; tool_call_id?: unknown }): string | null {
  const keys = findKeyFault(message, ['role', 'content', 'tool_call_id']);
  if (keys) return keys;
  if (typeof message.tool_call_id !== 'string') return '.tool_call_id must be a string';
  return typeof message.content === 'string' ? null : '.content of a tool turn must be a string';
}

/** Every tool call is answered, at once and by its id; the last turn is for the planner to answer. */
function findOrderFault(messages: Message[]): string | null {
  if (messages.find((message) => message.role !== 'system')?.role !== 'user')
    return 'messages must begin with a user turn';
  let open: string[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') {
      if (!open.includes(message.tool_call_id)) return `messages[${index}] answers no open tool call`;
      open = open.filter((id) => id !== message.tool_call_id);
      continue;
    }
    if (open.length > 0) return `messages[${index}] comes before the tool calls ${open.join(', ')} were answered`;
    if (message.role === 'assistant') open = (message.tool_calls ?? []).map((call) => call.id);
  }
  if (open.length > 0) return `the tool calls ${open.join(', ')} are not answered`;
  const last = messages.at(-1)?.role;
  return last === 'user' || last === 'tool' ? null : 'the last message must be a user or tool turn';
}
