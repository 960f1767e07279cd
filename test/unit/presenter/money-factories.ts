import type { Card, CardField } from '../../../src/domain/card.ts';
import type { CardDecision, PauseOf, PaymentDecision } from '../../../src/domain/pause.ts';
import type { LedgerEntry, PaymentTerms } from '../../../src/domain/payment.ts';
import type { InteractionView } from '../../../src/presenter/interaction/interaction-view.ts';
import type { PaymentCardView } from '../../../src/presenter/payment/payment-view.ts';
import type { Json } from '../../../src/sandbox/slack/json.ts';
import { pingsOf } from '../../../src/sandbox/slack/pings.ts';
import { Refusal } from '../../../src/sandbox/slack/refusal.ts';
import { validMessageBlocks } from '../../../src/sandbox/slack/validate/message.ts';
import { validView } from '../../../src/sandbox/slack/validate/view.ts';
import { aPause, aRun, NOW } from './factories.ts';
import { list, read, textsOf } from './slack-rules.ts';

export const METADATA = { pauseId: aPause().id, termsDigest: 'digest', channelId: 'C1', messageTs: '1.2' };
export function someTerms(fields: Partial<PaymentTerms> = {}): PaymentTerms {
  return {
    payeeName: 'Parcel Desk',
    payeeAddress: 'agent1qabcdefghijklmnopqrstuvwxyz0123456789',
    askerAddress: null,
    options: [{ amount: '25', currency: 'USD', method: 'stripe' }],
    description: 'A parcel of 2 kg to Lyon',
    reference: 'ref-1',
    deadlineSeconds: 300,
    links: [],
    ...fields,
  };
}

export function anEntry(fields: Partial<LedgerEntry> = {}): LedgerEntry {
  return {
    pauseId: aPause().id,
    runId: aRun().id,
    teamId: 'T1',
    channelId: 'C1',
    requesterId: 'U1',
    terms: someTerms(),
    termsDigest: 'digest',
    state: 'requested',
    approversNeeded: 1,
    optionIndex: null,
    approverIds: [],
    requestedAt: NOW,
    approvedAt: null,
    allowedAt: null,
    policyDigest: null,
    sentAt: null,
    endedAt: null,
    ...fields,
  };
}

/** An entry that U1 approved at NOW. */
export function anApproved(fields: Partial<LedgerEntry> = {}): LedgerEntry {
  return anEntry({ state: 'approved', optionIndex: 0, approverIds: ['U1'], approvedAt: NOW, ...fields });
}

export function aPayment(terms: PaymentTerms = someTerms(), fields: Partial<PauseOf<'payment'>> = {}) {
  return {
    ...aPause(),
    ...fields,
    request: { kind: 'payment', terms, said: 'Parcel Desk asks to be paid first.' },
  } satisfies PauseOf<'payment'>;
}

export function aPaymentView(
  fields: Partial<Omit<PaymentCardView, 'pause'>> & { terms?: PaymentTerms } = {},
  pause: Partial<PauseOf<'payment'>> = {},
): PaymentCardView {
  const { terms = someTerms(), ...others } = fields;
  return {
    pause: aPayment(terms, pause),
    run: aRun({ state: 'paused' }),
    approversText: '<@U1>, who asked',
    spentLines: ['Today in this channel: 12 of 100 USD'],
    entry: anEntry({ terms }),
    mustRetype: false,
    ...others,
  };
}

export function anApproval(optionIndex = 0): PaymentDecision {
  return { kind: 'payment', verdict: 'approve', optionIndex, reason: null };
}

export function aRefusal(reason: string | null): PaymentDecision {
  return { kind: 'payment', verdict: 'decline', optionIndex: null, reason };
}

export function aCardDecision(fields: Partial<CardDecision> = {}): CardDecision {
  const none = { label: null, selection: {}, text: null, isCancelled: false };
  return { kind: 'card', source: 'option', requestKey: null, ...none, ...fields };
}

export function aCard(fields: Partial<Card> = {}): Card {
  return { cardKind: 'review', title: 'Book?', items: [], choices: [], fields: [], notUnderstood: [], ...fields };
}

export function aField(fields: Partial<CardField> = {}): CardField {
  return { name: 'f', kind: 'text', label: 'Field', isRequired: false, placeholder: null, options: [], ...fields };
}

export function choicesOf(...labels: string[]): Card['choices'] {
  return labels.map((label, index) => ({ label, detail: null, selection: { pick: index }, isPrimary: index === 0 }));
}

export function aCardPause(card: Card, fields: Partial<PauseOf<'card'>> = {}): PauseOf<'card'> {
  return { ...aPause(), ...fields, request: { kind: 'card', card } };
}

export function anInteraction(card: Card, pause: Partial<PauseOf<'card'>> = {}): InteractionView {
  return { pause: aCardPause(card, pause), run: aRun({ state: 'paused' }) };
}

/** What Slack would refuse of a message, by the sandbox's rules; and texts that are empty or hold half a character. */
export function messageProblems(content: {
  text: string;
  blocks: readonly object[];
  fallbackBlocks?: readonly object[];
}) {
  const size = content.text.trim() === '' || content.text.length > 4_000 ? ['text length'] : [];
  return [
    ...size,
    ...[content.blocks, content.fallbackBlocks ?? content.blocks].flatMap((blocks) => [
      ...judge(() => validMessageBlocks(withIds(blocks), { rejectPlanBlocks: true })),
      ...blankTexts(blocks),
    ]),
  ];
}

export function viewProblems(view: object): string[] {
  return [...judge(() => validView(view)), ...blankTexts(view)];
}

function judge(check: () => unknown): string[] {
  try {
    check();
    return [];
  } catch (error) {
    if (error instanceof Refusal) return [JSON.stringify([error.code, error.details])];
    throw error;
  }
}

function withIds(blocks: readonly object[]): object[] {
  return blocks.map((block, index) => ({ ...block, block_id: `b${index}` }));
}

function blankTexts(value: unknown): string[] {
  return textsOf(value)
    .filter((text) => text.trim() === '' || /\p{Cs}/u.test(text))
    .map((text) => `blank or broken: ${JSON.stringify(text)}`);
}

/** Whom a message pings. */
export function pings(content: { text: string; blocks: readonly object[] }): string[] {
  return pingsOf({
    text: content.text,
    blocks: content.blocks as Json[],
    linkNames: true,
    parse: 'full',
  } as unknown as Parameters<typeof pingsOf>[0]);
}

/** All text of blocks or a view, fields and labels too, joined by lines. */
export function shownText(value: unknown): string {
  if (Array.isArray(value)) return value.map(shownText).filter(Boolean).join('\n');
  const text = read(value, 'text');
  const own = typeof text === 'string' ? [text] : [];
  const parts = ['blocks', 'text', 'label', 'hint', 'fields', 'elements', 'element', 'options', 'submit'];
  const nested = parts
    .map((key) => read(value, key))
    .filter((part) => typeof part === 'object')
    .map(shownText);
  return [...own, ...nested].filter(Boolean).join('\n');
}

/** Blocks of a view by their type. */
export function inputsOf(view: object): unknown[] {
  return list(read(view, 'blocks')).filter((block) => read(block, 'type') === 'input');
}
