import type { KnownBlock } from '@slack/types';
import type { Card, CardField, Selection } from '../../domain/card.ts';
import { section, textSections } from '../blocks.ts';
import { brokenWords, startOverBlocks, stoppedWords } from '../card-run.ts';
import { type Fact, factSections } from '../facts.ts';
import { fitBlocks } from '../fit-blocks.ts';
import { escapeWithin } from '../text/escape.ts';
import { label } from '../text/label.ts';
import { atTime, slackTime, utcTime } from '../text/time-text.ts';
import { mention } from '../text/words.ts';
import { fieldWords, optionWords } from './interaction-fields.ts';
import type { InteractionView } from './interaction-view.ts';

/** What a closed card says below what was to be read; `text` is its summary. */
export type InteractionEnd = { text: string; head: KnownBlock[]; tail: KnownBlock[] };

const CHOSEN = 300;
const WORDS_SECTIONS = 4;
const KEPT = 'The answer is kept: *Resume* on the status message goes on with it.';
const VALUES_ROOM = { blocks: 15, bytes: 20_000 };

/** What was chosen or filled in, by whom and when (contract C21). */
export function decidedInteraction(view: InteractionView): InteractionEnd {
  const end = answeredInteraction(view);
  const broken = brokenWords(view.run, KEPT);
  return broken === null ? end : { ...end, tail: [...end.tail, section(broken)] };
}

function answeredInteraction({ pause }: InteractionView): InteractionEnd {
  const who = pause.decidedBy ? mention(pause.decidedBy) : 'Someone';
  const when = atTime(pause.decidedAt);
  const { label: chosen, selection, text, isCancelled } = pause.decision?.kind === 'card' ? pause.decision : NO_ANSWER;
  if (isCancelled) {
    const said = `${who} cancelled this card`;
    return { text: `${said}.`, head: [section(`*${said}${when}.* The planner is told so.`)], tail: [] };
  }
  const what = chosen === null ? '' : ` “${escapeWithin(label(chosen, CHOSEN) ?? '…', CHOSEN * 2)}”`;
  const did = chosen !== null ? 'chose' : text !== null ? 'answered in words' : 'filled in the card';
  const values = fitBlocks(factSections(filledFacts(pause.request.card, selection)), VALUES_ROOM);
  const more = values.isCut ? [section('_More was filled in than fits here._')] : [];
  return {
    text: `${who} ${did}${what}.`,
    head: [section(`*${who} ${did}${what}${when}*`), ...values.kept, ...more],
    tail: text === null ? [] : textSections(text, WORDS_SECTIONS),
  };
}

const NO_ANSWER = { label: null, selection: {}, text: null, isCancelled: false } as const;

/** The values of the card's fields, as people read them; identifiers that only the planner knows stay out. */
function filledFacts(card: Card, selection: Selection): Fact[] {
  return card.fields.flatMap((field, index) => {
    const value = Object.getOwnPropertyDescriptor(selection, field.name)?.value;
    return value === undefined ? [] : [{ name: fieldWords({ field, index }), value: valueText(field, value) }];
  });
}

function valueText(field: CardField, value: string | number | boolean): string {
  const index = field.options.findIndex((each) => each.value === value);
  if (index !== -1) return optionWords(field, index);
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return String(value);
}

/** Contract C24: nobody is told that a person refused. */
export function expiredInteraction({ pause, run }: InteractionView): InteractionEnd {
  return {
    text: `No answer by ${utcTime(pause.deadlineAt)}, so the run has expired.`,
    head: [
      section(
        `*No answer by ${slackTime(pause.deadlineAt)}*, so the run has expired. The planner is not told that anybody refused.`,
      ),
    ],
    tail: startOverBlocks(run),
  };
}

export function cancelledInteraction({ run }: InteractionView): InteractionEnd {
  const text = `${stoppedWords(run)}, so this card needs no answer any more.`;
  return { text, head: [section(text)], tail: [] };
}
