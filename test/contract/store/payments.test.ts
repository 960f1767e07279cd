import { describe, expect, it } from 'vitest';
import { cardOperation } from '../../../src/domain/outbox.ts';
import type { RunEnd } from '../../../src/domain/ports/store.ts';
import type { Turn } from '../../../src/domain/turn.ts';
import { AFTER_DEADLINE, BEFORE_DEADLINE, claim, getRun, letLeave, PLAN, resumeOne, wantedRev } from './build.ts';
import { onEachDatabase } from './on-each-database.ts';
import {
  APPROVED_TURN,
  approvalOf,
  approvedLeg,
  askPayment,
  DECLINED_TURN,
  newPayment,
  pauseForPayment,
  refusalOf,
  sentLeg,
  TERMS,
  trail,
} from './payment-build.ts';

onEachDatabase('a payment', (database) => {
  const runs = () => database.store.runs;
  const pauses = () => database.store.pauses;
  const entry = (pauseId: string) => database.store.ledger.get(pauseId);
  const cardRev = (pauseId: string) => wantedRev(database.store, cardOperation(pauseId));
  const trailOf = (runId: string) => trail(database.store, runId);
  const STARTED = ['run_started by U1', 'pause_opened'];
  const APPROVED = [...STARTED, 'decided by U2'];

  describe('that is asked for', () => {
    it('is entered in the ledger as it was asked', async () => {
      const { run, pause } = await askPayment(database.store, { approversNeeded: 2, run: { requesterId: 'U7' } });
      expect(await entry(pause.id)).toEqual({
        pauseId: pause.id,
        runId: run.id,
        teamId: 'T1',
        channelId: 'C1',
        requesterId: 'U7',
        terms: TERMS,
        termsDigest: pause.termsDigest,
        state: 'requested',
        approversNeeded: 2,
        optionIndex: null,
        approverIds: [],
        requestedAt: pause.openedAt,
        approvedAt: null,
        allowedAt: null,
        policyDigest: null,
        sentAt: null,
        endedAt: null,
      });
      expect(await database.store.audit.list(run.id)).toMatchObject([
        { kind: 'run_started', actorId: 'U7', details: { leg: 1 } },
        { kind: 'pause_opened', pauseId: pause.id, reason: 'payment', details: { request: pause.request } },
      ]);
    });

    it('is not entered by a leg that was lost or shall stop', async () => {
      const { run, leg } = await approvedLeg(database.store);
      const pause = newPayment();
      const paused = { pause, plan: PLAN, turns: [] };
      const before = await trailOf(run.id);
      expect(await runs().pauseLeg({ ...leg, epoch: leg.epoch + 1 }, paused)).toBe(false);
      await runs().requestStop(run.id, 'U9');
      expect(await runs().pauseLeg(leg, paused)).toBe(false);
      expect([await entry(pause.id), await pauses().get(pause.id)]).toEqual([null, null]);
      expect(await trailOf(run.id)).toEqual(before);
    });

    it('is declined as it opens by the policy, and the run goes on with that', async () => {
      const { run, leg } = await sentLeg(database.store);
      const pause = newPayment();
      const decision = { kind: 'payment', verdict: 'decline', optionIndex: null, reason: 'Payee not allowed' } as const;
      await pauseForPayment(database.store, leg, { pause, declined: { decision, turn: DECLINED_TURN } });
      expect(await pauses().get(pause.id)).toMatchObject({
        state: 'decided',
        decision,
        decidedBy: null,
        decidedAt: pause.openedAt,
      });
      expect(await entry(pause.id)).toMatchObject({ state: 'declined', approverIds: [], endedAt: pause.openedAt });
      const { state, isCurrent, turns } = await getRun(database.store, run.id);
      expect([state, isCurrent, turns.at(-1)]).toEqual(['queued', true, DECLINED_TURN]);
      expect(await runs().needingJob(0, 100)).toContain(run.id);
      expect(await trailOf(run.id)).toEqual([...APPROVED, 'resumed', 'settled', 'pause_opened', 'decided']);
      expect(await pauses().approve(approvalOf(pause.id))).toMatchObject({ kind: 'not-open' });
      expect((await claim(database.store, run.id)).run.turns.at(-1)).toEqual(DECLINED_TURN);
    });

    it('is declined by a person, and cannot be approved as a mere decision', async () => {
      const { run, pause } = await askPayment(database.store);
      const decision = { kind: 'payment', verdict: 'approve', optionIndex: 0, reason: null } as const;
      await expect(pauses().decide(refusalOf(pause.id, { decision }))).rejects.toThrow('approved through the ledger');
      expect(await pauses().decide(refusalOf(pause.id))).toMatchObject({
        kind: 'decided',
        pause: { decidedBy: 'U3', decision: { verdict: 'decline', reason: 'too dear' } },
        run: { state: 'queued' },
      });
      expect(await entry(pause.id)).toMatchObject({ state: 'declined', endedAt: BEFORE_DEADLINE });
      expect(await pauses().decide(refusalOf(pause.id))).toMatchObject({ kind: 'not-open' });
      expect(await trailOf(run.id)).toEqual([...STARTED, 'decided by U3']);
    });

    it('is declined by one person after the first of two has approved', async () => {
      const { run, pause } = await askPayment(database.store, { approversNeeded: 2 });
      await pauses().approve(approvalOf(pause.id));
      await pauses().decide(refusalOf(pause.id));
      expect(await entry(pause.id)).toMatchObject({ state: 'declined', approverIds: ['U2'], approvedAt: null });
      expect(await trailOf(run.id)).toEqual([...STARTED, 'approved by U2', 'decided by U3']);
    });

    it('takes no answer of another kind', async () => {
      const { run, pause } = await askPayment(database.store);
      const decision = { kind: 'clarification', answer: 'yes', source: 'reply', requestKey: 'm-1' } as const;
      await expect(pauses().decide(refusalOf(pause.id, { decision }))).rejects.toThrow(TypeError);
      expect(await entry(pause.id)).toMatchObject({ state: 'requested' });
      expect(await trailOf(run.id)).toEqual(STARTED);
    });

    it('expires with its pause and its run', async () => {
      const { run, pause } = await askPayment(database.store, { approversNeeded: 2 });
      await pauses().approve(approvalOf(pause.id));
      const before = await cardRev(pause.id);
      expect(await pauses().expire(run.id, AFTER_DEADLINE)).toMatchObject({ expired: true });
      expect(await entry(pause.id)).toMatchObject({ state: 'expired', endedAt: AFTER_DEADLINE, approvedAt: null });
      expect(await cardRev(pause.id)).toBe(before + 1);
      expect(await pauses().expire(run.id, AFTER_DEADLINE)).toMatchObject({ expired: false });
      expect(await trailOf(run.id)).toEqual([...STARTED, 'approved by U2', 'expired', 'run_ended']);
    });

    it('is over when its run is stopped', async () => {
      const { run, pause } = await askPayment(database.store);
      const before = await cardRev(pause.id);
      expect(await runs().requestStop(run.id, 'U9')).toMatchObject({ ended: true });
      expect(await entry(pause.id)).toMatchObject({ state: 'expired', endedAt: expect.any(Date) });
      expect(await cardRev(pause.id)).toBe(before + 1);
      expect(await runs().requestStop(run.id, 'U9')).toBeNull();
      expect(await trailOf(run.id)).toEqual([...STARTED, 'run_ended by U9']);
    });
  });

  describe('that was approved', () => {
    it('is sent in the transaction that lets the leg leave', async () => {
      const { run, leg, pause } = await approvedLeg(database.store);
      const before = await cardRev(pause.id);
      expect(await letLeave(runs(), { ...leg, epoch: leg.epoch - 1 })).toBe(false);
      expect(await entry(pause.id)).toMatchObject({ state: 'approved', sentAt: null });
      expect(await letLeave(runs(), leg)).toBe(true);
      expect(await entry(pause.id)).toMatchObject({ state: 'sent', sentAt: expect.any(Date), endedAt: null });
      expect(await cardRev(pause.id)).toBe(before + 1);
      expect(await trailOf(run.id)).toEqual([...APPROVED, 'resumed']);
    });

    it('does not leave if it cannot be noted', async () => {
      const { leg, pause } = await approvedLeg(database.store);
      await database.pool.query('alter table steward.audit_head rename to audit_head_away');
      const failed = expect(letLeave(runs(), leg)).rejects.toMatchObject({ code: 'store_unavailable' });
      await failed.finally(() => database.pool.query('alter table steward.audit_head_away rename to audit_head'));
      expect(await entry(pause.id)).toMatchObject({ state: 'approved', sentAt: null });
      expect(await runs().releaseLeg(leg)).toBe(true);
    });

    it('stays approved when its leg goes back unsent, and leaves with the next', async () => {
      const { run, leg, pause } = await approvedLeg(database.store);
      expect(await runs().releaseLeg(leg)).toBe(true);
      expect(await entry(pause.id)).toMatchObject({ state: 'approved', sentAt: null });
      const next = await claim(database.store, run.id);
      expect(next.leg.epoch).toBe(leg.epoch + 1);
      expect(await letLeave(runs(), leg)).toBe(false);
      expect(await letLeave(runs(), next.leg)).toBe(true);
      expect(await runs().releaseLeg(next.leg)).toBe(false);
      expect(await entry(pause.id)).toMatchObject({ state: 'sent' });
      expect(await trailOf(run.id)).toEqual([...APPROVED, 'resumed']);
    });

    it('is unknown when its run is stopped before it left', async () => {
      const { run, pause } = await askPayment(database.store);
      await pauses().approve(approvalOf(pause.id));
      await runs().requestStop(run.id, 'U9');
      expect(await entry(pause.id)).toMatchObject({ state: 'unknown', sentAt: null, endedAt: expect.any(Date) });
      expect(await trailOf(run.id)).toEqual([...APPROVED, 'payment_unknown', 'run_ended by U9']);
    });

    it.each<RunEnd['state']>(['completed', 'failed', 'interrupted', 'stopped', 'expired'])(
      'is unknown when its run is %s before it left',
      async (state) => {
        const { run, leg, pause } = await approvedLeg(database.store);
        expect(await runs().endLeg(leg, { state })).toMatchObject({ ended: true });
        expect(await entry(pause.id)).toMatchObject({ state: 'unknown', sentAt: null, endedAt: expect.any(Date) });
        expect(await trailOf(run.id)).toEqual([...APPROVED, 'payment_unknown', 'run_ended']);
      },
    );
  });

  describe('that was sent', () => {
    it('is settled once when the plan goes on', async () => {
      const { run, leg, pause } = await sentLeg(database.store);
      const before = await cardRev(pause.id);
      expect(await runs().settle({ ...leg, epoch: leg.epoch - 1 })).toBe(false);
      expect(await runs().settle(leg)).toBe(true);
      expect(await runs().settle(leg)).toBe(false);
      expect(await entry(pause.id)).toMatchObject({ state: 'settled', endedAt: expect.any(Date) });
      expect(await cardRev(pause.id)).toBe(before + 1);
      await runs().endLeg(leg, { state: 'failed', failure: 'planner_error' });
      expect(await entry(pause.id)).toMatchObject({ state: 'settled' });
      expect(await trailOf(run.id)).toEqual([...APPROVED, 'resumed', 'settled', 'run_ended']);
    });

    it('is settled by the next pause of its run', async () => {
      const { run, leg, pause } = await sentLeg(database.store);
      const next = await pauseForPayment(database.store, leg, { pause: newPayment() });
      expect(await entry(pause.id)).toMatchObject({ state: 'settled', endedAt: next.openedAt });
      expect(await database.store.ledger.entriesOf(run.id)).toMatchObject([
        { pauseId: pause.id, state: 'settled' },
        { pauseId: next.id, state: 'requested' },
      ]);
      expect(await trailOf(run.id)).toEqual([...APPROVED, 'resumed', 'settled', 'pause_opened']);
    });

    it.each<[RunEnd['state'], string]>([
      ['completed', 'settled'],
      ['failed', 'unknown'],
      ['interrupted', 'unknown'],
      ['stopped', 'unknown'],
      ['expired', 'unknown'],
    ])('is, when its run ends as %s, %s', async (state, ledgerState) => {
      const { run, leg, pause } = await sentLeg(database.store);
      const before = await cardRev(pause.id);
      await runs().endLeg(leg, { state });
      expect(await runs().endLeg(leg, { state: 'completed' })).toMatchObject({ ended: false });
      expect(await entry(pause.id)).toMatchObject({ state: ledgerState, sentAt: expect.any(Date) });
      expect(await cardRev(pause.id)).toBeGreaterThan(before);
      const noted = ledgerState === 'settled' ? 'settled' : 'payment_unknown';
      expect(await trailOf(run.id)).toEqual([...APPROVED, 'resumed', noted, 'run_ended']);
    });

    it('is told anew when its run is resumed, once however often, and stays as it was told otherwise', async () => {
      const { run, leg } = await sentLeg(database.store);
      const retell = (turn: Turn): Turn => ({ ...turn, content: `${turn.content} (again)` });
      await runs().endLeg(leg, { state: 'interrupted', failure: 'stream_cut' });
      const resumed = await resumeOne(runs(), run.id, retell);
      expect(resumed?.turns.at(-1)).toEqual({ role: 'user', content: `${APPROVED_TURN.content} (again)` });
      expect(resumed?.turns).toHaveLength(2);
    });

    it('is told in the same words when its run is resumed that ended before the planner was told', async () => {
      const { run, leg } = await approvedLeg(database.store);
      await runs().endLeg(leg, { state: 'interrupted', failure: 'process_lost' });
      const retell = (): Turn => ({ role: 'user', content: 'not this' });
      expect((await resumeOne(runs(), run.id, retell))?.turns.at(-1)).toEqual(APPROVED_TURN);
    });

    it('stays unknown when a person resumes its run and that goes on', async () => {
      const { run, leg, pause } = await sentLeg(database.store);
      await runs().endLeg(leg, { state: 'interrupted', failure: 'stream_cut' });
      expect(await resumeOne(runs(), run.id)).toMatchObject({ state: 'queued' });
      expect(await resumeOne(runs(), run.id)).toBeNull();
      const { leg: next } = await claim(database.store, run.id);
      await letLeave(runs(), next);
      expect(await runs().settle(next)).toBe(false);
      await runs().endLeg(next, { state: 'completed' });
      expect(await entry(pause.id)).toMatchObject({ state: 'unknown' });
      expect(await trailOf(run.id)).toEqual([
        ...APPROVED,
        'resumed',
        'payment_unknown',
        'run_ended',
        'resumed by U1',
        'resumed',
        'run_ended',
      ]);
    });
  });
});
