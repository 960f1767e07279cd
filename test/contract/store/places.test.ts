import { expect, it } from 'vitest';
import { statusOperation } from '../../../src/domain/outbox.ts';
import { admitOne, newThread, startOne, wantedRev } from './build.ts';
import { onEachDatabase } from './on-each-database.ts';

onEachDatabase('places in a thread', (database) => {
  /** A thread with one run at work and so many behind it; what the status messages of these are owed since. */
  async function threadWith(waiting: number) {
    const { store } = database;
    const thread = newThread();
    const first = await startOne(store, { thread, requestTs: '10.0' });
    const behind: string[] = [];
    for (let index = 0; index < waiting; index++) {
      behind.push((await admitOne(store, { thread, requestTs: `${20 + index}.0` })).id);
    }
    const revs = () => Promise.all(behind.map((id) => wantedRev(store, statusOperation(id))));
    const before = await revs();
    const raised = async () => (await revs()).map((rev, index) => rev - (before[index] ?? 0));
    return { thread, first, behind, raised };
  }

  it('are owed to the first few that wait when the run before them ends, however many wait', async () => {
    const { first, raised } = await threadWith(8);
    await database.store.runs.endLeg(first.leg, { state: 'completed' });
    expect(await raised()).toEqual([1, 1, 1, 1, 1, 0, 0, 0]);
  });

  it('are owed to nobody when a request comes last', async () => {
    const { thread, raised } = await threadWith(3);
    await admitOne(database.store, { thread, requestTs: '90.0' });
    expect(await raised()).toEqual([0, 0, 0]);
  });

  it('are owed to those behind a request that comes late, and to nobody before it', async () => {
    const { thread, raised } = await threadWith(3);
    await admitOne(database.store, { thread, requestTs: '20.5' });
    expect(await raised()).toEqual([0, 1, 1]);
  });
});
