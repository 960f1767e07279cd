import type { PaymentOption, PaymentTerms } from '../domain/payment.ts';
import type { Turn } from '../domain/turn.ts';
import { asQuoted, asToken, asWords } from './plain-words.ts';

const NAME = 200;
const VALUE = 300;
const REASON = 1_000;

/**
 * A decision on a payment as the planner hears it, in plain words with amount, currency and payee (contract C22). What
 * the agent named is quoted, so that a name cannot speak for the person; none of it is one of the rails' control texts.
 *
 * Throws a RangeError for an approval that does not say of what: such an approval must never reach a planner.
 */
export function paymentDecisionText(decision: {
  terms: PaymentTerms;
  verdict: 'approve' | 'decline';
  optionIndex: number | null;
  reason: string | null;
}): string {
  const { terms, verdict, reason } = decision;
  if (verdict === 'approve') {
    return `I approve the payment of ${optionWords(approvedOption(decision))} to ${payeeWords(terms)}${reference(terms)}. This approval is for this one payment only.`;
  }
  const options = terms.options.map(optionWords).join(', or ');
  const why = reason?.trim() ? ` My reason: ${asQuoted(reason, REASON)}.` : '';
  return `I decline the payment of ${options} to ${payeeWords(terms)}${reference(terms)}. Do not make it.${why}`;
}

function approvedOption({ terms, optionIndex }: { terms: PaymentTerms; optionIndex: number | null }): PaymentOption {
  const index = optionIndex ?? (terms.options.length === 1 ? 0 : -1);
  const option = terms.options[index];
  if (!option) throw new RangeError(`An approval names option ${optionIndex} of ${terms.options.length}`);
  return option;
}

/** An option in words: amount and currency as they were received. */
export function optionWords({ amount, currency, method }: PaymentOption): string {
  const money = [amount, currency].map((part) => asWords(part, VALUE));
  const isPlain = money.every((part) => asToken(part, VALUE) === part);
  const words = isPlain ? money.join(' ').trim() : asToken(money.join(' '), VALUE);
  const by = asToken(method, VALUE);
  return by === '' ? words : `${words} by ${by}`;
}

function payeeWords({ payeeName, payeeAddress }: PaymentTerms): string {
  const name = asWords(payeeName ?? '', NAME);
  const address = asToken(payeeAddress ?? '', VALUE);
  if (name === '') return address === '' ? 'the agent that asked for it' : address;
  return address === '' ? asQuoted(name, NAME) : `${asQuoted(name, NAME)} at ${address}`;
}

function reference(terms: PaymentTerms): string {
  const words = asWords(terms.reference ?? '', VALUE);
  return words === '' ? '' : `, reference ${asQuoted(words, VALUE)}`;
}

const RETOLD =
  'The work broke off after I had said so, and this only repeats it: if the payment was made already, do not make it again.';

/** An approval that goes out once more when a run is resumed, in words that do not approve a second payment. */
export function retoldApproval(turn: Turn): Turn {
  return turn.content.endsWith(RETOLD) ? turn : { ...turn, content: `${turn.content} ${RETOLD}` };
}
