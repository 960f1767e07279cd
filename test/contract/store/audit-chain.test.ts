import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { AuditEntry } from '../../../src/domain/audit.ts';
import { verifyChain } from '../../../src/store/audit/audit-chain.ts';
import { exportRows } from '../../../src/store/audit/audit-export.ts';
import { pruneAudit } from '../../../src/store/audit/audit-retention.ts';
import { appendAudit } from '../../../src/store/audit/audit-store.ts';
import { createDatabase, transact } from '../../../src/store/database.ts';
import { initialMigration } from '../../../src/store/migrations/0001-initial.ts';
import { createStore } from '../../../src/store/store.ts';
import { onEachDatabase } from './on-each-database.ts';

const ENTRY: AuditEntry = { kind: 'decided', runId: 'r1', pauseId: 'p1', actorId: 'U1', reason: 'approved' };
const EVERYTHING = { from: null, to: null };
const RETENTION = { signedOffBy: 'U-admin', reason: 'kept for a year' };

onEachDatabase('the audit chain', (database, isShared) => {
  const db = () => createDatabase(database.pool);
  const add = (...reasons: string[]) =>
    appendAudit(
      db(),
      reasons.map((reason) => ({ ...ENTRY, reason })),
    );

  /** As somebody with the right to change tables would: the guards are off meanwhile. */
  async function byHand(...statements: string[]): Promise<void> {
    const all = [
      'begin',
      'alter table steward.audit disable trigger user',
      ...statements,
      'alter table steward.audit enable trigger user',
      'commit',
    ];
    await database.pool.query(all.join(';'));
  }

  const startAnew = () =>
    byHand(
      'delete from steward.audit',
      'delete from steward.audit_head',
      `insert into steward.audit_head (seq, hash) values (0, repeat('0', 64))`,
    );

  async function exported(
    format: 'csv' | 'jsonl',
    range: { from: Date | null; to: Date | null } = EVERYTHING,
  ): Promise<string[]> {
    const lines: string[] = [];
    for await (const line of exportRows(db(), { ...range, format })) lines.push(line);
    return lines;
  }

  it('holds when it is empty', async () => {
    await startAnew();
    expect(await verifyChain(db())).toEqual({ ok: true, rows: 0, end: { seq: 0, hash: '0'.repeat(64) } });
  });

  it('holds whatever is written into it, the hashes of the database being our own', async () => {
    await startAnew();
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\0', '\u2028"\\/\b\f\n\r\t\x1f\x7f', '\ud800x'),
    );
    const entry: fc.Arbitrary<AuditEntry> = fc.record({
      kind: fc.constantFrom('run_started', 'card_shown', 'click_refused'),
      runId: fc.constantFrom(null, 'r1'),
      pauseId: fc.constantFrom(null, 'p1'),
      actorId: fc.option(text),
      reason: text,
      details: fc.dictionary(text, fc.jsonValue(), { maxKeys: 4 }),
    });
    let rows = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { minLength: 1, maxLength: 8 }), async (entries) => {
        await appendAudit(db(), entries);
        rows += entries.length;
        expect(await verifyChain(db())).toMatchObject({ ok: true, rows });
      }),
      { numRuns: 40 },
    );
    for (const line of await exported('jsonl')) expect(() => JSON.parse(line)).not.toThrow();
  }, 60_000);

  it('gives back what was written, details included', async () => {
    await startAnew();
    const shown: AuditEntry = { ...ENTRY, kind: 'card_shown', details: { text: 'Pay 5 USD?', 2: { b: 1, a: [null] } } };
    await database.store.audit.append(shown);
    expect(await database.store.audit.list('r1')).toEqual([{ ...shown, at: expect.any(Date) }]);
  });

  it('has one order, whoever writes at the same time', async () => {
    await startAnew();
    const others = isShared ? [await database.openOther(), await database.openOther()] : [];
    const stores = [database.store, ...others];
    await Promise.all(
      Array.from({ length: 120 }, (_, index) =>
        stores[index % stores.length]?.audit.append({ ...ENTRY, reason: `${index}` }),
      ),
    );
    expect(await verifyChain(db())).toMatchObject({ ok: true, rows: 120, end: { seq: 120 } });
  });

  it('leaves no gap where a transaction failed', async () => {
    await startAnew();
    const failing = transact(db(), async (trx) => {
      await appendAudit(trx, [ENTRY]);
      throw new Error('no decision after all');
    });
    await expect(failing).rejects.toThrow('no decision');
    await add('next');
    expect(await verifyChain(db())).toMatchObject({ ok: true, rows: 1, end: { seq: 1 } });
  });

  it('refuses changes, deletions and a truncate', async () => {
    await add('kept');
    const statements = [`update steward.audit set reason = 'x'`, 'delete from steward.audit', 'truncate steward.audit'];
    for (const statement of statements) {
      await expect(database.pool.query(statement)).rejects.toThrow('the audit trail only grows');
    }
  });

  it.each([
    ['an altered reason', `update steward.audit set reason = 'x' where seq = 3`, 3, 'it was altered'],
    ['altered details', `update steward.audit set details = '{"a":1}' where seq = 3`, 3, 'it was altered'],
    ['an altered time', `update steward.audit set at = at + interval '1 us' where seq = 3`, 3, 'it was altered'],
    ['another person', `update steward.audit set actor_id = null where seq = 3`, 3, 'it was altered'],
    ['a missing row', 'delete from steward.audit where seq = 3', 3, 'it is missing: the next row is 4'],
    ['a missing start', 'delete from steward.audit where seq < 3', 1, 'it is missing: the next row is 3'],
    ['a missing end', 'delete from steward.audit where seq > 3', 4, 'rows are missing at the end: the last one was 5'],
    ['no rows at all', 'delete from steward.audit', 1, 'rows are missing at the end: the last one was 5'],
    ['no head', 'delete from steward.audit_head', 0, 'the head of the chain is missing'],
    [
      'a row rehashed by itself',
      `update steward.audit set reason = 'x' where seq = 3;
       update steward.audit a set hash = steward.audit_hash(a) where seq = 3`,
      4,
      'it does not follow from the row before it',
    ],
    [
      'a last row rehashed by itself',
      `update steward.audit set reason = 'x' where seq = 5;
       update steward.audit a set hash = steward.audit_hash(a) where seq = 5`,
      5,
      'it is not the row that the chain ended with',
    ],
  ])('names the first break: %s', async (_name, statement, seq, problem) => {
    await startAnew();
    await add('1', '2', '3', '4', '5');
    await byHand(statement);
    expect(await verifyChain(db())).toMatchObject({ ok: false, firstBreak: { seq, problem } });
  });

  it('is cut by retention, which leaves a signed-off marker with the hash of what was cut', async () => {
    await startAnew();
    await add('1', '2', '3');
    const { rows } = await database.pool.query(`select hash from steward.audit where seq = 3`);
    const before = new Date(Date.now() + 1000);
    expect(await pruneAudit(db(), { ...RETENTION, before })).toBe(3);
    const [marker] = (await exported('jsonl')).map((line) => JSON.parse(line));
    expect(marker).toMatchObject({
      seq: 4,
      kind: 'pruned',
      actorId: 'U-admin',
      reason: 'kept for a year',
      details: { firstSeq: 1, throughSeq: 3, lastHash: rows[0].hash, before: before.toISOString() },
    });
    await add('5');
    expect(await verifyChain(db())).toMatchObject({ ok: true, rows: 2, end: { seq: 5 } });
  });

  it('is cut again, markers and all, and keeps what is newer', async () => {
    await startAnew();
    await add('1', '2', '3');
    expect(await pruneAudit(db(), { ...RETENTION, before: new Date(0) })).toBe(0);
    const { rows } = await database.pool.query('select at from steward.audit where seq = 3');
    expect(await pruneAudit(db(), { ...RETENTION, before: rows[0].at })).toBeLessThanOrEqual(2);
    await pruneAudit(db(), { ...RETENTION, before: new Date(Date.now() + 1000) });
    await add('after');
    expect(await verifyChain(db())).toMatchObject({ ok: true, rows: 2 });
  });

  it('finds a start that was cut beyond what the marker says', async () => {
    await startAnew();
    await add('1', '2');
    await pruneAudit(db(), { ...RETENTION, before: new Date(Date.now() + 1000) });
    await add('4', '5');
    await byHand('delete from steward.audit where seq = 3');
    expect(await verifyChain(db())).toMatchObject({ ok: false, firstBreak: { seq: 1 } });
  });

  it('takes no marker that does not say what is cut', async () => {
    await startAnew();
    await add('1', '2');
    for (const details of [
      {},
      { throughSeq: 2, lastHash: 'f'.repeat(64) },
      { throughSeq: 9, lastHash: 'f'.repeat(64) },
    ]) {
      await expect(appendAudit(db(), [{ ...ENTRY, kind: 'pruned', details }])).rejects.toThrow(
        'does not say what is cut',
      );
    }
  });

  it('exports many rows in order, of a span of time', async () => {
    await startAnew();
    const reasons = Array.from({ length: 1200 }, (_, index) => `${index + 1}`);
    for (const at of [0, 400, 800]) await add(...reasons.slice(at, at + 400));
    const lines = await exported('jsonl');
    expect(lines.map((line) => JSON.parse(line).reason)).toEqual(reasons);
    expect(await verifyChain(db())).toMatchObject({ ok: true, rows: 1200 });
    const { rows } = await database.pool.query('select at from steward.audit where seq in (401, 801) order by seq');
    const [from, to] = rows.map(({ at }) => new Date(at));
    const span = await exported('jsonl', { from: from ?? null, to: to ?? null });
    const seqs = span.map((line) => JSON.parse(line).seq);
    expect(seqs.length).toBeGreaterThanOrEqual(398);
    expect(seqs).toEqual(seqs.map((_, index) => seqs[0] + index));
    expect(await exported('csv', { from: new Date('2100-01-01'), to: null })).toHaveLength(1);
  });

  it('exports cells that no spreadsheet runs', async () => {
    await startAnew();
    await add('=HYPERLINK("https://evil.example","x")', 'two\nlines');
    const [header, first, second] = await exported('csv');
    expect(header).toBe('seq,at,kind,runId,pauseId,actorId,reason,details,prevHash,hash\r\n');
    expect(first).toContain(`,U1,"'=HYPERLINK(""https://evil.example"",""x"")",{},`);
    expect(second).toContain(',"two\nlines",');
  });

  it('chains the rows of an older version, in their order', async () => {
    await database.pool.query('drop schema steward cascade; create schema steward');
    for (const statement of initialMigration.statements) await database.pool.query(statement);
    await database.pool.query(`create table steward.migrations (name text primary key, applied_at timestamptz)`);
    await database.pool.query(`insert into steward.migrations (name) values ('0001-initial')`);
    const odd = 'odd " \\ / \b\f\n\r\t\x01\x7f \u2028 ż 🎈';
    const insert = `insert into steward.audit (seq, kind, run_id, pause_id, actor_id, reason) values ($1, 'decision_made', 'r', $2, 'U', $3)`;
    for (const seq of [7, 3, 12]) await database.pool.query(insert, [seq, seq === 3 ? null : 'p', `${seq} ${odd}`]);
    const store = await createStore(database.pool);
    expect(await verifyChain(db())).toMatchObject({ ok: true, rows: 3, end: { seq: 3 } });
    await store.audit.append({ ...ENTRY, runId: 'r' });
    expect((await store.audit.list('r')).map(({ reason }) => reason.split(' ')[0])).toEqual([
      '3',
      '7',
      '12',
      'approved',
    ]);
    expect(await verifyChain(db())).toMatchObject({ ok: true, rows: 4 });
  });
});
