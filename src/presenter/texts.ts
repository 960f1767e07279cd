import type { KnownBlock } from '@slack/types';
import { assertNever } from '../domain/assert-never.ts';
import type { Card } from '../domain/card.ts';
import type { Pause, PauseKind } from '../domain/pause.ts';
import type { LedgerEntry } from '../domain/payment.ts';
import type { MessageContent } from '../domain/ports/chat.ts';
import type { ActionResult } from '../domain/ports/run-commands.ts';
import type { Run } from '../domain/run.ts';
import { context, section } from './blocks.ts';
import { alreadyDecidedText } from './decided-words.ts';
import { failureAdvice } from './failure-text.ts';
import { cardBody, choiceListBlocks, drawnCard, noteBlocks } from './interaction/interaction-body.ts';
import type { ImageStyle } from './interaction/interaction-items.ts';
import { LIMITS } from './limits.ts';
import { pauseWords } from './pause-words.ts';
import { approvedLines, paymentWords } from './payment/payment-record.ts';
import { choiceWords, elapsedWords, progressWords, stateWords } from './run-words.ts';
import { isolate } from './text/direction.ts';
import { cleanText, escapeMrkdwn, escapeWithin, truncate } from './text/escape.ts';
import { label } from './text/label.ts';
import { splitMrkdwn } from './text/split-text.ts';
import { slackTime } from './text/time-text.ts';
import { countOf, mention } from './text/words.ts';

const LISTED_RUNS = 10;
const REQUEST = 80;
const PAYMENTS_LISTED = 20;

/** What Steward does and how to ask for it. */
export function helpText(): string {
  return [
    'I break a request into steps, work through them with agents and tools, and answer in the thread.',
    '• Mention me with a request, or write to me directly. A reply in the thread answers what I ask there; else it is the next request.',
    '• `/steward` with a request starts one from anywhere in a channel.',
    '• `/steward status` shows your runs and what waits for you; `/steward stop` stops your runs in this channel.',
    '• *Stop* on the status message, or `stop` in the thread, ends a run.',
    'I ask in the thread when I need to know something. I move no money myself, and approve no payment: a person does, with *Approve…* on its card.',
  ].join('\n');
}

/** Files that came with an answer: the planner gets words only. */
export function filesNotPassedOnText(files: readonly { name: string }[]): string {
  const names = files.map(({ name }) => `*${escapeWithin(label(name, REQUEST) ?? 'a file', REQUEST * 2)}*`).join(', ');
  return truncate(
    `The planner was given your words as the answer, but not ${names}: it takes files with a request only.`,
    LIMITS.section,
  );
}

/** What a click came to, told to the person who clicked. Our own mrkdwn. */
export function actionResultText(result: ActionResult): string {
  switch (result.kind) {
    case 'accepted':
      return 'Done.';
    case 'already-decided':
      return alreadyDecidedText(result);
    case 'expired':
      return 'The time for an answer is over, so the run has expired. Use *Start over* to ask again.';
    case 'not-allowed':
      return `Only ${mention(result.allowedId)}, who asked for this run, can do this.`;
    case 'refused':
      return result.reason;
    case 'one-more-needed':
      return 'Your approval is recorded. It takes one more, by someone else, before the planner is told.';
    case 'terms-changed':
      return CHANGED[result.pause.request.kind];
    case 'already-over':
      return `${alreadyOver(result.run)} There is nothing left to do here.`;
    case 'unknown':
      return 'This button no longer belongs to anything I know. Mention me to start again.';
    default:
      return assertNever(result);
  }
}

const CHANGED: Record<PauseKind, string> = {
  clarification: 'The question has changed since you opened it. Nothing was sent; please look at it again.',
  payment: 'The terms have changed since you opened them. Nothing was decided; please look at them again.',
  card: 'The card has changed since you opened it. Nothing was sent; please look at it again.',
};

/** A click or submission whose decision could not be stored. */
export function notDeliveredText(): string {
  return 'This could not be stored, so nothing was decided. Please try again in a moment.';
}

/** A reply while a payment waits. `kept`: it was taken as the thread's next request. */
export function wordsDoNotDecideText({ kept }: { kept: boolean }): string {
  const next = kept
    ? 'Your message is kept as the next request, and its turn comes when this run has ended.'
    : 'Your message was not passed on.';
  return `A payment waits here, and words neither approve nor decline it: press *Approve…* or *Decline* on its card. ${next}`;
}

/** What had been approved in the run that `actorId` starts over; `payments` are its ledger entries. */
export function startedOverText({ actorId, payments }: { actorId: string; payments: readonly LedgerEntry[] }): string {
  return [
    `${mention(actorId)} started over. In the run before, this had been approved (I moved no money myself):`,
    ...approvedLines(payments, PAYMENTS_LISTED),
    'The new run knows nothing of it. Before you approve the same again, make sure that it was not paid already.',
  ].join('\n');
}

/** Why an approved payment is not passed on; `reason` is a sentence of the policy's, our own mrkdwn. */
export function withheldText({ entry, reason }: { entry: LedgerEntry; reason: string }): string {
  return [
    `*The approval of ${paymentWords(entry)} is not passed on to the planner:* the policy does not allow it as things stand.`,
    reason,
    failureAdvice('approval_withheld'),
  ].join('\n');
}

