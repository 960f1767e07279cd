import { setTimeout as delay } from 'node:timers/promises';
import type { SandboxSlack } from '../slack/sandbox-slack.ts';
import type { SandboxView } from '../slack/views.ts';
import { buttonsOf, type OpenCard } from './demo-thread.ts';
import { fillModal } from './fill-modal.ts';
import { modalLines } from './message-lines.ts';

type People = {
  slack: SandboxSlack;
  /** Writes a line of the demo's own, between what the thread shows. */
  say: (line: string) => void;
  /** Longest wait for what the bot does about a press. */
  timeoutMs: number;
};

/** Time for a reader to see a card, or a window, before it is answered. */
const READING_MS = 700;

/**
 * Answers a card as people would: a question by its first option or a reply, a payment by "Approve…", a card by its first
 * choice; fills in and sends the window that opens. Throws an Error that says what the bot did not do.
 */
export async function answerCard(people: People, card: OpenCard): Promise<void> {
  const { slack, say } = people;
  await delay(READING_MS);
  const { channel, ts, threadTs } = card.message;
  const button = chooseButton(card);
  if (button === null) {
    say('the demo answers by itself: it replies in the thread');
    await slack.reply({ channel, threadTs: threadTs ?? ts, text: 'Whatever you think is best' });
    return;
  }
  say(`the demo answers by itself: it clicks "${button}"`);
  const whispers = slack.ephemerals().length;
  await slack.click({ channel, messageTs: ts, text: button });
  const view = await waitForEffect(people, { card, whispers });
  if (view) await sendModal(people, { view, card });
}

const OWN_WORDS = ['Answer…', 'Answer in words…', 'Cancel', 'Decline'];
const OPENERS = ['Fill in…', 'Choose…', 'Show all…'];

/** The button a person would press, or null to reply in words. */
function chooseButton({ kind, buttons }: OpenCard): string | null {
  if (kind === 'payment') return 'Approve…';
  const choice = buttons.find((label) => !OWN_WORDS.includes(label) && !OPENERS.includes(label));
  if (choice !== undefined || kind === 'question') return choice ?? null;
  return buttons.find((label) => OPENERS.includes(label) && label !== 'Show all…') ?? 'Answer in words…';
}

/** The window that a press opened, or null when the card is answered by it. */
async function waitForEffect(
  { slack, timeoutMs }: People,
  { card, whispers }: { card: OpenCard; whispers: number },
): Promise<SandboxView | null> {
  const user = slack.setup.users[0]?.id ?? '';
  const effect = await slack.waitFor(
    () => {
      const view = slack.openViews(user).at(-1);
      if (view) return { view };
      const refusal = slack.ephemerals().slice(whispers).at(-1);
      if (refusal) return { refusal: refusal.text };
      return isAnswered(slack, card) ? { view: null } : null;
    },
    { timeoutMs },
  );
  if ('refusal' in effect) throw new Error(`The bot refused the click: ${effect.refusal}`);
  return effect.view;
}

async function sendModal(people: People, { view, card }: { view: SandboxView; card: OpenCard }): Promise<void> {
  const { slack, say, timeoutMs } = people;
  const lines = modalLines(view.view);
  for (const line of lines) say(line);
  await delay(READING_MS);
  say(`the demo fills it in and presses ${lines.at(-1) ?? 'nothing'}`);
  const { errors, problem, acked } = await slack.submitView({ viewId: view.id, values: fillModal(view.view) });
  const reason = errors ? JSON.stringify(errors) : (problem ?? (acked ? null : 'it did not acknowledge it'));
  if (reason !== null) throw new Error(`The bot did not take the window "${lines[0]}": ${reason}`);
  await slack.waitFor(() => isAnswered(slack, card), { timeoutMs });
}

/** Whether a card has lost its buttons. */
function isAnswered(slack: SandboxSlack, { message, buttons }: OpenCard): boolean {
  const now = slack.messages(message.channel).find(({ ts }) => ts === message.ts);
  return !now || !buttonsOf(now).some((label) => buttons.includes(label));
}
