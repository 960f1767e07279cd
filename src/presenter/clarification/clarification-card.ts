import type { ActionsBlock, KnownBlock } from '@slack/types';
import { assertNever } from '../../domain/assert-never.ts';
import type { Clarification, PauseOf } from '../../domain/pause.ts';
import type { MessageContent } from '../../domain/ports/chat.ts';
import { ACTION_IDS, optionActionId, selectOptionValue } from '../action-ids.ts';
import { actions, button, context, plain, section, textSections } from '../blocks.ts';
import { brokenWords, type CardRun, startOverBlocks, stoppedWords } from '../card-run.ts';
import { LIMITS } from '../limits.ts';
import { escapeWithin } from '../text/escape.ts';
import { atTime, slackTime, untilText, utcTime } from '../text/time-text.ts';
import { mention } from '../text/words.ts';
import { type OfferedOption, offeredOptions, questionSections, spokenQuestion } from './question.ts';

const ANSWER_SECTIONS = 4;
/** More options than this become a menu: three rows of buttons still leave room for a long question. */
const MAX_BUTTONS = 50;
const QUESTION_IN_TEXT = 1_000;
const ANSWER_IN_TEXT = 200;
const KEPT = 'The answer is kept: *Resume* on the status message goes on with it.';

/** All that a clarification's card shows. The requester of the run answers. */
export type ClarificationView = { pause: PauseOf<'clarification'>; run: CardRun };

/**
 * Draws a clarification as it stands (contract C16, C17, C21, C24): open with its buttons, or what became of it without
 * them. The question is always there in full.
 */
export function clarificationCard(view: ClarificationView): MessageContent {
  switch (view.pause.state) {
    case 'open':
      return openCard(view);
    case 'decided':
      return decidedCard(view);
    case 'expired':
      return expiredCard(view);
    case 'cancelled':
      return cancelledCard(view);
    default:
      return assertNever(view.pause.state);
  }
}

function openCard({ pause, run }: ClarificationView): MessageContent {
  const who = mention(run.requesterId);
  return {
    text: `A question for ${who}, open until ${utcTime(pause.deadlineAt)}: ${escapeWithin(spokenQuestion(pause.request), QUESTION_IN_TEXT)}`,
    blocks: [
      section(`*A question for ${who}*\nThe run waits for the answer ${untilText(pause)}.`),
      ...questionSections(pause.request),
      ...choices(pause),
      context(
        `Only ${who} can answer: ${howToChoose(pause.request)}, or reply in this thread${replyHint(pause.request)}.`,
      ),
    ],
  };
}

function howToChoose(request: Clarification): string {
  return isMenu(offeredOptions(request)) ? 'choose from the menu' : 'press a button';
}

/** More options than a menu holds can only be answered in words. */
function isMenu({ length }: readonly OfferedOption[]): boolean {
  return length > MAX_BUTTONS && length <= LIMITS.select.options;
}

function replyHint(request: Clarification): string {
  return offeredOptions(request).length > 0 ? ' with an option, its number or words of your own' : '';
}

function choices(pause: PauseOf<'clarification'>): KnownBlock[] {
  const options = offeredOptions(pause.request);
  const open = button({ actionId: ACTION_IDS.openAnswer, label: 'Answer…', value: pause.id });
  if (options.length === 0) return [actions([{ ...open, style: 'primary' }])];
  if (isMenu(options)) return [actions([optionMenu(pause.id, options), open])];
  if (options.length > MAX_BUTTONS) return [actions([open])];
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

function optionMenu(pauseId: string, options: readonly OfferedOption[]): ActionsBlock['elements'][number] {
  return {
    type: 'static_select',
    action_id: ACTION_IDS.selectAnswer,
    placeholder: plain('Choose an answer', LIMITS.select.placeholder),
    options: options.map(({ text, index }) => ({
      text: plain(text, LIMITS.select.optionText),
      value: selectOptionValue(pauseId, index),
    })),
  };
}

function decidedCard({ pause, run }: ClarificationView): MessageContent {
  const answer = pause.decision?.kind === 'clarification' ? pause.decision.answer : '';
  const who = pause.decidedBy ? mention(pause.decidedBy) : 'Someone';
  const broken = brokenWords(run, KEPT);
  return {
    text: `${who} answered: ${escapeWithin(answer, ANSWER_IN_TEXT)}`,
    blocks: [
      ...questionSections(pause.request),
      section(`*${who} answered${atTime(pause.decidedAt)}:*`),
      ...textSections(answer, ANSWER_SECTIONS),
      ...(broken === null ? [] : [section(broken)]),
    ],
  };
}

function expiredCard({ pause, run }: ClarificationView): MessageContent {
  const hint = run.choice ? '' : ' Start over to ask again.';
  return {
    text: `No answer by ${utcTime(pause.deadlineAt)}, so the run has expired.`,
    blocks: [
      ...questionSections(pause.request),
      section(`*No answer by ${slackTime(pause.deadlineAt)}*, so the run has expired.${hint}`),
      ...startOverBlocks(run),
    ],
  };
}

function cancelledCard({ pause, run }: ClarificationView): MessageContent {
  const what = `${stoppedWords(run)}, so this question needs no answer any more.`;
  return { text: what, blocks: [...questionSections(pause.request), section(what)] };
}
