import type { SandboxMessage } from '../slack/history.ts';

/** What a card asks for, as a person reads it from its buttons. */
export type AskedKind = 'question' | 'payment' | 'card';

/** A card that waits for somebody: its message and the labels of its buttons. */
export type OpenCard = { kind: AskedKind; message: SandboxMessage; buttons: string[] };

/** Where a run of the demo has come to, read from its thread as a person would read it. */
export type ThreadState =
  | { kind: 'working' }
  | { kind: 'asking'; card: OpenCard }
  | { kind: 'answered'; status: SandboxMessage }
  | { kind: 'ended-without-answer'; status: SandboxMessage };

const STOP = 'Stop';

/** The button by which each kind of card is known. */
const SIGNS = { 'Approve…': 'payment', 'Answer in words…': 'card', 'Answer…': 'question' } as const satisfies Record<
  string,
  AskedKind
>;

/** Reads the thread. `isDone` says which cards were seen to already. */
export function readThread(
  messages: readonly SandboxMessage[],
  isDone: (card: SandboxMessage) => boolean,
): ThreadState {
  const card = messages.filter((message) => !isDone(message)).flatMap(openCard)[0];
  if (card) return { kind: 'asking', card };
  const status = messages.find((message) => message.versions.some((version) => buttonsOf(version).includes(STOP)));
  if (!status || buttonsOf(status).includes(STOP)) return { kind: 'working' };
  if (messages.some(isAnswer)) return { kind: 'answered', status };
  return buttonsOf(status).length > 0 ? { kind: 'ended-without-answer', status } : { kind: 'working' };
}

function openCard(message: SandboxMessage): OpenCard[] {
  const buttons = buttonsOf(message);
  const sign = Object.entries(SIGNS).find(([label]) => buttons.includes(label));
  return sign ? [{ kind: sign[1], message, buttons }] : [];
}

/** The answer is the only message in standard Markdown, or a file where it is very long. */
function isAnswer(message: SandboxMessage): boolean {
  if (message.botId === null) return false;
  return message.files.length > 0 || message.blocks.some((block) => block.type === 'markdown');
}

/** The labels of the buttons that decide something; those that open a page are none. */
export function buttonsOf({ blocks }: Pick<SandboxMessage, 'blocks'>): string[] {
  return blocks.flatMap((block) => (Array.isArray(block.elements) ? block.elements : [])).flatMap(buttonLabel);
}

function buttonLabel(element: unknown): string[] {
  if (typeof element !== 'object' || element === null || !('type' in element) || element.type !== 'button') return [];
  if ('url' in element) return [];
  const text = 'text' in element ? element.text : null;
  return typeof text === 'object' && text !== null && 'text' in text ? [String(text.text)] : [];
}
