import { sql } from 'kysely';
import type { BeatResult, Leg, RunStore } from '../../domain/ports/store.ts';
import { type Db, NOW } from '../database.ts';
import { toJson, toText } from '../json.ts';

type LegWrites = Pick<RunStore, 'saveProgress' | 'continueLeg' | 'beat'>;

/** What a leg under way writes: one statement each, which changes nothing once the run has left the leg's epoch. */
export function createLegWrites(db: Db): LegWrites {
  return {
    async saveProgress(leg, { plan, answer }) {
      const saved = await db
        .updateTable('runs')
        .set({ plan: toJson(plan), answer: toText(answer) })
        .where('id', '=', leg.runId)
        .where('epoch', '=', leg.epoch)
        .where('state', '=', 'running')
        .returning('id')
        .executeTakeFirst();
      return saved !== undefined;
    },
    async continueLeg(leg, turns) {
      const { rows } = await sql<Leg>`
        with moved as (
          update steward.runs set epoch = epoch + 1, turns = turns || ${toJson(turns)}::jsonb,
            active_ms = active_ms + (select ${legMs('now()')} from steward.legs l where l.run_id = id and l.epoch = runs.epoch)
          where id = ${leg.runId} and epoch = ${leg.epoch} and state = 'running'
          returning id, epoch
        ), ended as (
          update steward.legs l set ended_at = now() from moved where l.run_id = moved.id and l.epoch = moved.epoch - 1
        ), next as (
          insert into steward.legs (run_id, epoch, owner)
          select l.run_id, moved.epoch, l.owner
          from moved join steward.legs l on l.run_id = moved.id and l.epoch = moved.epoch - 1
        )
        select id as "runId", epoch from moved`.execute(db);
      return rows[0] ?? null;
    },
    beat: (legs) => beat(db, legs),
  };
}

/** How long a leg took until then, in whole milliseconds. */
export function legMs(until: 'now()' | 'l.beat_at') {
  return sql<string>`(extract(epoch from ${sql.raw(until)} - l.claimed_at) * 1000)::bigint`;
}

async function beat(db: Db, legs: readonly Leg[]): Promise<BeatResult> {
  if (legs.length === 0) return { lost: [], stopRequested: [] };
  const { rows } = await sql<Leg & { stop: boolean }>`
    update steward.legs l set beat_at = ${NOW}
    from jsonb_to_recordset(${toJson(legs)}::jsonb) as mine ("runId" text, epoch int), steward.runs r
    where l.run_id = mine."runId" and l.epoch = mine.epoch
      and r.id = l.run_id and r.epoch = l.epoch and r.state = 'running'
    returning l.run_id as "runId", l.epoch, r.stop_requested_by is not null as stop`.execute(db);
  const alive = new Map(rows.map((row) => [row.runId, row]));
  const isAlive = (leg: Leg) => alive.get(leg.runId)?.epoch === leg.epoch;
  return {
    lost: legs.filter((leg) => !isAlive(leg)),
    stopRequested: legs.filter((leg) => isAlive(leg) && alive.get(leg.runId)?.stop),
  };
}
