import { assertNever } from '../domain/assert-never.ts';
import type { Pause } from '../domain/pause.ts';
import type { MessageContent } from '../domain/ports/chat.ts';
import type { ActionResult } from '../domain/ports/run-commands.ts';
import type { Run } from '../domain/run.ts';
import { section } from './blocks.ts';
import { LIMITS } from './limits.ts';
import { elapsedWords, progressWords, stateWords } from './run-words.ts';
import { cleanText, escapeMrkdwn, escapeWithin, truncate } from './text/escape.ts';
import { label } from './text/label.ts';
import { splitMrkdwn } from './text/split-text.ts';
import { slackTime } from './text/time-text.ts';
import { countOf, mention } from './text/words.ts';

const LISTED_RUNS = 10;
const REQUEST = 80;
const ANSWER = 300;

/** What Steward does and how to ask for it. */
export function helpText(): string {
  return [
    'I break a request into steps, work through them with agents and tools, and answer in the thread.',
    '• Mention me with a request, or write to me directly. A reply in the thread is the next request.',
    '• `/steward` with a request starts one from anywhere in a channel.',
    '• `/steward status` shows your runs and what waits for you; `/steward stop` stops your runs in this channel.',
    '• *Stop* on the status message, or `stop` in the thread, ends a run.',
    'I ask here when I need to know something, and I never pay for anything without your approval.',
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
      return alreadyDecided(result.pause);
    case 'expired':
      return 'The time for an answer is over, so the run has ended. Use *Start over* to ask again.';
    case 'not-allowed':
      return `Only ${mention(result.allowedId)} can do this.`;
    case 'terms-changed':
      return 'The question has changed since you opened it. Nothing was sent; please look at it again.';
    case 'already-over':
      return `${alreadyOver(result.run)} There is nothing left to do here.`;
    case 'unknown':
      return 'This button no longer belongs to anything I know. Mention me to start again.';
    default:
      return assertNever(result);
  }
}

function alreadyDecided(pause: Pause): string {
  const who = pause.decidedBy ? mention(pause.decidedBy) : 'Someone';
  const when = pause.decidedAt ? ` at ${slackTime(pause.decidedAt)}` : '';
  const what = pause.decision ? `: ${escapeWithin(pause.decision.answer, ANSWER)}` : '';
  return `${who} has already answered${when}${what}`;
}

function alreadyOver(run: Run): string {
  if (run.choice) return `${mention(run.choice.actorId)} was first at ${slackTime(run.choice.at)}.`;
  return `This run is over (${stateWords(run).toLowerCase()}).`;
}

/** A person's live runs and the questions that wait for them, for `/steward status`. Our own mrkdwn, one message. */
export function statusListText(list: {
  runs: readonly Run[];
  waiting: ReadonlyArray<{ pause: Pause; run: Run }>;
  now: Date;
}): string {
  const { runs, waiting, now } = list;
  if (runs.length === 0 && waiting.length === 0) return 'You have no runs under way, and nothing waits for you.';
  return [
    ...listOf('*Your runs*', runs, (run) => runLine(run, now)),
    ...listOf('*Waiting for you*', waiting, waitingLine),
  ].join('\n');
}

function listOf<T>(title: string, items: readonly T[], toLine: (item: T) => string): string[] {
  if (items.length === 0) return [];
  const more = items.length - LISTED_RUNS;
  return [title, ...items.slice(0, LISTED_RUNS).map(toLine), ...(more > 0 ? [`…and ${more} more`] : [])];
}

function runLine(run: Run, now: Date): string {
  const facts = [stateWords(run), progressWords(run.plan), elapsedWords(run, now), `<#${run.thread.channelId}>`];
  return `• ${requestWords(run)} – ${facts.filter(Boolean).join(' · ')}`;
}

function waitingLine({ pause, run }: { pause: Pause; run: Run }): string {
  const question = escapeWithin(label(pause.request.question, REQUEST) ?? 'a question', REQUEST * 2);
  return `• ${question} – until ${slackTime(pause.deadlineAt)} · <#${run.thread.channelId}> · ${requestWords(run)}`;
}

function requestWords(run: Run): string {
  const words = truncate(cleanText(run.text).replace(/\s+/g, ' ').trim(), REQUEST);
  return words === '' ? 'a request with files' : `“${escapeWithin(words, REQUEST * 2)}”`;
}

/** The message that a slash command's run lives under: who asked, and the request in full. Our own mrkdwn. */
export function commandRootText({ actorId, text }: { actorId: string; text: string }): string {
  return `${mention(actorId)} asked: ${escapeMrkdwn(text)}`;
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
