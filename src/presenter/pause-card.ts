import type { ActionsBlock, KnownBlock } from '@slack/types';
import { assertNever } from '../domain/assert-never.ts';
import type { AnswerableRequest, Pause } from '../domain/pause.ts';
import type { MessageContent } from '../domain/ports/chat.ts';
import { isResumable, type Run } from '../domain/run.ts';
import { ACTION_IDS, optionActionId, selectOptionValue } from './action-ids.ts';
import { actions, button, context, plain, section, textSections } from './blocks.ts';
import { failureSentence } from './failure-text.ts';
import { LIMITS } from './limits.ts';
import { type OfferedOption, offeredOptions, questionSections, questionText } from './question.ts';
import { escapeWithin } from './text/escape.ts';
import { aboutText, slackTime, utcTime } from './text/time-text.ts';
import { mention } from './text/words.ts';

const ANSWER_SECTIONS = 4;
/** More options than this become a menu: three rows of buttons still leave room for a long question. */
const MAX_BUTTONS = 50;
const QUESTION_IN_TEXT = 1_000;
const ANSWER_IN_TEXT = 200;

type CardView = { pause: Pause; run: Run; now: Date };

/**
 * Draws a pause's card as it stands (contract C16, C17, C21, C24): open with its buttons, or what became of it without
 * them. The question is always there in full.
 */
export function pauseCard(view: CardView): MessageContent {
  const { pause } = view;
  switch (pause.state) {
    case 'open':
      return openCard(view);
    case 'decided':
      return decidedCard(view);
    case 'expired':
      return expiredCard(view);
    case 'cancelled':
      return cancelledCard(view);
    default:
      return assertNever(pause.state);
  }
}

function openCard({ pause, run, now }: CardView): MessageContent {
  const who = mention(run.requesterId);
  const left = aboutText(pause.deadlineAt.getTime() - now.getTime());
  const excerpt = escapeWithin(questionText(pause.request), QUESTION_IN_TEXT);
  return {
    text: `A question for ${who}, open until ${utcTime(pause.deadlineAt)}: ${excerpt}`,
    blocks: [
      section(`*A question for ${who}*\nThe run waits for the answer until ${slackTime(pause.deadlineAt)} (${left}).`),
      ...questionSections(pause.request),
      ...choices(pause),
      context(`Only ${who} can answer: press a button, or reply in this thread${replyHint(pause.request)}.`),
    ],
  };
}

function replyHint(request: AnswerableRequest): string {
  return offeredOptions(request).length > 0 ? ' with an option, its number or words of your own' : '';
}

function choices(pause: Pause): KnownBlock[] {
  const options = offeredOptions(pause.request);
  const open = button({ actionId: ACTION_IDS.openAnswer, label: 'Answer…', value: pause.id });
  if (options.length === 0) return [actions([{ ...open, style: 'primary' }])];
  if (options.length > LIMITS.select.options) return [actions([open])];
  if (options.length > MAX_BUTTONS) return [actions([optionMenu(pause, options), open])];
  const buttons = options.map(({ text, index }) =>
    button({ actionId: optionActionId(index), label: text, value: pause.id }),
  );
  return inRows([...buttons, open]);
}

function inRows(elements: ActionsBlock['elements']): ActionsBlock[] {
  const count = Math.ceil(elements.length / LIMITS.actions);
  return Array.from({ length: count }, (_, row) =>
    actions(elements.slice(row * LIMITS.actions, (row + 1) * LIMITS.actions)),
  );
}

function optionMenu(pause: Pause, options: readonly OfferedOption[]): ActionsBlock['elements'][number] {
  return {
    type: 'static_select',
    action_id: ACTION_IDS.selectAnswer,
    placeholder: plain('Choose an answer', LIMITS.select.placeholder),
    options: options.map(({ text, index }) => ({
      text: plain(text, LIMITS.select.optionText),
      value: selectOptionValue(pause.id, index),
    })),
  };
}

function decidedCard({ pause, run }: CardView): MessageContent {
  const answer = pause.decision?.answer ?? '';
  const who = pause.decidedBy ? mention(pause.decidedBy) : 'Someone';
  const at = pause.decidedAt;
  return {
    text: `${who} answered: ${escapeWithin(answer, ANSWER_IN_TEXT)}`,
    blocks: [
      ...questionSections(pause.request),
      section(`*${who} answered${at ? ` at ${slackTime(at)}` : ''}:*`),
      ...textSections(answer, ANSWER_SECTIONS),
      ...(isBroken(run) ? [section(brokenWords(run))] : []),
    ],
  };
}

/** Ended without an answer after the decision, and nobody has chosen yet what to do about it. */
function isBroken(run: Run): boolean {
  return (run.state === 'failed' || run.state === 'interrupted') && run.choice === null;
}

function brokenWords(run: Run): string {
  const todo = isResumable(run) ? ' The answer is kept: *Resume* on the status message goes on with it.' : '';
  return `*The run could not go on.* ${failureSentence(run.failure)}${todo}`;
}

function expiredCard({ pause, run }: CardView): MessageContent {
  const startOver = button({ actionId: ACTION_IDS.startOverRun, label: 'Start over', value: run.id });
  const hint = run.choice ? '' : ' Start over to ask again.';
  return {
    text: `No answer by ${utcTime(pause.deadlineAt)}, so the run has ended.`,
    blocks: [
      ...questionSections(pause.request),
      section(`*No answer by ${slackTime(pause.deadlineAt)}*, so the run has ended.${hint}`),
      ...(run.choice ? [] : [actions([startOver])]),
    ],
  };
}

function cancelledCard({ pause, run }: CardView): MessageContent {
  const by = run.stopRequestedBy ? ` by ${mention(run.stopRequestedBy)}` : '';
  const what = `The run was stopped${by}, so this question needs no answer any more.`;
  return { text: what, blocks: [...questionSections(pause.request), section(what)] };
}
