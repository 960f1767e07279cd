import { Decimal } from 'decimal.js';
import { expect, it } from 'vitest';
import { cardOperation, statusOperation } from '../../../src/domain/outbox.ts';
import type { ApprovalFacts, ApprovalJudgement } from '../../../src/domain/ports/approval-judge.ts';
import type { Store } from '../../../src/domain/ports/store.ts';
import { AFTER_DEADLINE, BEFORE_DEADLINE, DEADLINE, getRun, newThread, pauseOne, wantedRev } from './build.ts';
import { onEachDatabase } from './on-each-database.ts';
import { type ApproveInput, allow, approvalOf, askPayment, DAY_START, refusalOf, trail } from './payment-build.ts';

onEachDatabase('the approval of a payment', (database, isShared) => {
  const pauses = () => database.store.pauses;
  const ledger = () => database.store.ledger;
  const approve = (pauseId: string, fields: Partial<ApproveInput> = {}) =>
    pauses().approve(approvalOf(pauseId, fields));
  const rev = (operationId: string) => wantedRev(database.store, operationId);

  /** What an approval that came to nothing must have left as it was. */
  async function standing(runId: string, pauseId: string) {
    const { store } = database;
    const revs = [await rev(cardOperation(pauseId)), await rev(statusOperation(runId))];
    const rows = [await pauses().get(pauseId), await ledger().get(pauseId), await getRun(store, runId)];
    return { revs, rows, trail: await trail(store, runId) };
  }

  it('decides the pause and queues the run with what was said', async () => {
    const { run, pause } = await askPayment(database.store);
    const before = await standing(run.id, pause.id);
    const input = approvalOf(pause.id, { optionIndex: 1 });
    const decision = { kind: 'payment', verdict: 'approve', optionIndex: 1, reason: null };
    expect(await pauses().approve(input)).toMatchObject({
      kind: 'decided',
      pause: { state: 'decided', decision, decidedBy: 'U2', decidedAt: input.at },
      run: { state: 'queued', isCurrent: true, turns: [{ role: 'assistant' }, input.turn] },
    });
    expect(await ledger().get(pause.id)).toMatchObject({
      state: 'approved',
      optionIndex: 1,
      approverIds: ['U2'],
      approvedAt: input.at,
      sentAt: null,
    });
    const after = await standing(run.id, pause.id);
    expect(after.revs).toEqual(before.revs.map((was) => was + 1));
  });

  it('is taken once, whoever races', async () => {
    const { run, pause } = await askPayment(database.store);
    const other = isShared ? await database.openOther() : database.store;
    const verdicts = await Promise.all(
      Array.from({ length: 16 }, (_, index) => {
        const store = index % 2 === 0 ? database.store : other;
        return index % 4 === 3
          ? store.pauses.decide(refusalOf(pause.id, { actorId: `U${index}` }))
          : store.pauses.approve(approvalOf(pause.id, { actorId: `U${index}` }));
      }),
    );
    const decidedBy = (await pauses().get(pause.id))?.decidedBy;
    expect(verdicts.filter(({ kind }) => kind === 'decided')).toHaveLength(1);
    expect(verdicts.filter(({ kind }) => kind === 'not-open')).toHaveLength(15);
    for (const verdict of verdicts) expect(verdict).toMatchObject({ pause: { decidedBy } });
    expect((await getRun(database.store, run.id)).turns).toHaveLength(2);
    expect(await trail(database.store, run.id)).toEqual([
      'run_started by U1',
      'pause_opened',
      `decided by ${decidedBy}`,
    ]);
  });

  it('takes two different people where two are needed, the first of whom only shows on the card', async () => {
    const { run, pause } = await askPayment(database.store, { approversNeeded: 2 });
    const before = await standing(run.id, pause.id);
    expect(await approve(pause.id)).toMatchObject({ kind: 'one-more-needed', pause: { id: pause.id, state: 'open' } });
    const between = await standing(run.id, pause.id);
    expect(between.revs).toEqual([(before.revs[0] ?? 0) + 1, before.revs[1]]);
    expect(between.rows).toMatchObject([
      { state: 'open', decision: null },
      { state: 'requested', approverIds: ['U2'], optionIndex: 0 },
      { state: 'paused', turns: [{ role: 'assistant' }] },
    ]);
    expect(await approve(pause.id, { actorId: 'U3' })).toMatchObject({ kind: 'decided', pause: { decidedBy: 'U3' } });
    expect(await ledger().get(pause.id)).toMatchObject({ state: 'approved', approverIds: ['U2', 'U3'] });
    expect((await getRun(database.store, run.id)).turns).toHaveLength(2);
  });

  it('has no second word of the same person, even at once', async () => {
    const { run, pause } = await askPayment(database.store, { approversNeeded: 2 });
    const verdicts = await Promise.all(Array.from({ length: 6 }, () => approve(pause.id)));
    expect(verdicts.filter(({ kind }) => kind === 'one-more-needed')).toHaveLength(1);
    const refused = verdicts.filter(({ kind }) => kind === 'not-approvable');
    expect(refused).toEqual(Array.from({ length: 5 }, () => ({ kind: 'not-approvable', obstacle: 'approved-before' })));
    expect(await ledger().get(pause.id)).toMatchObject({ state: 'requested', approverIds: ['U2'] });
    expect(await trail(database.store, run.id)).toEqual(['run_started by U1', 'pause_opened', 'approved by U2']);
  });

  it('keeps to the option that the first person approved', async () => {
    const { run, pause } = await askPayment(database.store, { approversNeeded: 2 });
    await approve(pause.id, { optionIndex: 1 });
    const before = await standing(run.id, pause.id);
    const other = await approve(pause.id, { actorId: 'U3', optionIndex: 0 });
    expect(other).toEqual({ kind: 'not-approvable', obstacle: 'other-option' });
    expect(await standing(run.id, pause.id)).toEqual(before);
  });

  it.each([2, 3, -1, 0.5])('is refused for option %d, which is no plain amount or none', async (optionIndex) => {
    const { run, pause } = await askPayment(database.store);
    const before = await standing(run.id, pause.id);
    expect(await approve(pause.id, { optionIndex })).toEqual({
      kind: 'not-approvable',
      obstacle: 'not-payable',
    });
    expect(await standing(run.id, pause.id)).toEqual(before);
  });

  it('is not taken on other terms than those shown', async () => {
    const { run, pause } = await askPayment(database.store);
    const before = await standing(run.id, pause.id);
    expect(await approve(pause.id, { termsDigest: 'digest-0' })).toMatchObject({
      kind: 'terms-changed',
      pause: { id: pause.id, termsDigest: 'digest-1', state: 'open' },
    });
    expect(await standing(run.id, pause.id)).toEqual(before);
  });

  it('is not taken at or after the deadline, expired yet or not', async () => {
    const { run, pause } = await askPayment(database.store);
    for (const at of [DEADLINE, AFTER_DEADLINE]) {
      expect(await approve(pause.id, { at })).toMatchObject({ kind: 'not-open', pause: { state: 'open' } });
    }
    await pauses().expire(run.id, AFTER_DEADLINE);
    expect(await approve(pause.id)).toMatchObject({ kind: 'not-open', pause: { state: 'expired' } });
    expect(await ledger().get(pause.id)).toMatchObject({ state: 'expired', approverIds: [] });
  });

  it('is not taken once the run was stopped', async () => {
    const { run, pause } = await askPayment(database.store, { approversNeeded: 2 });
    await approve(pause.id);
    await database.store.runs.requestStop(run.id, 'U1');
    expect(await approve(pause.id, { actorId: 'U3' })).toMatchObject({
      kind: 'not-open',
      pause: { state: 'cancelled' },
    });
    expect(await ledger().get(pause.id)).toMatchObject({ state: 'expired', approverIds: ['U2'], approvedAt: null });
  });

  it('is unknown for a pause that is not there or asks for no payment', async () => {
    const { pause } = await pauseOne(database.store);
    expect(await approve('nothing')).toEqual({ kind: 'unknown' });
    expect(await approve(pause.id)).toEqual({ kind: 'unknown' });
    expect(await pauses().get(pause.id)).toMatchObject({ state: 'open' });
  });

  it('leaves nothing when the judge refuses, whose reason the person hears', async () => {
    const { run, pause } = await askPayment(database.store);
    const before = await standing(run.id, pause.id);
    const judge = (): ApprovalJudgement => ({ allowed: false, reason: 'Over the cap.' });
    expect(await approve(pause.id, { judge })).toEqual({ kind: 'refused', reason: 'Over the cap.' });
    expect(await standing(run.id, pause.id)).toEqual(before);
  });

  it('leaves nothing when the judge fails or a statement does', async () => {
    const { run, pause } = await askPayment(database.store);
    const before = await standing(run.id, pause.id);
    const judge = (): never => {
      throw new Error('no policy');
    };
    await expect(approve(pause.id, { judge })).rejects.toThrow('no policy');
    await database.pool.query(`create function steward.fail_audit() returns trigger language plpgsql as
      $$ begin raise exception 'no room for the audit'; end $$`);
    await database.pool.query(`create trigger fail_audit before insert on steward.audit
      for each row execute function steward.fail_audit()`);
    const failing = Promise.allSettled([approve(pause.id), pauses().decide(refusalOf(pause.id))]);
    const outcomes = await failing.finally(() => database.pool.query('drop function steward.fail_audit cascade'));
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await standing(run.id, pause.id)).toEqual(before);
    expect(await approve(pause.id)).toMatchObject({ kind: 'decided' });
  });

  it('is judged by the entry and by what was approved since the day began', async () => {
    const earlier = await askPayment(database.store, { run: { thread: newThread(), requesterId: 'U7' } });
    await approve(earlier.pause.id);
    const yesterday = await askPayment(database.store);
    await approve(yesterday.pause.id, { at: new Date(DAY_START.getTime() - 1) });
    const { pause } = await askPayment(database.store, { approversNeeded: 2 });
    await approve(pause.id);
    const facts: ApprovalFacts[] = [];
    const judge: ApproveInput['judge'] = (seen) => {
      facts.push(seen);
      return allow()(seen);
    };
    await approve(pause.id, { actorId: 'U3', judge });
    const usd = [{ currency: 'USD', amount: '25.10' }];
    expect(facts).toMatchObject([
      {
        entry: { pauseId: pause.id, approverIds: ['U2'], approversNeeded: 2 },
        spentToday: { user: [], channel: usd, workspace: usd },
      },
    ]);
  });

  it('never fits twice under one cap, in whatever processes', async () => {
    const asked = await Promise.all(Array.from({ length: 8 }, () => askPayment(database.store)));
    const stores = isShared ? [database.store, await database.openOther()] : [database.store];
    const verdicts = await Promise.all(
      asked.map(({ pause }, index) => {
        const store = stores[index % stores.length] as Store;
        return store.pauses.approve(approvalOf(pause.id, { judge: capOf('60') }));
      }),
    );
    expect(verdicts.filter(({ kind }) => kind === 'decided')).toHaveLength(2);
    expect(verdicts.filter(({ kind }) => kind === 'refused')).toHaveLength(6);
    const scope = { pauseId: 'another', teamId: 'T1', channelId: 'C1', requesterId: 'U1', dayStart: DAY_START };
    expect((await ledger().spentToday(scope)).workspace).toEqual([{ currency: 'USD', amount: '50.20' }]);
  });

  it('notes who approved what on which terms by which policy, and nothing of what was refused', async () => {
    const { run, pause } = await askPayment(database.store, { approversNeeded: 2 });
    await approve(pause.id);
    await approve(pause.id);
    await approve(pause.id, { actorId: 'U3', termsDigest: 'digest-0' });
    await approve(pause.id, { actorId: 'U3', at: BEFORE_DEADLINE });
    await approve(pause.id, { actorId: 'U4' });
    const about = { runId: run.id, pauseId: pause.id };
    const known = { termsDigest: 'digest-1', policyDigest: 'policy-1' };
    const decision = { kind: 'payment', verdict: 'approve', optionIndex: 0, reason: null };
    expect((await database.store.audit.list(run.id)).slice(2)).toEqual([
      {
        ...about,
        at: expect.any(Date),
        kind: 'approved',
        actorId: 'U2',
        reason: '1 of 2',
        details: { optionIndex: 0, ...known },
      },
      {
        ...about,
        at: expect.any(Date),
        kind: 'decided',
        actorId: 'U3',
        reason: 'approve',
        details: { decision, ...known },
      },
    ]);
  });
});

/** Allows while the workspace's US dollars stay within a cap. */
function capOf(cap: string): ApproveInput['judge'] {
  return ({ entry, spentToday }) => {
    const spent = spentToday.workspace.find(({ currency }) => currency === 'USD')?.amount ?? '0';
    const total = new Decimal(spent).plus(entry.terms.options[0]?.amount ?? '0');
    return total.lessThanOrEqualTo(cap)
      ? { allowed: true, approversNeeded: 1, policyDigest: 'policy-1' }
      : { allowed: false, reason: 'Over the cap.' };
  };
}
