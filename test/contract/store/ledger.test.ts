import fc from 'fast-check';
import pg from 'pg';
import { expect, it } from 'vitest';
import type { Store } from '../../../src/domain/ports/store.ts';
import { createDatabase, type Db, transact } from '../../../src/store/database.ts';
import { type Approval, approve } from '../../../src/store/ledger/approvals.ts';
import {
  decline,
  entriesOf,
  expire,
  getEntry,
  markSent,
  markUnknown,
  type NewLedgerEntry,
  openEntry,
  settle,
} from '../../../src/store/ledger/ledger-moves.ts';
import { lockSpending, spentToday } from '../../../src/store/ledger/spending.ts';
import { newThread, pauseOne } from './build.ts';
import { createLedgerActors, ledgerStepArbitrary } from './ledger-interleavings.ts';
import { onEachDatabase } from './on-each-database.ts';
import { DAY_START, TERMS } from './payment-build.ts';

const AT = new Date('2030-01-01T09:00:00Z');
const LATER = new Date('2030-01-01T10:00:00Z');

const ALL = { pauseId: 'another', teamId: 'T1', channelId: 'C1', requesterId: 'U1', dayStart: DAY_START };

onEachDatabase('the ledger', (database, isShared) => {
  const db = () => createDatabase(database.pool);

  async function openOne(fields: Partial<NewLedgerEntry> = {}, store: Store = database.store): Promise<NewLedgerEntry> {
    const { run, pause } = await pauseOne(store, {
      thread: { ...newThread(), channelId: fields.channelId ?? 'C1' },
      requesterId: fields.requesterId ?? 'U1',
    });
    const entry: NewLedgerEntry = {
      pauseId: pause.id,
      runId: run.id,
      teamId: 'T1',
      channelId: run.thread.channelId,
      requesterId: run.requesterId,
      terms: TERMS,
      termsDigest: 'digest-1',
      approversNeeded: 1,
      requestedAt: DAY_START,
      ...fields,
    };
    await transact(db(), (trx) => openEntry(trx, entry));
    return entry;
  }

  function approveAs(pauseId: string, fields: Partial<Approval> = {}, on: Db = db()) {
    const approval = {
      pauseId,
      approverId: 'U2',
      optionIndex: 0,
      termsDigest: 'digest-1',
      policyDigest: 'policy-1',
      at: AT,
      ...fields,
    };
    return transact(on, (trx) => approve(trx, { approversNeeded: 1, ...approval }));
  }

  const inTransaction = <A, R>(move: (trx: Parameters<typeof approve>[0], input: A) => Promise<R>, input: A) =>
    transact(db(), (trx) => move(trx, input));

  it('keeps what was asked exactly as received', async () => {
    const entry = await openOne();
    const { approversNeeded, ...asked } = entry;
    const stored = {
      state: 'requested',
      optionIndex: null,
      approverIds: [],
      approvedAt: null,
      allowedAt: null,
      policyDigest: null,
      sentAt: null,
    };
    expect(await getEntry(db(), entry.pauseId)).toEqual({ ...asked, approversNeeded, ...stored, endedAt: null });
    expect(await entriesOf(db(), entry.runId)).toHaveLength(1);
    expect(await getEntry(db(), 'nothing')).toBeNull();
    expect(await entriesOf(db(), 'nobody')).toEqual([]);
  });

  it('goes from request to settlement, each step with its time', async () => {
    const { pauseId, runId } = await openOne();
    const verdict = await approveAs(pauseId);
    expect(verdict).toEqual({ kind: 'approved', entry: await getEntry(db(), pauseId) });
    expect(verdict).toMatchObject({
      entry: { state: 'approved', approverIds: ['U2'], optionIndex: 0, approvedAt: AT },
    });
    expect(await inTransaction(markSent, { runId, at: LATER })).toMatchObject([{ state: 'sent', sentAt: LATER }]);
    expect(await inTransaction(settle, { runId, at: LATER })).toMatchObject([{ state: 'settled', endedAt: LATER }]);
  });

  it('needs two different people where two are needed, for one and the same option', async () => {
    const { pauseId } = await openOne({ approversNeeded: 2 });
    expect(await approveAs(pauseId)).toMatchObject({ kind: 'recorded', entry: { state: 'requested', optionIndex: 0 } });
    expect(await approveAs(pauseId)).toMatchObject({ kind: 'approved-before', entry: { approverIds: ['U2'] } });
    expect(await approveAs(pauseId, { approverId: 'U3', optionIndex: 1 })).toMatchObject({ kind: 'other-option' });
    expect(await spentToday(db(), ALL)).toMatchObject({ workspace: [] });
    const last = await approveAs(pauseId, { approverId: 'U3' });
    expect(last).toEqual({ kind: 'approved', entry: await getEntry(db(), pauseId) });
    expect(last).toMatchObject({ entry: { state: 'approved', approverIds: ['U2', 'U3'] } });
  });

  it('keeps the strictest demand, whatever the policy says later', async () => {
    const asked = await openOne({ approversNeeded: 1 });
    expect(await approveAs(asked.pauseId, { approversNeeded: 2 })).toMatchObject({ kind: 'recorded' });
    expect(await approveAs(asked.pauseId, { approverId: 'U3' })).toMatchObject({ kind: 'approved' });
    const strict = await openOne({ approversNeeded: 2 });
    expect(await approveAs(strict.pauseId, { approversNeeded: 1 })).toMatchObject({ kind: 'recorded' });
  });

  it('refuses other terms, options that are not there and amounts that cannot be summed', async () => {
    const { pauseId } = await openOne();
    expect(await approveAs(pauseId, { termsDigest: 'digest-2' })).toMatchObject({ kind: 'terms-changed' });
    for (const optionIndex of [2, 3, -1]) {
      expect(await approveAs(pauseId, { optionIndex })).toMatchObject({ kind: 'not-payable' });
    }
    expect(await approveAs('nothing')).toEqual({ kind: 'no-entry' });
    expect(await getEntry(db(), pauseId)).toMatchObject({ state: 'requested', approverIds: [] });
  });

  it('ends a request once, declined or expired, and approves it no more', async () => {
    const declined = await openOne({ approversNeeded: 2 });
    await approveAs(declined.pauseId);
    const end = { pauseId: declined.pauseId, at: AT };
    await inTransaction(decline, end);
    await inTransaction(expire, { ...end, at: LATER });
    expect(await getEntry(db(), declined.pauseId)).toMatchObject({ state: 'declined', endedAt: AT });
    expect(await approveAs(declined.pauseId, { approverId: 'U3' })).toMatchObject({ kind: 'not-requested' });
    const expired = await openOne();
    await inTransaction(expire, { pauseId: expired.pauseId, at: AT });
    await inTransaction(decline, { pauseId: expired.pauseId, at: LATER });
    expect(await getEntry(db(), expired.pauseId)).toMatchObject({ state: 'expired', endedAt: AT });
    expect(await spentToday(db(), ALL)).toMatchObject({ workspace: [] });
  });

  it('moves only what stands where the move begins', async () => {
    const { pauseId, runId } = await openOne();
    const move = { runId, at: LATER };
    for (const step of [markSent, settle, markUnknown]) expect(await inTransaction(step, move)).toEqual([]);
    await approveAs(pauseId);
    expect(await inTransaction(settle, move)).toEqual([]);
    for (const step of [decline, expire]) await inTransaction(step, { pauseId, at: LATER });
    expect(await getEntry(db(), pauseId)).toMatchObject({ state: 'approved', endedAt: null });
    expect(await inTransaction(markUnknown, move)).toMatchObject([{ state: 'unknown', sentAt: null, endedAt: LATER }]);
    for (const step of [settle, markUnknown]) expect(await inTransaction(step, move)).toEqual([]);
  });

  it('is told for the first time when a run is resumed that ended before the planner was told', async () => {
    const { pauseId, runId } = await openOne();
    await approveAs(pauseId);
    await inTransaction(markUnknown, { runId, at: LATER });
    expect(await inTransaction(markSent, { runId, at: LATER })).toMatchObject([{ state: 'sent', endedAt: null }]);
    expect(await inTransaction(settle, { runId, at: LATER })).toMatchObject([{ state: 'settled', sentAt: LATER }]);
  });

  it('has an unknown payment after a crash between sending and settlement, and still counts it', async () => {
    const { pauseId, runId } = await openOne();
    await approveAs(pauseId);
    await inTransaction(markSent, { runId, at: LATER });
    expect(await inTransaction(markUnknown, { runId, at: LATER })).toMatchObject([{ state: 'unknown', sentAt: LATER }]);
    expect(await inTransaction(markSent, { runId, at: LATER })).toEqual([]);
    expect(await spentToday(db(), ALL)).toMatchObject({ workspace: [{ currency: 'USD', amount: '25.10' }] });
  });

  it('changes nothing when its transaction fails', async () => {
    const { pauseId } = await openOne();
    const failing = transact(db(), async (trx) => {
      await approve(trx, {
        pauseId,
        approverId: 'U2',
        optionIndex: 0,
        termsDigest: 'digest-1',
        approversNeeded: 1,
        policyDigest: 'policy-1',
        at: AT,
      });
      throw new Error('the decision was not stored');
    });
    await expect(failing).rejects.toThrow('not stored');
    expect(await getEntry(db(), pauseId)).toMatchObject({ state: 'requested', approverIds: [] });
  });

  it('sums by requester, channel and workspace, exactly and by currency', async () => {
    const option = (amount: string, currency: string) => ({ ...TERMS, options: [{ amount, currency, method: 'x' }] });
    const paid = async (fields: Partial<NewLedgerEntry>, approval: Partial<Approval> = {}) =>
      approveAs((await openOne(fields)).pauseId, approval);
    await paid({ terms: option('0.1', 'USD') });
    await paid({ terms: option('0.2', 'usd') });
    await paid({ terms: option('5', 'EUR'), requesterId: 'U9' }, { approverId: 'U3' });
    await paid({ terms: option('900719925474099.01', 'USD'), channelId: 'C2' });
    await paid({ terms: option('100', 'USD'), teamId: 'T2' });
    await paid({ terms: option('100', 'USD') }, { at: new Date(DAY_START.getTime() - 1) });
    await openOne({ terms: option('100', 'USD') });
    expect(await spentToday(db(), ALL)).toEqual({
      user: [{ currency: 'USD', amount: '900719925474099.31' }],
      channel: [
        { currency: 'EUR', amount: '5' },
        { currency: 'USD', amount: '0.3' },
      ],
      workspace: [
        { currency: 'EUR', amount: '5' },
        { currency: 'USD', amount: '900719925474099.31' },
      ],
    });
    expect((await spentToday(db(), { ...ALL, teamId: 'T3' })).workspace).toEqual([]);
  });

  it('is guarded by the database itself', async () => {
    const { pauseId, runId } = await openOne();
    const by = (set: string) => database.pool.query(`update steward.ledger set ${set} where pause_id = '${pauseId}'`);
    await expect(by(`terms = '{}'`)).rejects.toThrow('what was asked cannot change');
    await expect(by(`state = 'sent', sent_at = now()`)).rejects.toThrow('requested cannot become sent');
    await expect(by(`state = 'approved'`)).rejects.toThrow('ledger_approved');
    await approveAs(pauseId);
    await expect(by(`amount = 1`)).rejects.toThrow('what was approved cannot change');
    await expect(by(`approved_at = null`)).rejects.toThrow('what has happened cannot change');
    await inTransaction(markSent, { runId, at: LATER });
    await expect(by(`state = 'requested'`)).rejects.toThrow('sent cannot become requested');
    const twice = `insert into steward.approvals (pause_id, approver_id, approved_at) values ('${pauseId}', 'U2', now())`;
    await expect(database.pool.query(twice)).rejects.toThrow('approvals_pkey');
  });

  it('approves once, whoever races', async () => {
    const { pauseId } = await openOne({ approversNeeded: 2 });
    const people = Array.from({ length: 12 }, (_, index) => `U${index % 6}`);
    const verdicts = await Promise.all(
      people.map((approverId) => approveAs(pauseId, { approverId, approversNeeded: 2 })),
    );
    const count = (kind: string) => verdicts.filter((verdict) => verdict.kind === kind).length;
    expect([count('approved'), count('recorded')]).toEqual([1, 1]);
    expect((await getEntry(db(), pauseId))?.approverIds).toHaveLength(2);
  });

  it('keeps approvals under a cap when they are read and made under the lock on spending', async () => {
    const entries = [await openOne(), await openOne(), await openOne(), await openOne()];
    const underCap = (pauseId: string) =>
      transact(db(), async (trx) => {
        await lockSpending(trx, 'T1');
        const [spent] = (await spentToday(trx, ALL)).workspace;
        if (spent && Number(spent.amount) > 30) return;
        const approval = { pauseId, approverId: 'U2', optionIndex: 0, termsDigest: 'digest-1', at: AT };
        await approve(trx, { ...approval, approversNeeded: 1, policyDigest: 'policy-1' });
      });
    await Promise.all(entries.map(({ pauseId }) => underCap(pauseId)));
    expect((await spentToday(db(), ALL)).workspace).toEqual([{ currency: 'USD', amount: '50.20' }]);
  });

  it('shows legal states, different approvers and never less than was sent, whatever happens in whatever order', async () => {
    const other = isShared ? createDatabase(new pg.Pool(database.pool.options)) : db();
    try {
      await fc.assert(
        fc.asyncProperty(fc.array(ledgerStepArbitrary, { minLength: 5, maxLength: 30 }), async (steps) => {
          const teamId = newThread().threadTs;
          const entries = [await openOne({ teamId }), await openOne({ teamId, approversNeeded: 2 })];
          const actors = createLedgerActors([db(), other], entries, { ...ALL, teamId });
          for (let from = 0; from < steps.length; from += 4) await actors.takeAtOnce(steps.slice(from, from + 4));
        }),
        { numRuns: 25 },
      );
    } finally {
      if (isShared) await other.destroy();
    }
  }, 120_000);
});