/** A card that only informs: what is to be read on it, without buttons. Nothing waits for it. */
export function cardNoticeMessage(card: Card): MessageContent {
  const list = choiceListBlocks(card, 'all');
  const notes = noteBlocks(card);
  const others = [context('_The planner shows a card. It needs no answer._'), ...list.kept, ...notes.kept];
  const draw = (images: ImageStyle): KnownBlock[] => {
    const items = cardBody(card, { images, others, reserved: 1 });
    const isCut = items.isCut || list.isCut || notes.isCut;
    const cut = isCut ? [context('_The rest of the card is left out here._')] : [];
    const [head, ...below] = others;
    return [...(head ? [head] : []), ...items.kept, ...below, ...cut];
  };
  const title = label(card.title, REQUEST);
  const subject = title === null ? '' : `: ${escapeWithin(title, REQUEST * 2)}`;
  return drawnCard({ card, text: `The planner shows a card${subject}`, draw });
}

function alreadyOver(run: Run): string {
  if (run.choice) return choiceWords(run.choice);
  return `This run is over (${stateWords(run).toLowerCase()}).`;
}

/** A person's live runs and the pauses that wait for them, for `/steward status`. Our own mrkdwn, one message. */
export function statusListText(list: {
  runs: readonly Run[];
  waiting: ReadonlyArray<{ pause: Pause; run: Run }>;
  asked?: ReadonlyMap<string, PauseKind>;
  now: Date;
}): string {
  const { runs, waiting, now } = list;
  if (runs.length === 0 && waiting.length === 0) return 'You have no runs under way, and nothing waits for you.';
  const asked = list.asked ?? new Map(waiting.map(({ pause, run }) => [run.id, pause.request.kind]));
  return [
    ...listOf('*Your runs*', runs, (run) => runLine({ run, now, asked: asked.get(run.id) ?? null })),
    ...listOf('*Waiting for you*', waiting, waitingLine),
  ].join('\n');
}

function listOf<T>(title: string, items: readonly T[], toLine: (item: T) => string): string[] {
  if (items.length === 0) return [];
  const more = items.length - LISTED_RUNS;
  return [title, ...items.slice(0, LISTED_RUNS).map(toLine), ...(more > 0 ? [`…and ${more} more`] : [])];
}

function runLine({ run, now, asked }: { run: Run; now: Date; asked: PauseKind | null }): string {
  const facts = [stateWords(run, asked), progressWords(run.plan), elapsedWords(run, now), `<#${run.thread.channelId}>`];
  return `• ${requestWords(run)} – ${facts.filter(Boolean).join(' · ')}`;
}

/** A payment may wait for somebody who did not ask for the run. */
function waitingLine({ pause, run }: { pause: Pause; run: Run }): string {
  const by = pause.request.kind === 'payment' ? ` by ${mention(run.requesterId)}` : '';
  const until = `until ${slackTime(pause.deadlineAt)}`;
  return `• ${pauseWords(pause)} – ${until} · <#${run.thread.channelId}> · ${requestWords(run)}${by}`;
}

function requestWords(run: Run): string {
  const words = truncate(cleanText(run.text).replace(/\s+/g, ' ').trim(), REQUEST);
  return words === '' ? 'a request with files' : `“${escapeWithin(words, REQUEST * 2)}”`;
}

/** The message that a slash command's run lives under: who asked, and the request in full. Our own mrkdwn. */
export function commandRootText({ actorId, text }: { actorId: string; text: string }): string {
  return `${mention(actorId)} asked: ${isolate(escapeMrkdwn(text))}`;
}

/**
 * A message of our own words. `text` is mrkdwn that was made by a function of this folder: text of others in it is
 * escaped already. Long text takes several sections.
 */
export function noticeMessage(text: string): MessageContent {
  return {
    text: truncate(text, LIMITS.message.text),
    blocks: splitMrkdwn(text, LIMITS.section).slice(0, LIMITS.message.blocks).map(section),
  };
}

/** Which attached files could not be used. `problems` are plain sentences, each naming its file. */
export function fileProblemsText(problems: readonly string[]): string {
  const [only] = problems;
  if (only !== undefined && problems.length === 1) return `I go on without one file: ${escapeMrkdwn(only)}`;
  return [
    `I go on without ${countOf(problems.length, 'file')}:`,
    ...problems.map((problem) => `• ${escapeMrkdwn(problem)}`),
  ].join('\n');
}

/** How many runs a request to stop has stopped. */
export function stopAllText(count: number): string {
  return count === 0 ? 'You have no runs to stop here.' : `Stopping ${countOf(count, 'run')}.`;
}

/** `stop` in a thread with nothing under way. */
export function nothingToStopText(): string {
  return 'Nothing is running in this thread.';
}

/** `stop` by somebody whose run it is not. */
export function onlyRequesterStopsText(requesterId: string): string {
  return `Only ${mention(requesterId)}, who asked for this run, can stop it.`;
}

/** Slack's words for a channel that the bot is not in. */
const ABSENT_CODES: ReadonlySet<string | null> = new Set(['not_in_channel', 'channel_not_found']);

/** A command whose message Slack does not take for good; `slackCode` is Slack's word for the reason, if it gave one. */
export function commandRefusedText(slackCode: string | null): string {
  if (ABSENT_CODES.has(slackCode)) {
    return 'I am not in this conversation, so I cannot post here. Invite me with `/invite @Steward`, then send the command again.';
  }
  const reason = slackCode === null ? '' : ` (\`${slackCode}\`)`;
  return `Slack does not let me post here${reason}, so nothing was started. Try again in another channel.`;
}

/** A press of "Answer…" that led to no modal. */
export function modalNotOpenedText(): string {
  return 'The answer window could not be opened. Please press the button again.';
}

/** A modal sent without an answer; plain text, beside the field. */
export function emptyAnswerText(): string {
  return 'Please type an answer.';
}
