import type { SandboxPlanner } from '../planner/sandbox-planner.ts';
import type { SandboxMessage } from '../slack/history.ts';
import type { SandboxSlack } from '../slack/sandbox-slack.ts';
import { answerCard } from './answer-card.ts';
import { type AskedKind, readThread } from './demo-thread.ts';
import { type Look, PLAIN } from './look.ts';
import { createThreadPrinter, INDENT } from './thread-printer.ts';

/** How a request came out: `ok` with a one-line summary, or not, with the reason. */
export type RequestResult = { ok: boolean; summary: string };

type Sandbox = { slack: SandboxSlack; planner: SandboxPlanner; write: (line: string) => void; look?: Look };

/** What Slack shows instead of the bot's user name: see manifest.yml. */
const BOT_DISPLAY_NAME = 'Steward';

/** `timeoutMs` bounds each wait for the next change that matters; `mustAsk` is what the bot has to ask on its way. */
export type DemoRequest = { text: string; timeoutMs: number; mustAsk?: readonly AskedKind[] };

/**
 * Asks the bot in a new thread, prints the thread as it changes, answers its questions, payments and cards by itself,
 * and tells how it came out.
 */
export async function runRequest(sandbox: Sandbox, request: DemoRequest): Promise<RequestResult> {
  const { slack, write, look = PLAIN } = sandbox;
  const startedAt = Date.now();
  const { channel, ts } = await slack.mention({ text: `<@${slack.setup.bot.userId}> ${escapeText(request.text)}` });
  const printer = createThreadPrinter({
    write,
    look,
    nameOf: (userId) => userName(slack, userId),
    elapsedMs: () => Date.now() - startedAt,
  });
  const people = {
    slack,
    timeoutMs: request.timeoutMs,
    say: (line: string) => write(look.fit(look.faint(`${' '.repeat(INDENT)}(${line})`), INDENT)),
  };
  const done = new Map<string, AskedKind>();
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
    if (state.kind !== 'asking') return summarise(sandbox, { state, request, startedAt, asked: [...done.values()] });
    done.set(state.card.message.ts, state.card.kind);
    await answerCard(people, state.card);
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

type Finished = {
  state: { kind: 'answered' | 'ended-without-answer'; status: SandboxMessage };
  request: DemoRequest;
  startedAt: number;
  asked: AskedKind[];
};

function summarise({ planner }: Sandbox, { state, request, startedAt, asked }: Finished): RequestResult {
  const { status } = state;
  const firstStatusMs = (status.versions[0]?.atMs ?? Date.now()) - startedAt;
  const session = planner.requests.findLast((each) =>
    JSON.stringify(each.messages).includes(JSON.stringify(request.text)),
  )?.sessionId;
  const deltas = planner.requests
    .filter((each) => each.sessionId === session)
    .reduce((sum, each) => sum + each.planEvents, 0);
  const facts = [
    `first status after ${seconds(firstStatusMs)}`,
    `${countOf(status.versions.length - 1, 'edit')} of the status message`,
    `${countOf(deltas, 'plan delta')} folded`,
    ...(asked.length > 0 ? [`answered by the demo: ${asked.join(', ')}`] : []),
  ].join(', ');
  const missing = (request.mustAsk ?? []).filter((kind) => !asked.includes(kind));
  if (state.kind === 'answered' && missing.length > 0) {
    return { ok: false, summary: `Answered, but the bot never asked for: ${missing.join(', ')} (${facts}).` };
  }
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
