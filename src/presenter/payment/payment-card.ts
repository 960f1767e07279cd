import type { KnownBlock } from '@slack/types';
import { assertNever } from '../../domain/assert-never.ts';
import type { PaymentOption } from '../../domain/payment.ts';
import type { MessageContent } from '../../domain/ports/chat.ts';
import { actions, button, context, section } from '../blocks.ts';
import { LIMITS } from '../limits.ts';
import { linkButton, safeLinks } from '../link-buttons.ts';
import { quoteSections } from '../quote.ts';
import { escapeMrkdwn, escapeWithin } from '../text/escape.ts';
import { splitMrkdwn } from '../text/split-text.ts';
import { untilText, utcTime } from '../text/time-text.ts';
import { mention } from '../text/words.ts';
import { cancelledPayment, decidedPayment, expiredPayment } from './payment-end.ts';
import { PAYMENT_ACTIONS, paymentLinkActionId } from './payment-ids.ts';
import { CARD_TERMS, optionsText, optionText, payeeText, termsBlocks } from './payment-terms.ts';
import { HONEST_TEXT, type PaymentCardView } from './payment-view.ts';
import { spentBlocks } from './spent-blocks.ts';

const OPTIONS_IN_TEXT = 3;
const LINKS_SHOWN = 5;
const SAID_SECTIONS = 3;
const SUMMARY = 1_500;
const WHO_SECTIONS = 2;
const FIRST_OPTION = 300;

/**
 * Draws a payment's card as it stands (contract C16, C18, C21, C24): open with its buttons, or what became of it
 * without them. The terms are always there.
 */
export function paymentCard(view: PaymentCardView): MessageContent {
  switch (view.pause.state) {
    case 'open':
      return openPayment(view);
    case 'decided':
      return closedCard(view, decidedPayment(view));
    case 'expired':
      return closedCard(view, expiredPayment(view));
    case 'cancelled':
      return closedCard(view, cancelledPayment(view));
    default:
      return assertNever(view.pause.state);
  }
}

function openPayment(view: PaymentCardView): MessageContent {
  const { pause } = view;
  const { terms } = pause.request;
  const chosen = chosenOption(view);
  const words = chosen ? optionText(chosen.option) : optionsText(terms.options, OPTIONS_IN_TEXT);
  const what = `${words} to ${payeeText(terms)}`;
  return {
    text: `A payment waits for approval, open until ${utcTime(pause.deadlineAt)}: ${escapeWithin(what, SUMMARY)}`,
    blocks: [
      section(`*A payment needs approval*\nThe run waits ${untilText(pause)}.`),
      ...cardTerms(view),
      ...whoBlocks(view),
      ...spentBlocks(view.spentLines),
      context(`${HONEST_TEXT}${view.mustRetype ? ' The amount has to be typed again to approve.' : ''}`),
      actions([
        button({ actionId: PAYMENT_ACTIONS.approve, label: 'Approve…', value: pause.id, style: 'primary' }),
        button({ actionId: PAYMENT_ACTIONS.decline, label: 'Decline', value: pause.id, style: 'danger' }),
      ]),
      ...linkBlocks(view),
    ],
  };
}

/** The terms, and what the planner said beside them: its words decide nothing, and come last. */
function cardTerms(view: PaymentCardView): KnownBlock[] {
  const { terms, said } = view.pause.request;
  const words = said === null || said.trim() === terms.description?.trim() ? [] : quoteSections(said, SAID_SECTIONS);
  const quoted = words.length === 0 ? [] : [section('*What the planner says:*'), ...words];
  return [...termsBlocks(terms, { ...CARD_TERMS, chosenIndex: chosenOption(view)?.index ?? null }), ...quoted];
}

/** The option that somebody has approved, as long as that holds: nobody can approve another one any more. */
function chosenOption({ pause, entry }: PaymentCardView): { option: PaymentOption; index: number } | null {
  const isApproved = pause.decision?.kind === 'payment' && pause.decision.verdict === 'approve';
  const isHeld = pause.state === 'open' ? entry.approverIds.length > 0 : isApproved;
  const index = isHeld ? entry.optionIndex : null;
  const option = index === null ? undefined : pause.request.terms.options[index];
  return index === null || !option ? null : { option, index };
}

function whoBlocks(view: PaymentCardView): KnownBlock[] {
  const { approversText, entry } = view;
  const { approverIds: approvals, approversNeeded } = entry;
  const who = splitMrkdwn(`*Who may decide:* ${approversText}`, LIMITS.section).slice(0, WHO_SECTIONS).map(section);
  if (approversNeeded < 2) return who;
  const given = approvals.map(mention).join(', ');
  const missing = Math.max(0, approversNeeded - approvals.length);
  const progress =
    given === ''
      ? 'Two different people have to approve.'
      : `Approved by ${given}${ofWhich(view)}. ${missing} more, by someone else, is needed.`;
  return [...who, section(`*${approvals.length} of ${approversNeeded} approvals.* ${progress}`)];
}

/** Which of several options was approved first: the second person can approve no other. */
function ofWhich(view: PaymentCardView): string {
  const chosen = chosenOption(view);
  if (!chosen || view.pause.request.terms.options.length < 2) return '';
  const words = escapeWithin(optionText(chosen.option), FIRST_OPTION);
  return `: option ${chosen.index + 1}, ${words}. No other option can be approved now`;
}

function linkBlocks({ pause }: PaymentCardView): KnownBlock[] {
  const links = safeLinks(pause.request.terms.links).slice(0, LINKS_SHOWN);
  if (links.length === 0) return [];
  const hosts = [...new Set(links.map(({ host }) => `\`${escapeMrkdwn(host)}\``))].join(', ');
  const buttons = links.map((link, index) =>
    linkButton(link, { actionId: paymentLinkActionId(index), value: pause.id }),
  );
  return [
    context(`The agent names a page to pay on, at ${hosts}. Opening it approves nothing here.`),
    actions(buttons),
  ];
}

function closedCard(
  view: PaymentCardView,
  end: { text: string; head: KnownBlock[]; tail: KnownBlock[] },
): MessageContent {
  return { text: end.text, blocks: [...end.head, ...cardTerms(view), ...end.tail] };
}
