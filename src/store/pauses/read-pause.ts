import { cardOperation } from '../../domain/outbox.ts';
import type { Pause } from '../../domain/pause.ts';
import type { Db } from '../database.ts';
import { toText } from '../json.ts';
import { toPause } from '../rows/pause-row.ts';

export async function readPause(db: Db, pauseId: string): Promise<Pause | null> {
  const row = await db.selectFrom('pauses').selectAll().where('id', '=', toText(pauseId)).executeTakeFirst();
  return row ? toPause(row) : null;
}

/** The id of a run's newest pause, or null when it has none. */
export async function latestPauseId(db: Db, runId: string): Promise<string | null> {
  const query = db.selectFrom('pauses').select('id').where('run_id', '=', runId).orderBy('seq', 'desc').limit(1);
  return (await query.executeTakeFirst())?.id ?? null;
}

/** The message of a run's newest pause, as a list of at most one operation. */
export async function latestCard(db: Db, runId: string): Promise<string[]> {
  const pauseId = await latestPauseId(db, runId);
  return pauseId === null ? [] : [cardOperation(pauseId)];
}
