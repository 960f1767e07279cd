import { sql } from 'kysely';
import { type NewOutboxMessage, runMessage, statusOperation } from '../../domain/outbox.ts';
import { EMPTY_PLAN } from '../../domain/plan.ts';
import type { AdmittedRun, NewRun } from '../../domain/ports/store.ts';
import { type Db, listOf, type Trx, transact } from '../database.ts';
import { toJson } from '../json.ts';
import { addMessages } from '../owed.ts';
import { toRun } from '../rows/run-row.ts';
import { lockThreads, promoteNext } from '../threads.ts';
import { aheadOf } from './places.ts';

const SLACK_TS = /^\d+(\.\d+)?$/;

/**
 * Stores a batch of requests as queued runs with their status message owed, in one transaction of few statements
 * however many they are. A request that is known, from before or from the same batch, is answered with its run.
 */
export async function admitRuns(db: Db, requests: readonly NewRun[]): Promise<AdmittedRun[]> {
  if (requests.length === 0) return [];
  return transact(db, (trx) => admitInto(trx, requests));
}

/** The same as a part of a transaction. */
export async function admitInto(trx: Trx, requests: readonly NewRun[]): Promise<AdmittedRun[]> {
  const threads = requests.map((request) => request.thread);
  await lockThreads(trx, threads);
  const newIds = await insertNew(trx, requests);
  if (newIds.size > 0) await promoteNext(trx, threads, newIds);
  const created = requests.filter((request) => newIds.has(request.id));
  // After the promotion, which would owe again what is owed anyway.
  await addMessages(trx, created.map(statusMessage));
  const known = await readByKey(
    trx,
    requests.map((request) => request.requestKey),
  );
  // Deleted as it is told, because a batch may hold the same request twice.
  return requests.map((request) => ({ ...known(request.requestKey), created: newIds.delete(request.id) }));
}

function statusMessage(run: NewRun): NewOutboxMessage {
  return runMessage(run, { operationId: statusOperation(run.id), kind: 'status' });
}

/** Inserts what is new; the ids that were. */
async function insertNew(trx: Trx, requests: readonly NewRun[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    insert into steward.runs (id, request_key, session_id, team_id, channel_id, thread_ts, requester_id, request_ts,
      order_ts, source, text, files, plan)
    select id, request_key, session_id, team_id, channel_id, thread_ts, requester_id, request_ts,
      coalesce(order_ts, extract(epoch from now())), source, text, files, ${toJson(EMPTY_PLAN)}::jsonb
    from rows from (jsonb_to_recordset(${toJson(requests.map(toRunValues))}::jsonb) as (id text, request_key text,
      session_id text, team_id text, channel_id text, thread_ts text, requester_id text, request_ts text,
      order_ts numeric, source text, text text, files jsonb)) with ordinality
    order by ordinality
    on conflict (request_key) do nothing
    returning id`.execute(trx);
  return new Set(rows.map((row) => row.id));
}

function toRunValues(request: NewRun) {
  return {
    id: request.id,
    request_key: request.requestKey,
    session_id: request.sessionId,
    team_id: request.thread.teamId,
    channel_id: request.thread.channelId,
    thread_ts: request.thread.threadTs,
    requester_id: request.requesterId,
    request_ts: request.requestTs,
    order_ts: orderTs(request),
    source: request.source,
    text: request.text,
    files: request.files,
  };
}

/** A request that starts over names an old message; it takes its place behind what was asked since. */
function orderTs(request: NewRun): string | null {
  const hasOwnMessage = request.source !== 'start_over' && request.requestTs !== null;
  return hasOwnMessage && SLACK_TS.test(request.requestTs ?? '') ? request.requestTs : null;
}

async function readByKey(trx: Trx, keys: readonly string[]) {
  const rows = await trx
    .selectFrom('runs as r')
    .selectAll('r')
    .select(aheadOf('r').as('ahead'))
    .where('request_key', 'in', listOf(keys))
    .execute();
  const byKey = new Map(rows.map((row) => [row.request_key, { run: toRun(row), ahead: row.ahead }]));
  return (key: string) => {
    const found = byKey.get(key);
    if (!found) throw new Error(`The run of request ${key} is not there after its admission`);
    return found;
  };
}
