import { expect, it } from 'vitest';
import {
  cardNoticeOperation,
  cardOperation,
  reminderOperation,
  runMessage,
  statusOperation,
} from '../../../src/domain/outbox.ts';
import { EMPTY_PLAN } from '../../../src/domain/plan.ts';
import type { Store } from '../../../src/domain/ports/store.ts';
import { verifyChain } from '../../../src/store/audit/audit-chain.ts';
import { createDatabase } from '../../../src/store/database.ts';
import { initialMigration } from '../../../src/store/migrations/0001-initial.ts';
import { createStore } from '../../../src/store/store.ts';
import { claim, decisionOn, getRun, letLeave, resumeOne } from './build.ts';
import { onEachDatabase } from './on-each-database.ts';
import { approvalOf, newPayment, pauseForPayment } from './payment-build.ts';

const PLAN = JSON.stringify(EMPTY_PLAN);
const ASKED = `{"kind":"clarification","question":"Which city?","options":["Porto"]}`;
const ANSWERED = `{"kind":"clarification","answer":"Porto","source":"reply","requestKey":"m-1"}`;

const run = (id: string, thread: string, fields: string) =>
  `insert into steward.runs (id, request_key, session_id, team_id, channel_id, thread_ts, requester_id, request_ts,
    order_ts, source, text, files, plan, turns, state, is_current, epoch, ended_at, failure)
  values ('${id}', 'key-${id}', 's', 'T1', 'C1', '${thread}', 'U1', '10.0', 10, 'mention', 'Plan', '[]', '${PLAN}',
    ${fields})`;

/** A database at work, as version 0001 left it: rows in every table, in every state that matters. */
const OLD_ROWS = [
  run('paused', 't1', `'[{"role":"assistant","content":"Which city?"}]', 'paused', true, 1, null, null`),
  run('queued', 't1', `'[]', 'queued', false, 0, null, null`),
  run(
    'running',
    't2',
    `'[{"role":"assistant","content":"?"},{"role":"user","content":"Porto"}]', 'running', true, 2,
    null, null`,
  ),
  run('interrupted', 't3', `'[]', 'interrupted', false, 1, now(), 'stream_cut'`),
  `insert into steward.legs (run_id, epoch, owner, sent_at, ended_at) values
    ('paused', 1, 'w', now(), now()), ('running', 1, 'w', now(), now()), ('running', 2, 'w', now(), null),
    ('interrupted', 1, 'w', now(), now())`,
  `insert into steward.pauses (id, run_id, epoch, request, terms_digest, state, opened_at, deadline_at, decision,
    decided_by, decided_at) values
    ('p-open', 'paused', 1, '${ASKED}', 'digest-1', 'open', '2030-01-01T00:00Z', '2030-01-01T00:30Z', null, null, null),
    ('p-done', 'running', 1, '${ASKED}', 'digest-1', 'decided', now(), now(), '${ANSWERED}', 'U1', now())`,
  `insert into steward.outbox (operation_id, kind, channel_id, thread_ts, run_id, pause_id, text, ts, shown_rev)
    select 'status-' || id, 'status', 'C1', thread_ts, id, null, null, null, 0 from steward.runs union all
    select 'card-' || id, 'card', 'C1', 't1', run_id, id, null, '12.5', 1 from steward.pauses union all
    values ('answer-x-0', 'answer', 'C1', 't1', 'x', null, 'Done', '9.1', 1),
      ('file-x', 'file', 'C1', 't1', 'x', null, null, null, 0),
      ('reminder-p-open', 'notice', 'C1', 't1', 'paused', null, 'Still waiting', '13.1', 1), ('notice-x', 'notice', 'C1', 't1', null, null, 'Hi', null, 0)`,
  `insert into steward.inbox (key, kind, body) values ('m-9', 'message', '{"event":{}}')`,
  `insert into steward.audit (kind, run_id, pause_id, actor_id, reason) values
    ('decision_refused', 'paused', 'p-open', 'U9', 'U9 may not answer'), ('stop_refused', 'paused', null, 'U8', 'no "stop"')`,
];

onEachDatabase('a database of the first version', (database) => {
  async function migrated(): Promise<Store> {
    await database.pool.query('drop schema steward cascade; create schema steward');
    await database.pool.query(`create table steward.migrations (name text primary key, applied_at timestamptz)`);
    await database.pool.query(`insert into steward.migrations values ('0001-initial', now())`);
    for (const statement of [...initialMigration.statements, ...OLD_ROWS]) await database.pool.query(statement);
    return createStore(database.pool);
  }

  it('keeps every row through the migrations', async () => {
    const count = async (table: string) => (await database.pool.query(`select from steward.${table}`)).rowCount;
    const store = await migrated();
    const tables = ['runs', 'legs', 'pauses', 'outbox', 'inbox', 'audit', 'ledger', 'approvals'];
    expect(await Promise.all(tables.map(count))).toEqual([4, 4, 2, 10, 1, 2, 0, 0]);
    expect(await store.pauses.get('p-open')).toMatchObject({
      state: 'open',
      request: { kind: 'clarification', question: 'Which city?', options: ['Porto'], unread: null },
    });
    expect(await store.pauses.get('p-done')).toMatchObject({ decision: { source: 'reply', requestKey: 'm-1' } });
    expect(await store.pauses.wasDecidedBy('m-1')).toBe(true);
    expect(await store.outbox.due(20)).toHaveLength(6);
    expect(await store.outbox.get('notice-x')).toMatchObject({ text: 'Hi', card: null });
    expect(await store.outbox.get(reminderOperation('p-open'))).toMatchObject({ pauseId: 'p-open' });
    const taken = await store.inbox.takeUnprocessed({ olderThanMs: 0, maxAttempts: 3, limit: 5 });
    expect(taken).toMatchObject([{ key: 'm-9' }]);
    expect(await store.audit.list('paused')).toMatchObject([{ actorId: 'U9' }, { reason: 'no "stop"' }]);
    expect(await verifyChain(createDatabase(database.pool))).toMatchObject({ ok: true, rows: 2 });
  });

  it('goes on with what was under way, payments and cards included', async () => {
    const store = await migrated();
    expect(await store.pauses.decide(decisionOn('p-open'))).toMatchObject({
      kind: 'decided',
      run: { state: 'queued' },
    });
    const { leg } = await claim(store, 'paused');
    expect(await letLeave(store.runs, leg)).toBe(true);
    const payment = await pauseForPayment(store, leg, { pause: newPayment() });
    expect(await store.pauses.approve(approvalOf(payment.id))).toMatchObject({ kind: 'decided' });
    expect(await store.runs.endLeg({ runId: 'running', epoch: 2 }, { state: 'completed' })).toMatchObject({
      ended: true,
    });
    expect(await resumeOne(store.runs, 'interrupted')).toMatchObject({ state: 'queued', isCurrent: true });
    const card = { cardKind: 'custom', title: 'Hi', items: [], choices: [], fields: [], notUnderstood: [] };
    const operationId = cardNoticeOperation('paused', 'digest');
    await store.outbox.add(runMessage(await getRun(store, 'paused'), { operationId, kind: 'info_card', card }));
    const due = await store.outbox.due(30);
    expect(due).toEqual(expect.arrayContaining([operationId, cardOperation(payment.id), statusOperation('running')]));
    const trail = await store.audit.list('paused');
    expect(trail.map(({ kind }) => kind)).toEqual([
      'decision_refused',
      'stop_refused',
      'decided',
      'resumed',
      'pause_opened',
      'decided',
    ]);
    expect(await verifyChain(createDatabase(database.pool))).toMatchObject({ ok: true });
  });
});
