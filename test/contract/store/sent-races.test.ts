import { expect, it } from 'vitest';
import { blockedStatements, holdRow } from './blocked.ts';
import { getRun, letLeave } from './build.ts';
import { onEachDatabase } from './on-each-database.ts';
import { approvedLeg } from './payment-build.ts';

/** A slow process is about to send while another takes its leg for lost. */
onEachDatabase('an approval on its way', (database, isShared) => {
  const entry = (pauseId: string) => database.store.ledger.get(pauseId);
  const holdLedger = (pauseId: string) => holdRow(database.pool, 'ledger', `pause_id = '${pauseId}'`);

  it.runIf(isShared)('does not go back to the queue while its sender is at it', async () => {
    const other = await database.openOther();
    const { run, leg, pause } = await approvedLeg(database.store);
    const letGo = await holdLedger(pause.id);
    const sent = letLeave(database.store.runs, leg);
    await blockedStatements(database.pool);
    const released = other.runs.releaseLeg(leg);
    await blockedStatements(database.pool, 2);
    await letGo();
    expect(await Promise.all([sent, released])).toEqual([true, false]);
    expect(await getRun(other, run.id)).toMatchObject({ state: 'running', epoch: leg.epoch });
    expect(await entry(pause.id)).toMatchObject({ state: 'sent' });
  });

  it.runIf(isShared)('does not leave once its run has been ended by another process', async () => {
    const other = await database.openOther();
    const { run, leg, pause } = await approvedLeg(database.store);
    const letGo = await holdLedger(pause.id);
    const ended = other.runs.endLeg(leg, { state: 'interrupted', failure: 'process_lost' });
    await blockedStatements(database.pool);
    const sent = letLeave(database.store.runs, leg);
    await blockedStatements(database.pool, 2);
    await letGo();
    expect(await ended).toMatchObject({ ended: true });
    expect(await sent).toBe(false);
    expect(await getRun(other, run.id)).toMatchObject({ state: 'interrupted' });
    expect(await entry(pause.id)).toMatchObject({ state: 'unknown', sentAt: null });
  });

  it('is told or taken back, never both', async () => {
    for (let round = 0; round < 10; round++) {
      const { leg, pause } = await approvedLeg(database.store);
      const [sent, released] = await Promise.all([
        letLeave(database.store.runs, leg),
        database.store.runs.releaseLeg(leg),
      ]);
      expect([sent, released].filter(Boolean)).toHaveLength(1);
      expect(await entry(pause.id)).toMatchObject({ state: sent ? 'sent' : 'approved' });
    }
  });
});
