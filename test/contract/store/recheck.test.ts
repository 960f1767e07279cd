import { describe, expect, it } from 'vitest';
import type { ApprovalFacts, ApprovalRecheck } from '../../../src/domain/ports/approval-judge.ts';
import { ALLOWING, claim, getRun, letLeave, resumeOne } from './build.ts';
import { onEachDatabase } from './on-each-database.ts';
import { approvalOf, approvedLeg, askPayment, newPayment, pauseForPayment, sentLeg, trail } from './payment-build.ts';

const DAY_MS = 86_400_000;

/** A recheck that says no, and keeps what it was asked. */
function withholding(): ApprovalRecheck & { asked: ApprovalFacts[] } {
  const asked: ApprovalFacts[] = [];
  return {
    ...ALLOWING,
    asked,
    judge(facts) {
      asked.push(facts);
      return { kind: 'withheld', reason: 'Not any more.' };
    },
  };
}

const unasked: ApprovalRecheck = { ...ALLOWING, judge: () => ({ kind: 'people-unknown' }) };
const forbidden: ApprovalRecheck = {
  ...ALLOWING,
  judge() {
    throw new Error('There was nothing to ask about');
  },
};

onEachDatabase('an approval on its way to the planner', (database) => {
  const runs = () => database.store.runs;
  const entry = (pauseId: string) => database.store.ledger.get(pauseId);
  const asU1 = { actorId: 'U1', retell: <T>(turn: T): T => turn };

  describe('with the leg that is about to leave', () => {
    it('is judged by itself, its sums without it, and noted as allowed', async () => {
      const thread = { teamId: `T${Math.random()}`, channelId: 'C1', threadTs: '1.1' };
      const before = await askPayment(database.store, { run: { thread: { ...thread, threadTs: '1.2' } } });
      await database.store.pauses.approve(approvalOf(before.pause.id));
      const { leg, pause } = await approvedLeg(database.store, { run: { thread } });
      const recheck = withholding();
      await runs().markSent(leg, { ...recheck, isClaimed: true });
      expect(recheck.asked).toMatchObject([
        {
          entry: {
            pauseId: pause.id,
            state: 'approved',
            optionIndex: 0,
            approverIds: ['U2'],
            policyDigest: 'policy-1',
          },
          spentToday: { workspace: [{ currency: 'USD', amount: '25.10' }] },
        },
      ]);
      const at = new Date(ALLOWING.at.getTime() + 1);
      expect(await letLeave(runs(), leg, { at, judge: () => ({ kind: 'allowed', policyDigest: 'policy-2' }) })).toBe(
        true,
      );
      expect(await entry(pause.id)).toMatchObject({ state: 'sent', allowedAt: at, policyDigest: 'policy-2' });
    });

    it('does not leave against the policy: the leg is unsent, the entry as it was, and the trail says why', async () => {
      const { run, leg, pause } = await approvedLeg(database.store);
      const was = await entry(pause.id);
      const sending = await runs().markSent(leg, { ...withholding(), isClaimed: true });
      expect(sending).toMatchObject({ kind: 'withheld', reason: 'Not any more.', entry: { pauseId: pause.id } });
      expect(await entry(pause.id)).toEqual(was);
      expect((await database.store.audit.list(run.id)).at(-1)).toMatchObject({
        kind: 'approval_withheld',
        pauseId: pause.id,
        reason: 'Not any more.',
      });
      expect(await runs().releaseLeg(leg)).toBe(true);
    });

    it('changes nothing while nobody has asked who approved it', async () => {
      const { run, leg, pause } = await approvedLeg(database.store);
      const was = [await entry(pause.id), await trail(database.store, run.id)];
      expect(await runs().markSent(leg, { ...unasked, isClaimed: true })).toMatchObject({ kind: 'people-unknown' });
      expect([await entry(pause.id), await trail(database.store, run.id)]).toEqual(was);
      expect(await runs().releaseLeg(leg)).toBe(true);
    });

    it('is unknown, and was not told, once its run ends for that', async () => {
      const { leg, pause } = await approvedLeg(database.store);
      await runs().markSent(leg, { ...withholding(), isClaimed: true });
      await runs().endLeg(leg, { state: 'interrupted', failure: 'approval_withheld' });
      expect(await entry(pause.id)).toMatchObject({ state: 'unknown', sentAt: null });
    });

    it('is not asked about where there is none, or the plan went on past it', async () => {
      const { leg } = await sentLeg(database.store);
      await runs().settle(leg);
      const again = await runs().continueLeg(leg, []);
      if (!again) throw new Error('The leg was lost');
      expect(await letLeave(runs(), again, forbidden)).toBe(true);
    });

    it('is not asked about by further rounds of a leg that told it', async () => {
      const { leg } = await sentLeg(database.store);
      const again = await runs().continueLeg(leg, []);
      if (!again) throw new Error('The leg was lost');
      expect(await runs().markSent(again, { ...forbidden, isClaimed: false })).toEqual({ kind: 'sent' });
    });
  });

  describe('by Resume', () => {
    it.each([
      ['was not told', approvedLeg],
      ['may have been heard', sentLeg],
    ])('leaves everything as it was where one that %s is withheld', async (_what, approve) => {
      const { run, leg, pause } = await approve(database.store);
      await runs().endLeg(leg, { state: 'interrupted', failure: 'process_lost' });
      const was = [await getRun(database.store, run.id), await entry(pause.id), await trail(database.store, run.id)];
      for (const recheck of [withholding(), unasked]) {
        expect(await runs().resume(run.id, { ...recheck, ...asU1 })).toMatchObject({ entry: { pauseId: pause.id } });
      }
      expect([
        await getRun(database.store, run.id),
        await entry(pause.id),
        await trail(database.store, run.id),
      ]).toEqual(was);
      expect(await resumeOne(runs(), run.id)).toMatchObject({ state: 'queued' });
    });

    it('asks nothing where the plan went on, or the last word is about something else', async () => {
      const settled = await sentLeg(database.store);
      await runs().settle(settled.leg);
      await runs().endLeg(settled.leg, { state: 'interrupted', failure: 'stream_cut' });
      expect(await runs().resume(settled.run.id, { ...forbidden, ...asU1 })).toMatchObject({ kind: 'resumed' });
      const asking = await sentLeg(database.store);
      const next = await pauseForPayment(database.store, asking.leg, { pause: newPayment() });
      await database.store.pauses.decide({
        pauseId: next.id,
        termsDigest: 'digest-1',
        decision: { kind: 'payment', verdict: 'decline', optionIndex: null, reason: null },
        turn: { role: 'user', content: 'no' },
        actorId: 'U1',
        at: ALLOWING.at,
      });
      const { leg } = await claim(database.store, asking.run.id);
      await runs().endLeg(leg, { state: 'interrupted', failure: 'process_lost' });
      expect(await runs().resume(asking.run.id, { ...forbidden, ...asU1 })).toMatchObject({ kind: 'resumed' });
    });
  });

  it('counts on the day it was approved and on the day it was told', async () => {
    const thread = { teamId: `T${Math.random()}`, channelId: 'C1', threadTs: '1.1' };
    const { leg, pause } = await approvedLeg(database.store, { run: { thread } });
    const next = new Date(ALLOWING.at.getTime() + DAY_MS);
    const scope = { pauseId: 'another', teamId: thread.teamId, channelId: 'C1', requesterId: 'U1' };
    const spentOn = async (day: number) => {
      const dayStart = new Date(ALLOWING.dayStart.getTime() + day * DAY_MS);
      return (await database.store.ledger.spentToday({ ...scope, dayStart })).workspace.length;
    };
    expect([await spentOn(0), await spentOn(1)]).toEqual([1, 0]);
    await letLeave(runs(), leg, { at: next, dayStart: new Date(ALLOWING.dayStart.getTime() + DAY_MS) });
    expect([await spentOn(0), await spentOn(1), await spentOn(2)]).toEqual([1, 1, 0]);
    const own = { ...scope, pauseId: pause.id, dayStart: ALLOWING.dayStart };
    expect((await database.store.ledger.spentToday(own)).workspace).toEqual([]);
  });
});
