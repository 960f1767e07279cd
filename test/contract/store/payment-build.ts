import type { PaymentTerms } from '../../../src/domain/payment.ts';
import type { Leg, NewPause, NewRun, PausedLeg, PauseStore, Store } from '../../../src/domain/ports/store.ts';
import type { Run } from '../../../src/domain/run.ts';
import { BEFORE_DEADLINE, claim, letLeave, newPause, PLAN, startOne } from './build.ts';

export const DAY_START = new Date('2030-01-01T00:00:00Z');

export const TERMS: PaymentTerms = {
  payeeName: 'Parcel Desk',
  payeeAddress: 'agent1qparcel',
  askerAddress: null,
  options: [
    { amount: '25.10', currency: 'USD', method: 'stripe' },
    { amount: '0.000000000000000001', currency: 'fet', method: 'fet_direct' },
    { amount: '1e3', currency: 'USD', method: 'odd' },
  ],
  description: 'Two parcels',
  reference: 'order-7',
  deadlineSeconds: 300,
  links: ['https://checkout.example/7'],
};

export type ApproveInput = Parameters<PauseStore['approve']>[0];
type DecideInput = Parameters<PauseStore['decide']>[0];

export const APPROVED_TURN = { role: 'user', content: 'I approve the payment of 25.10 USD to Parcel Desk.' } as const;
export const DECLINED_TURN = { role: 'user', content: 'I decline the payment.' } as const;

/** A judge that says yes. */
export function allow(approversNeeded: 1 | 2 = 1): ApproveInput['judge'] {
  return () => ({ allowed: true, approversNeeded, policyDigest: 'policy-1' });
}

export function newPayment(fields: Partial<NewPause> = {}): NewPause {
  return newPause({ request: { kind: 'payment', terms: TERMS, said: null }, ...fields });
}

export function approvalOf(pauseId: string, fields: Partial<ApproveInput> = {}): ApproveInput {
  return {
    pauseId,
    termsDigest: 'digest-1',
    optionIndex: 0,
    turn: APPROVED_TURN,
    actorId: 'U2',
    at: BEFORE_DEADLINE,
    dayStart: DAY_START,
    judge: allow(),
    ...fields,
  };
}

export function refusalOf(pauseId: string, fields: Partial<DecideInput> = {}): DecideInput {
  return {
    pauseId,
    termsDigest: 'digest-1',
    decision: { kind: 'payment', verdict: 'decline', optionIndex: null, reason: 'too dear' },
    turn: DECLINED_TURN,
    actorId: 'U3',
    at: BEFORE_DEADLINE,
    ...fields,
  };
}

type Asked = { run: Run; leg: Leg; pause: NewPause };
type Asking = { run?: Partial<NewRun>; pause?: Partial<NewPause> } & Pick<PausedLeg, 'approversNeeded' | 'declined'>;

/** A run that has just paused for a payment, on a leg that was sent. */
export async function askPayment(store: Store, { run: fields, pause, ...rest }: Asking = {}): Promise<Asked> {
  const { run, leg } = await startOne(store, fields);
  await letLeave(store.runs, leg);
  return { run, leg, pause: await pauseForPayment(store, leg, { ...rest, pause: newPayment(pause) }) };
}

/** Lets a leg pause for a payment. */
export async function pauseForPayment(
  store: Store,
  leg: Leg,
  paused: Partial<PausedLeg> & { pause: NewPause },
): Promise<NewPause> {
  const turns = [{ role: 'assistant' as const, content: 'Pay 25.10 USD?' }];
  if (!(await store.runs.pauseLeg(leg, { plan: PLAN, turns, ...paused }))) throw new Error('The run was not paused');
  return paused.pause;
}

/** A run whose payment was approved and whose next leg is claimed, not sent. */
export async function approvedLeg(store: Store, asking: Asking = {}): Promise<Asked> {
  const asked = await askPayment(store, asking);
  const verdict = await store.pauses.approve(approvalOf(asked.pause.id));
  if (verdict.kind !== 'decided') throw new Error(`The payment was not approved: ${verdict.kind}`);
  return { ...asked, leg: (await claim(store, asked.run.id)).leg };
}

/** The same, with the approval on its way to the planner. */
export async function sentLeg(store: Store, asking: Asking = {}): Promise<Asked> {
  const asked = await approvedLeg(store, asking);
  if (!(await letLeave(store.runs, asked.leg))) throw new Error('The leg was not sent');
  return asked;
}

/** The audit trail of a run, each row as its kind and who did it. */
export async function trail(store: Store, runId: string): Promise<string[]> {
  const rows = await store.audit.list(runId);
  return rows.map(({ kind, actorId }) => (actorId === null ? kind : `${kind} by ${actorId}`));
}
