import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { SqlPool } from '../../../src/store/connection/sql-pool.ts';
import { createStore } from '../../../src/store/store.ts';
import { blockedStatements } from './blocked.ts';
import { admitOne, claim, decisionOn, getRun, newRun, newThread, pauseOne, resumeOne, startOne } from './build.ts';
import { checkInvariants, createActors, finishAll, stepArbitrary } from './interleavings.ts';
import { onEachDatabase } from './on-each-database.ts';

const STEPS_AT_ONCE = 4;

onEachDatabase('the store under races', (database, isShared) => {
  it('keeps its invariants whatever happens in whatever order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(stepArbitrary, { minLength: 10, maxLength: 40 }), async (steps) => {
        const actors = createActors(database.store, newThread(), newThread());
        for (let at = 0; at < steps.length; at += STEPS_AT_ONCE) {
          await Promise.all(steps.slice(at, at + STEPS_AT_ONCE).map((step) => actors.take(step)));
          await checkInvariants(database.pool);
        }
        await finishAll(database.store, actors.threads);
        expect(actors.decisionsTakenTwice()).toEqual([]);
        await checkInvariants(database.pool);
      }),
      { numRuns: 25 },
    );
  }, 120_000);

  it('lets the next run go when an admission and an end meet', async () => {
    for (let round = 0; round < 10; round++) {
      const thread = newThread();
      const { leg } = await startOne(database.store, { thread });
      const [next] = await Promise.all([
        admitOne(database.store, { thread }),
        database.store.runs.endLeg(leg, { state: 'completed' }),
      ]);
      expect(await getRun(database.store, next.id)).toMatchObject({ state: 'queued', isCurrent: true });
    }
  });

  it('lets the next but one go when an end and a stop of the next run meet', async () => {
    for (let round = 0; round < 10; round++) {
      const thread = newThread();
      const { leg } = await startOne(database.store, { thread });
      const [next, last] = [await admitOne(database.store, { thread }), await admitOne(database.store, { thread })];
      await Promise.all([
        database.store.runs.endLeg(leg, { state: 'completed' }),
        database.store.runs.requestStop(next.id, 'U1'),
      ]);
      expect(await getRun(database.store, last.id)).toMatchObject({ state: 'queued', isCurrent: true });
    }
  });

  it('starts again on the same database without changing it', async () => {
    const run = await admitOne(database.store);
    const again = await createStore(database.pool);
    expect(await again.runs.get(run.id)).toEqual(run);
  });

  it('refuses a database that a newer version has used', async () => {
    await database.pool.query(`insert into steward.migrations (name) values ('9999-from-the-future')`);
    await expect(createStore(database.pool)).rejects.toMatchObject({
      code: 'store_unavailable',
      retryable: false,
      message: expect.stringContaining('9999-from-the-future'),
    });
    await database.pool.query(`delete from steward.migrations where name = '9999-from-the-future'`);
  });

  it('says that a statement was refused, with the reason of the database', async () => {
    const taken = newRun();
    await database.store.runs.admit(taken);
    await expect(database.store.runs.admit(newRun({ id: taken.id }))).rejects.toMatchObject({
      code: 'store_unavailable',
      retryable: false,
      cause: { code: '23505' },
    });
  });

  it.runIf(isShared)('has one current run when two processes admit into one thread', async () => {
    const other = await database.openOther();
    const thread = newThread();
    const requests = Array.from({ length: 20 }, () => newRun({ thread }));
    const admitted = await Promise.all(
      requests.flatMap((request) => [
        database.store.runs.admit(request),
        other.runs.admit(newRun({ thread, requestKey: request.requestKey })),
      ]),
    );
    expect(admitted.filter(({ created }) => created)).toHaveLength(20);
    const live = await database.store.runs.liveInThread(thread);
    expect(live).toHaveLength(20);
    expect(live.filter(({ isCurrent }) => isCurrent)).toHaveLength(1);
    expect(await Promise.all(live.map(({ id }) => other.runs.countAhead(id)))).toEqual(live.map((_, index) => index));
  });

  it.runIf(isShared)('waits for a run that another process is making current, and comes after it', async () => {
    const thread = newThread();
    const first = await admitOne(database.store, { thread });
    await database.store.runs.requestStop(first.id, 'U1');
    const stranger = await database.pool.connect();
    try {
      await stranger.query('begin');
      // Without the thread's lock, as no process of ours would: the index must hold all the same.
      await stranger.query(
        `update steward.runs set state = 'queued', is_current = true, ended_at = null where id = '${first.id}'`,
      );
      const admission = database.store.runs.admit(newRun({ thread }));
      await blockedStatements(database.pool);
      await stranger.query('commit');
      const admitted = await admission;
      expect(admitted).toMatchObject({ created: true, ahead: 1, run: { isCurrent: false } });
    } finally {
      stranger.release(true);
    }
  });

  it('runs a transaction again that the database ended because of another one', async () => {
    const mend = await failInserts(database.pool, { times: 2, code: '40P01' });
    const admitted = await database.store.runs.admit(newRun()).finally(mend);
    expect(admitted).toMatchObject({ created: true, ahead: 0 });
  });

  it('gives a transaction up that the database ends each time, as one that may succeed later', async () => {
    const mend = await failInserts(database.pool, { times: 100, code: '40001' });
    const admission = database.store.runs.admit(newRun()).finally(mend);
    await expect(admission).rejects.toMatchObject({ code: 'store_unavailable', retryable: true });
  });

  it('does not run a transaction again that fails for a reason of its own', async () => {
    const mend = await failInserts(database.pool, { times: 1, code: '22000' });
    const admission = database.store.runs.admit(newRun()).finally(mend);
    await expect(admission).rejects.toMatchObject({ code: 'store_unavailable', retryable: false });
  });

  it.runIf(isShared)('fences a process that lost its leg', async () => {
    const other = await database.openOther();
    const { run, leg } = await startOne(database.store);
    expect(await other.runs.claimLeg(run.id, 'worker-2')).toBeNull();
    expect(await other.runs.lostLegs(0, 10)).toContainEqual(leg);
    await other.runs.endLeg(leg, { state: 'interrupted', failure: 'process_lost' });
    await resumeOne(other.runs, run.id);
    const { leg: next } = await claim(other, run.id);
    expect(next.epoch).toBe(2);
    expect(await database.store.runs.beat([leg])).toEqual({ lost: [leg], stopRequested: [] });
    expect(await database.store.runs.endLeg(leg, { state: 'completed' })).toMatchObject({ ended: false });
    expect(await getRun(other, run.id)).toMatchObject({ state: 'running', epoch: 2 });
  });

  it.runIf(isShared)('decides once between two processes', async () => {
    const other = await database.openOther();
    const { pause } = await pauseOne(database.store);
    const verdicts = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        [database.store, other][index % 2]?.pauses.decide(decisionOn(pause.id, { actorId: `U${index}` })),
      ),
    );
    expect(verdicts.filter((verdict) => verdict?.kind === 'decided')).toHaveLength(1);
  });

  it.runIf(isShared)('starts in several processes at once on an empty database', async () => {
    await database.pool.query('drop schema steward cascade');
    const stores = await Promise.all(Array.from({ length: 4 }, () => database.openOther()));
    const run = await admitOne(database.store);
    for (const store of stores) expect(await store.runs.get(run.id)).toEqual(run);
  });
});

/** Makes the next inserts into runs fail with an SQLSTATE; call the result to end that. */
async function failInserts(pool: SqlPool, failure: { times: number; code: string }): Promise<() => Promise<void>> {
  await pool.query('create sequence steward.insert_tries');
  await pool.query(`create function steward.fail_insert() returns trigger language plpgsql as $$ begin
    if nextval('steward.insert_tries') <= ${failure.times} then
      raise exception 'failed for a test' using errcode = '${failure.code}';
    end if;
    return new;
  end $$`);
  await pool.query(`create trigger fail_insert before insert on steward.runs
    for each row execute function steward.fail_insert()`);
  return async () => {
    await pool.query('drop function steward.fail_insert cascade');
    await pool.query('drop sequence steward.insert_tries');
  };
}
