import type { KnownBlock } from '@slack/types';
import type { PaymentOption, PaymentTerms } from '../../domain/payment.ts';
import { section } from '../blocks.ts';
import { type Fact, factSections } from '../facts.ts';
import { quoteSections } from '../quote.ts';
import { withoutMarks } from '../text/direction.ts';
import { cleanText } from '../text/escape.ts';
import { label, oneLineWithin } from '../text/label.ts';

const PAYEE = 200;
const ADDRESS_START = 12;
const ADDRESS_END = 8;
/** Longer than any real one; what is cut ends in `…`, and an amount of that length is no plain decimal anyway. */
const AMOUNT = 100;
const CURRENCY = 50;
const METHOD = 100;
const REFERENCE = 500;
const NO_PAYEE = 'not named';

/** An option in one line, the amount exactly as received: `25 USD (stripe)`. Plain text, not escaped. */
export function optionText(option: PaymentOption): string {
  const method = oneLine(option.method, METHOD);
  return method === '' ? amountText(option) : `${amountText(option)} (${method})`;
}

/** `25 USD`, exactly as received. Plain text, not escaped. */
export function amountText({ amount, currency }: PaymentOption): string {
  return [oneLine(amount, AMOUNT), oneLine(currency, CURRENCY)].filter(Boolean).join(' ');
}

/** All options in one line, for summaries: `25 USD (stripe) or 30 FET (fet_direct)`. Plain text. */
export function optionsText(options: readonly PaymentOption[], max: number): string {
  const shown = options.slice(0, max).map(optionText).join(' or ');
  return options.length > max ? `${shown} or ${options.length - max} more` : shown;
}

/** The agent by its name, else by its shortened address. Plain text. */
export function payeeText(terms: PaymentTerms): string {
  return label(terms.payeeName, PAYEE) ?? addressText(terms.payeeAddress, 'short') ?? 'an agent that is not named';
}

/** An address with its middle left out (`agent1qabcde…mnopqrst`), or in full. */
export function addressText(address: string | null, form: 'short' | 'full'): string | null {
  const text = oneLine(address ?? '', REFERENCE);
  if (text === '') return null;
  const isShort = text.length <= ADDRESS_START + ADDRESS_END + 4;
  return form === 'full' || isShort ? text : `${text.slice(0, ADDRESS_START)}…${text.slice(-ADDRESS_END)}`;
}

/** How the card shows the terms: short. */
export const CARD_TERMS: TermsForm = {
  address: 'short',
  maxOptions: 10,
  moreOptions: 'listed after “Approve…”',
  descriptionSections: 6,
};

/** How the modals show them: as much as a window holds. */
export const MODAL_TERMS: TermsForm = {
  address: 'full',
  maxOptions: 100,
  moreOptions: 'more than can be chosen here',
  descriptionSections: 30,
};

type TermsForm = {
  address: 'short' | 'full';
  maxOptions: number;
  /** Where the options beyond are to be seen. */
  moreOptions: string;
  descriptionSections: number;
  /** The option that somebody chose, so that all others are closed; null, or left out, while all are open. */
  chosenIndex?: number | null;
};

/** The terms of a payment as blocks: payee, address, who else asks, options, reference, deadline, description. */
export function termsBlocks(terms: PaymentTerms, form: TermsForm): KnownBlock[] {
  const facts: Array<Fact | null> = [
    { name: 'Payee', value: label(terms.payeeName, PAYEE) ?? NO_PAYEE },
    factOf('Address', addressText(terms.payeeAddress, form.address)),
    factOf('Asked for by', addressText(terms.askerAddress, form.address)),
    ...optionFacts(terms.options, form),
    factOf('Reference', terms.reference),
    factOf('Deadline', terms.deadlineSeconds === null ? null : deadlineText(terms.deadlineSeconds)),
  ];
  return [...factSections(facts.filter((fact) => fact !== null)), ...descriptionBlocks(terms.description, form)];
}

function optionFacts(
  options: readonly PaymentOption[],
  { maxOptions, moreOptions, chosenIndex = null }: TermsForm,
): Fact[] {
  const [only] = options;
  if (only && options.length === 1) {
    return [
      { name: 'Amount', value: amountText(only) },
      { name: 'Method', value: oneLine(only.method, METHOD) },
    ];
  }
  const shown = options.slice(0, maxOptions).map((option, index) => ({
    name: `Option ${index + 1}${markOf(index, chosenIndex)}`,
    value: optionText(option),
  }));
  const more = options.length - shown.length;
  return more > 0 ? [...shown, { name: 'More options', value: `${more}, ${moreOptions}` }] : shown;
}

function markOf(index: number, chosenIndex: number | null): string {
  if (chosenIndex === null) return '';
  return index === chosenIndex ? ' (chosen)' : ' (not chosen)';
}

function factOf(name: string, value: string | null): Fact | null {
  const text = oneLine(value ?? '', REFERENCE);
  return text === '' ? null : { name, value: text };
}

/** The agent gives a span and no time of day, and its request may have taken a while to arrive. */
function deadlineText(seconds: number): string {
  return `about ${spanText(seconds)} from when the request arrived`;
}

function spanText(seconds: number): string {
  if (seconds < 60) return `${Math.max(0, Math.round(seconds))} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3_600)} h`;
  return `${Math.round(seconds / 86_400)} days`;
}

function descriptionBlocks(description: string | null, form: TermsForm): KnownBlock[] {
  const quoted = description === null ? [] : quoteSections(description, form.descriptionSections);
  return quoted.length === 0 ? [] : [section('*What the agent says it is for:*'), ...quoted];
}

function oneLine(text: string, max: number): string {
  const line = withoutMarks(cleanText(text)).replaceAll('[object Object]', '…');
  return oneLineWithin(line.replace(/\s+/g, ' ').trim(), max);
}
