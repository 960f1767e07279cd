import type { SectionBlock } from '@slack/types';
import { plain } from './blocks.ts';
import { cleanText, escapeWithin } from './text/escape.ts';
import { label } from './text/label.ts';
import { splitText } from './text/split-text.ts';

/** A name and what stands for it. Both may be text of others. */
export type Fact = { name: string; value: string };

/** Slack takes ten fields of 2,000 characters per section: five pairs. */
const FACTS_PER_SECTION = 5;
const FIELD = 2_000;
const NAME = 300;
const NOTHING = '–';

/**
 * Facts in two columns, each value in full. A value is a plain text of its own, so that it can neither be formatted nor
 * run into its neighbours, whatever it holds and whichever way it is written.
 */
export function factSections(facts: readonly Fact[]): SectionBlock[] {
  const rows = facts.flatMap(splitFact);
  const sections: SectionBlock[] = [];
  for (let from = 0; from < rows.length; from += FACTS_PER_SECTION) {
    sections.push({ type: 'section', fields: rows.slice(from, from + FACTS_PER_SECTION).flatMap(toFields) });
  }
  return sections;
}

/** A value too long for one field goes on in the next. */
function splitFact({ name, value }: Fact): Fact[] {
  const pieces = splitText(cleanText(value).trim(), FIELD);
  if (pieces.length === 0) return [{ name, value: NOTHING }];
  return pieces.map((piece, index) => ({ name: index === 0 ? name : '(continued)', value: piece }));
}

function toFields({ name, value }: Fact): NonNullable<SectionBlock['fields']> {
  const words = escapeWithin(label(name, NAME) ?? NOTHING, FIELD - 2);
  return [{ type: 'mrkdwn', text: `*${words}*` }, plain(value, FIELD)];
}
