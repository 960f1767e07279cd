import { setTimeout as delay } from 'node:timers/promises';
import type { SandboxPlanner } from '../planner/sandbox-planner.ts';
import type { SandboxMessage } from '../slack/history.ts';
import type { SandboxSlack } from '../slack/sandbox-slack.ts';
import { type OpenCard, readThread } from './demo-thread.ts';
import { type Look, PLAIN } from './look.ts';
import { createThreadPrinter, INDENT } from './thread-printer.ts';

/** How a request came out: `ok` with a one-line summary, or not, with the reason. */
export type RequestResult = { ok: boolean; summary: string };

type Sandbox = { slack: SandboxSlack; planner: SandboxPlanner; write: (line: string) => void; look?: Look };

/** What Slack shows instead of the bot's user name: see manifest.yml. */
const BOT_DISPLAY_NAME = 'Steward';
/** Time for a reader to see a question before it is answered. */
const READING_MS = 800;

/**
 * Asks the bot in a new thread, prints the thread as it changes, answers every question by itself, and tells how it
 * came out. `timeoutMs` bounds each wait for the next change that matters.
 */
export async function runRequest(
  sandbox: Sandbox,
  request: { text: string; timeoutMs: number },
): Promise<RequestResult> {
  const { slack, write, look = PLAIN } = sandbox;
  const startedAt = Date.now();
  const { channel, ts } = await slack.mention({ text: `<@${slack.setup.bot.userId}> ${escapeText(request.text)}` });
  const printer = createThreadPrinter({
    write,
    look,
    nameOf: (userId) => userName(slack, userId),
    elapsedMs: () => Date.now() - startedAt,
  });
  const done = new Set<string>();
  for (;;) {
    const state = await slack.waitFor(
      () => {
        const messages = slack.thread(channel, ts);
        printer.show(messages);
        const read = readThread(messages, (card) => done.has(card.ts));
        return read.kind === 'working' ? null : read;
      },
      { timeoutMs: request.timeoutMs },
    );
    if (state.kind !== 'asking') return summarise(sandbox, { state, request: request.text, startedAt });
    done.add(state.card.message.ts);
    await answerCard(sandbox, state.card);
  }
}

/** Slack's client sends these three escaped. */
function escapeText(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

function userName(slack: SandboxSlack, userId: string): string {
  if (userId === slack.setup.bot.userId) return BOT_DISPLAY_NAME;
  return slack.setup.users.find((user) => user.id === userId)?.name ?? userId;
}

async function answerCard({ slack, write, look = PLAIN }: Sandbox, { message, options }: OpenCard): Promise<void> {
  await delay(READING_MS);
  const { channel, ts, threadTs } = message;
  const [option] = options;
  const how = option ? `it clicks "${option}"` : 'it replies in the thread';
  write(look.faint(`${' '.repeat(INDENT)}(the demo answers by itself: ${how})`));
  if (option) await slack.click({ channel, messageTs: ts, text: option });
  else await slack.reply({ channel, threadTs: threadTs ?? ts, text: 'Whatever you think is best' });
}

type Finished = {
  state: { kind: 'answered' | 'ended-without-answer'; status: SandboxMessage };
  request: string;
  startedAt: number;
};

function summarise({ planner }: Sandbox, { state, request, startedAt }: Finished): RequestResult {
  const { status } = state;
  const firstStatusMs = (status.versions[0]?.atMs ?? Date.now()) - startedAt;
  const session = planner.requests.findLast((each) =>
    JSON.stringify(each.messages).includes(JSON.stringify(request)),
  )?.sessionId;
  const deltas = planner.requests
    .filter((each) => each.sessionId === session)
    .reduce((sum, each) => sum + each.planEvents, 0);
  const facts = [
    `first status after ${seconds(firstStatusMs)}`,
    `${countOf(status.versions.length - 1, 'edit')} of the status message`,
    `${countOf(deltas, 'plan delta')} folded`,
  ].join(', ');
  if (state.kind === 'answered') {
    return { ok: true, summary: `Answered in ${seconds(Date.now() - startedAt)}: ${facts}.` };
  }
  return { ok: false, summary: `No answer (${facts}). The bot said: ${status.text}` };
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

function countOf(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}
