import type { KnownBlock } from '@slack/types';
import type { Pause } from '../domain/pause.ts';
import { isLive, isResumable, type Run, type RunChoice } from '../domain/run.ts';
import { section } from './blocks.ts';
import { failureAdvice, failureText } from './failure-text.ts';
import { progressWords } from './run-words.ts';
import { escapeWithin } from './text/escape.ts';
import { label } from './text/label.ts';
import { slackTime } from './text/time-text.ts';
import { countOf, mention } from './text/words.ts';

const ANSWERS_SHOWN = 3;
const ANSWER = 150;
const EXCERPT = 2_500;

const CHOICES: Record<RunChoice['action'], string> = {
  start_over: 'Start over',
  close: 'Close',
};

/** What a status message says about a run that is over and has no answer; nothing for any other run. */
export function endSections(run: Run, pause: Pause | null): KnownBlock[] {
  if (isLive(run.state) || run.state === 'completed') return [];
  const lines = [endSentence(run, pause), approvedSoFar(run, pause), choiceLine(run.choice)];
  return [section(lines.filter(Boolean).join('\n')), ...partialAnswer(run.answer)];
}

function endSentence(run: Run, pause: Pause | null): string {
  if (run.state === 'stopped') {
    const verb = run.choice?.action === 'close' ? 'Closed' : 'Stopped';
    const by = run.stopRequestedBy ? ` by ${mention(run.stopRequestedBy)}` : '';
    return `${verb}${by}. ${progressWords(run.plan) ?? 'No task'} had been done.`;
  }
  if (run.state === 'expired') {
    const when = pause ? ` by ${slackTime(pause.deadlineAt)}` : '';
    return `There was no answer to the planner's question${when}, so the run ended.`;
  }
  const failed = failureText(run.failure, run.id);
  // Once somebody has chosen what to do, advice would only confuse.
  if (run.choice) return failed;
  const goesOn = run.state === 'failed' && isResumable(run) ? ' *Resume* goes on with the answers given so far.' : '';
  return `${failed}\n${failureAdvice(run.failure)}${goesOn}`;
}

/** The answers people gave before the end: what the planner may already have acted on. */
function approvedSoFar(run: Run, pause: Pause | null): string {
  const answers = run.turns.flatMap((turn) => (turn.role === 'user' ? [turn.content] : []));
  if (answers.length === 0) return 'Nothing had been approved or paid.';
  const shown = answers
    .slice(-ANSWERS_SHOWN)
    .map((answer) => `“${escapeWithin(label(answer, ANSWER) ?? '…', ANSWER * 2)}”`);
  const earlier = answers.length > shown.length ? `, after ${answers.length - shown.length} earlier` : '';
  const by = pause?.state === 'decided' && pause.decidedBy ? ` (the last by ${mention(pause.decidedBy)})` : '';
  return `Nothing had been paid. ${countOf(answers.length, 'answer')} had been given: ${shown.join(', ')}${earlier}${by}.`;
}

function choiceLine(choice: RunChoice | null): string | null {
  if (!choice) return null;
  return `${mention(choice.actorId)} chose *${CHOICES[choice.action]}* at ${slackTime(choice.at)}.`;
}

function partialAnswer(answer: string): KnownBlock[] {
  const start = answer.trim().slice(0, EXCERPT * 2);
  if (label(start, EXCERPT) === null) return [];
  const shown = escapeWithin(start.replaceAll('[object Object]', '…'), EXCERPT);
  return [section(`*Partial, not an answer:*\n${shown}`)];
}
