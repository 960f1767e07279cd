import type { Card } from '../../../../src/domain/card.ts';
import type { Pause, PauseOf } from '../../../../src/domain/pause.ts';
import type { PaymentTerms } from '../../../../src/domain/payment.ts';
import type { OpenPayment } from '../../../../src/domain/ports/run-commands.ts';

export function openPause(changes: Partial<Pause> = {}): Pause {
  return {
    id: 'pause-1',
    runId: 'run-1',
    epoch: 1,
    request: { kind: 'clarification', question: 'Which colour?', options: ['red', 'blue'], unread: null },
    termsDigest: 'digest-1',
    state: 'open',
    openedAt: new Date('2026-01-01T10:00:00Z'),
    deadlineAt: new Date('2026-01-01T10:30:00Z'),
    decision: null,
    decidedBy: null,
    decidedAt: null,
    ...changes,
  };
}

export function cardPause(card: Partial<Card> = {}, changes: Partial<Pause> = {}): PauseOf<'card'> {
  const request = {
    kind: 'card' as const,
    card: {
      cardKind: 'carousel',
      title: 'Which flight?',
      items: [],
      choices: ['Early', 'Late'].map((label) => ({
        label,
        detail: null,
        selection: { flight: label },
        isPrimary: false,
      })),
      fields: [],
      notUnderstood: [],
      ...card,
    },
  };
  return { ...openPause(changes), request };
}

/** A card with a form: a seat is asked for. */
export function seatPause(changes: Partial<Pause> = {}): PauseOf<'card'> {
  const seat = { name: 'seat', kind: 'text' as const, label: 'Seat', isRequired: true, placeholder: null, options: [] };
  return cardPause({ fields: [seat] }, changes);
}

export function openPayment(
  terms: Partial<PaymentTerms> = {},
  { mustRetype = false, ...changes }: Partial<Pause> & { mustRetype?: boolean } = {},
): OpenPayment {
  const request = {
    kind: 'payment' as const,
    said: null,
    terms: {
      payeeName: 'Parcel Desk',
      payeeAddress: 'agent1qparceldesk',
      askerAddress: null,
      options: [{ amount: '25.00', currency: 'USD', method: 'stripe' }],
      description: 'Postage',
      reference: null,
      deadlineSeconds: null,
      links: [],
      ...terms,
    },
  };
  return { kind: 'open', pause: { ...openPause(changes), request }, mustRetype, spentLines: [] };
}

/** Two ways to pay, to choose from. */
export const TWO_OPTIONS = [
  { amount: '25.00', currency: 'USD', method: 'stripe' },
  { amount: '30', currency: 'FET', method: 'fet_direct' },
];
