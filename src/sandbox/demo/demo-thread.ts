import type { SandboxMessage } from '../slack/history.ts';

/** A card that waits for somebody: its message and the options on its buttons. */
export type OpenCard = { message: SandboxMessage; options: string[] };

/** Where a run of the demo has come to, read from its thread as a person would read it. */
export type ThreadState =
  | { kind: 'working' }
  | { kind: 'asking'; card: OpenCard }
  | { kind: 'answered'; status: SandboxMessage }
  | { kind: 'ended-without-answer'; status: SandboxMessage };

const STOP = 'Stop';
const ANSWER = /^Answer/;

/** Reads the thread. `isDone` says which cards were seen to already. */
export function readThread(
  messages: readonly SandboxMessage[],
  isDone: (card: SandboxMessage) => boolean,
): ThreadState {
  const card = messages.find((message) => buttonsOf(message).some((label) => ANSWER.test(label)) && !isDone(message));
  if (card) {
    return { kind: 'asking', card: { message: card, options: buttonsOf(card).filter((label) => !ANSWER.test(label)) } };
  }
  const status = messages.find((message) => message.versions.some((version) => buttonsOf(version).includes(STOP)));
  if (!status || buttonsOf(status).includes(STOP)) return { kind: 'working' };
  if (messages.some(isAnswer)) return { kind: 'answered', status };
  return buttonsOf(status).length > 0 ? { kind: 'ended-without-answer', status } : { kind: 'working' };
}

/** The answer is the only message in standard Markdown, or a file where it is very long. */
function isAnswer(message: SandboxMessage): boolean {
  if (message.botId === null) return false;
  return message.files.length > 0 || message.blocks.some((block) => block.type === 'markdown');
}

function buttonsOf({ blocks }: Pick<SandboxMessage, 'blocks'>): string[] {
  return blocks.flatMap((block) => (Array.isArray(block.elements) ? block.elements : [])).flatMap(buttonLabel);
}

function buttonLabel(element: unknown): string[] {
  if (typeof element !== 'object' || element === null || !('type' in element) || element.type !== 'button') return [];
  const text = 'text' in element ? element.text : null;
  return typeof text === 'object' && text !== null && 'text' in text ? [String(text.text)] : [];
}
