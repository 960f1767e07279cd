import type { MessageVersion } from './history.ts';
import { isJson } from './json.ts';

const CODE = /```[\s\S]*?(?:```|$)|`[^`\n]+`/g;
const CONTROL = /<(!(?:channel|here|everyone)|!subteam\^[A-Z0-9]+|@[UW][A-Z0-9]+)(?:\|[^>]*)?>/g;
const RAW = /(?<![\w/.])@(?:channel|here|everyone)\b/g;
const PINGING_TEXT = ['mrkdwn', 'markdown'];

/** Every text in blocks in which Slack reads mentions; rich text mentions in the same form. */
function blockTexts(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(blockTexts);
  if (!isJson(value)) return [];
  if (value.type === 'user') return [`<@${String(value.user_id)}>`];
  if (value.type === 'broadcast') return [`<!${String(value.range)}>`];
  if (value.type === 'usergroup') return [`<!subteam^${String(value.usergroup_id)}>`];
  if (PINGING_TEXT.includes(String(value.type)) && typeof value.text === 'string') return [value.text];
  return Object.values(value).flatMap(blockTexts);
}

/** Who a message would ping; code pings nobody. Text counts too when there are blocks: it is what notifications show. */
export function pingsOf(message: MessageVersion): string[] {
  const texts = [message.text, ...blockTexts(message.blocks)].map((text) => text.replaceAll(CODE, ''));
  const controls = texts.flatMap((text) => [...text.matchAll(CONTROL)].map((match) => String(match[1])));
  const readsRaw = message.linkNames || message.parse === 'full';
  const raw = readsRaw ? [...message.text.replaceAll(CODE, '').matchAll(RAW)].map((match) => match[0]) : [];
  return [...new Set([...controls, ...raw])];
}
