import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ActionResult, OpenPayment } from '../../../src/domain/ports/run-commands.ts';
import {
  DECLINE_MODAL,
  PAYMENT_ACTIONS,
  PAYMENT_MODAL,
  paymentLinkActionId,
} from '../../../src/presenter/payment/payment-ids.ts';
import { SANDBOX } from '../../../src/sandbox/slack/setup.ts';
import { type CardOnScreen, gate, putCardOnScreen } from './fakes/card-on-screen.ts';
import { openPause, openPayment, TWO_OPTIONS } from './fakes/pause.ts';

const { alice, bob } = SANDBOX.users;
const { approve, decline } = PAYMENT_ACTIONS;
const ACCEPTED: ActionResult = { kind: 'accepted' };
const REFUSED: ActionResult = { kind: 'refused', reason: 'The cap of this channel is reached.' };

describe("a payment's buttons and modals", () => {
  let on: CardOnScreen;

  beforeEach(async () => {
    on = await putCardOnScreen({ actionId: approve }, { actionId: decline }, { actionId: paymentLinkActionId(0) });
  });
  afterEach(() => on.close());

  const submit = (values: Record<string, string> = {}) => on.slack.submitView({ values });
  const typed = (amount: string) => ({ [PAYMENT_MODAL.amountInputId]: amount });

  /** The payment as the button finds it, and as the submission does. */
  async function openModal(opened: OpenPayment, viewed: OpenPayment | ActionResult = opened): Promise<void> {
    on.commands.setUp({ openPayment: async () => opened, viewPayment: async () => viewed });
    expect((await on.press(approve)).acked).toBe(true);
    await on.slack.waitFor(() => on.shown().includes('Approve'));
  }

  it('opens the terms for "Approve…", and approves nothing by that', async () => {
    await openModal(openPayment());
    expect(on.shown()).toContain('25.00');
    expect(on.commands.calls.map(({ method }) => method)).toEqual(['openPayment']);
    expect(on.commands.of('openPayment')).toEqual([['pause-1', 'approve', on.contextOf()]]);
  });

  it('approves by the submission, on the terms that were shown', async () => {
    on.commands.setUp({ approve: async () => ACCEPTED });
    await openModal(openPayment());
    expect(await submit()).toMatchObject({ acked: true, open: false, problem: null });
    const approval = { optionIndex: 0, termsDigest: 'digest-1' };
    expect(on.commands.of('approve')).toEqual([['pause-1', approval, on.contextOf()]]);
  });

  it('approves the option that was chosen', async () => {
    on.commands.setUp({ approve: async () => ACCEPTED });
    await openModal(openPayment({ options: TWO_OPTIONS }));
    expect(await submit({ [PAYMENT_MODAL.optionInputId]: '1' })).toMatchObject({ acked: true, open: false });
    expect(on.commands.of('approve')[0]?.[1]).toEqual({ optionIndex: 1, termsDigest: 'digest-1' });
  });

  it.each(['25', '25.00 USD', ' 25.000'])('takes %j typed again for the amount', async (amount) => {
    on.commands.setUp({ approve: async () => ACCEPTED });
    await openModal(openPayment({}, { mustRetype: true }));
    expect(await submit(typed(amount))).toMatchObject({ acked: true, open: false, errors: null });
    expect(on.commands.of('approve')).toHaveLength(1);
  });

  it.each(['52', '25.001', '2500', 'yes'])('takes no %j for the amount', async (amount) => {
    await openModal(openPayment({}, { mustRetype: true }));
    const result = await submit(typed(amount));
    expect(result).toMatchObject({ acked: true, open: true, problem: null });
    expect(result.errors).toHaveProperty(PAYMENT_MODAL.amountBlockId);
    expect(on.commands.of('approve')).toEqual([]);
  });

  it('asks for the amount where that has become the rule since the modal was opened', async () => {
    await openModal(openPayment(), openPayment({}, { mustRetype: true }));
    expect(await submit()).toMatchObject({ acked: true, open: true, problem: null });
    expect(on.shown()).toContain(PAYMENT_MODAL.amountBlockId);
    expect(on.commands.of('approve')).toEqual([]);
  });

  it('shows changed terms instead of approving others', async () => {
    const changed = openPayment(
      { options: [{ amount: '250', currency: 'USD', method: 'stripe' }] },
      { termsDigest: 'new' },
    );
    on.commands.setUp({ approve: async () => ({ kind: 'terms-changed', pause: changed.pause }) });
    await openModal(openPayment(), changed);
    expect(await submit()).toMatchObject({ acked: true, open: true, problem: null });
    expect(on.shown()).toContain('terms have changed');
    expect(on.shown()).toContain('250');
    // Handed on with the digest of what was shown, to be refused and written down there.
    const shown = { optionIndex: 0, termsDigest: openPayment().pause.termsDigest };
    expect(on.commands.of('approve')).toEqual([[changed.pause.id, shown, expect.anything()]]);
  });

  it('shows terms that changed between reading and approving', async () => {
    const { pause } = openPayment({ payeeName: 'Somebody else' });
    on.commands.setUp({ approve: async () => ({ kind: 'terms-changed', pause }) });
    await openModal(openPayment());
    expect(await submit()).toMatchObject({ acked: true, open: true, problem: null });
    expect(on.shown()).toContain('Somebody else');
  });

  it.each<[string, ActionResult, string]>([
    ['the first of two approvals', { kind: 'one-more-needed' }, 'one more'],
    ['a refusal by the policy', REFUSED, 'cap of this channel'],
    ['a person who may not', { kind: 'not-allowed', allowedId: bob }, `Only <@${bob}>`],
    ['an expired payment', { kind: 'expired' }, 'over'],
    ['a run that is over', { kind: 'unknown' }, 'no longer belongs'],
  ])('says in the modal what came of it: %s', async (_what, result, said) => {
    on.commands.setUp({ approve: async () => result });
    await openModal(openPayment());
    expect(await submit()).toMatchObject({ acked: true, open: true, errors: null, problem: null });
    expect(on.shown().toLowerCase()).toContain(said.toLowerCase());
  });

  it('says in the modal that the payment was decided meanwhile', async () => {
    const decision = { kind: 'payment' as const, verdict: 'decline' as const, optionIndex: null, reason: null };
    const { pause } = openPayment({}, { state: 'decided', decidedBy: bob, decidedAt: new Date(), decision });
    await openModal(openPayment(), { kind: 'already-decided', pause, approverIds: [] });
    expect(await submit()).toMatchObject({ acked: true, open: true, problem: null });
    expect(on.shown()).toContain(`<@${bob}>`);
    expect(on.commands.of('approve')).toEqual([]);
  });

  it.each([approve, decline])('tells a person who may not use %s, privately and in the thread', async (actionId) => {
    on.commands.setUp({ openPayment: async () => REFUSED });
    expect((await on.press(actionId, bob)).acked).toBe(true);
    expect(await on.toldTo(bob)).toMatchObject({ text: 'The cap of this channel is reached.', threadTs: on.rootTs });
    expect(on.slack.views()).toEqual([]);
  });

  it.each([
    ['a reason', { [DECLINE_MODAL.inputId]: ' too dear ' }, 'too dear'],
    ['no reason', {}, null],
  ] as const)('declines with %s', async (_what, values, reason) => {
    on.commands.setUp({ openPayment: async () => openPayment(), decline: async () => ACCEPTED });
    expect((await on.press(decline)).acked).toBe(true);
    await on.slack.waitFor(() => on.shown().includes('Decline a payment'));
    expect(on.commands.of('openPayment')).toEqual([['pause-1', 'decline', on.contextOf()]]);
    expect(await submit({ ...values })).toMatchObject({ acked: true, open: false });
    expect(on.commands.of('decline')).toEqual([['pause-1', { reason, termsDigest: 'digest-1' }, on.contextOf()]]);
  });

  it('decides nothing when the modal is closed', async () => {
    await openModal(openPayment());
    await on.slack.closeView({});
    expect(on.commands.calls.map(({ method }) => method)).toEqual(['openPayment']);
  });

  it('only acknowledges the press of a link', async () => {
    expect((await on.press(paymentLinkActionId(0))).acked).toBe(true);
    expect(on.commands.calls).toEqual([]);
    expect(on.slack.ephemerals()).toEqual([]);
  });

  it('says in the modal that an approval could not be stored, and logs it', async () => {
    on.commands.setUp({ approve: () => Promise.reject(new Error('database down')) });
    await openModal(openPayment());
    expect(await submit()).toMatchObject({ acked: true, open: true, errors: null, problem: null });
    expect(on.shown()).toContain('could not be stored');
    await on.logged('interaction_failed');
  });

  it('keeps what was typed when a refusal could not be stored', async () => {
    on.commands.setUp({ openPayment: async () => openPayment(), decline: () => Promise.reject(new Error('down')) });
    await on.press(decline);
    await on.slack.waitFor(() => on.shown().includes('Decline a payment'));
    const result = await submit({ [DECLINE_MODAL.inputId]: 'too dear' });
    expect(result).toMatchObject({ acked: true, open: true, problem: null });
    expect(result.errors).toEqual({ [DECLINE_MODAL.blockId]: expect.stringContaining('could not be stored') });
  });

  describe('an approval that takes longer than Slack waits', () => {
    it.each<[string, ActionResult, string]>([
      ['done', ACCEPTED, 'Done'],
      ['refused', REFUSED, 'cap of this channel'],
    ])('is waited for in a placeholder, which then says: %s', async (_what, result, said) => {
      const { opened, open } = gate();
      on.commands.setUp({ approve: () => opened.then(() => result) });
      await openModal(openPayment());
      expect(await submit()).toMatchObject({ acked: true, open: true, problem: null });
      expect(on.shown()).toContain('One moment');
      open();
      await on.slack.waitFor(() => on.shown().includes(said));
    });

    it('tells privately what came of it when the placeholder is closed', async () => {
      const { opened, open } = gate();
      on.commands.setUp({ approve: () => opened.then(() => REFUSED) });
      await openModal(openPayment());
      await submit();
      await on.slack.closeView({});
      open();
      expect(await on.toldTo(alice)).toMatchObject({ text: expect.stringContaining('cap of this channel') });
    });

    it('says so when it could not be stored in the end', async () => {
      const { opened, open } = gate();
      on.commands.setUp({ approve: () => opened.then(() => Promise.reject(new Error('down'))) });
      await openModal(openPayment());
      await submit();
      open();
      await on.slack.waitFor(() => on.shown().includes('could not be stored'));
      await on.logged('interaction_failed');
    });
  });

  it('answers a submission whose payment is gone', async () => {
    await openModal(openPayment(), {
      kind: 'already-decided',
      pause: openPause({ state: 'decided', decidedBy: bob }),
      approverIds: [],
    });
    expect(await submit()).toMatchObject({ acked: true, open: true, problem: null });
  });
});
