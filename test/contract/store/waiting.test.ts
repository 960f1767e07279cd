import { expect, it } from 'vitest';
import { notice, reminderOperation } from '../../../src/domain/outbox.ts';
import { DEADLINE, getRun, pauseOne } from './build.ts';
import { onEachDatabase } from './on-each-database.ts';
import { approvalOf, askPayment, newPayment, refusalOf } from './payment-build.ts';

const LAST_THIRD = new Date('2030-01-01T00:20:00Z');

onEachDatabase('what waits for people', (database) => {
  const pauses = () => database.store.pauses;
  const found = async (runId: string, pauseId: string) => ({
    pause: await pauses().get(pauseId),
    run: await getRun(database.store, runId),
  });

  it('holds open payments of everybody, oldest first, and nothing else', async () => {
    await pauseOne(database.store);
    const first = await askPayment(database.store, { run: { requesterId: 'U5' } });
    const second = await askPayment(database.store, { run: { requesterId: 'U6' }, approversNeeded: 2 });
    const third = await askPayment(database.store);
    const over = [await askPayment(database.store), await askPayment(database.store), await askPayment(database.store)];
    const [approved, declined, stopped] = over.map(({ pause }) => pause.id);
    await pauses().approve(approvalOf(approved ?? ''));
    await pauses().decide(refusalOf(declined ?? ''));
    await database.store.runs.requestStop(over[2]?.run.id ?? '', 'U1');
    expect(await pauses().get(stopped ?? '')).toMatchObject({ state: 'cancelled' });
    await pauses().approve(approvalOf(second.pause.id));
    const expected = await Promise.all([first, second, third].map(({ run, pause }) => found(run.id, pause.id)));
    expect(await pauses().openPayments(10)).toEqual(expected);
    expect(await pauses().openPayments(2)).toEqual(expected.slice(0, 2));
    expect(await pauses().openFor('U6', 10)).toEqual(expected.slice(1, 2));
  });

  it('is reminded of in the last third of its time, once, and not when it is over', async () => {
    const { run, pause } = await askPayment(database.store);
    const other = await pauseOne(database.store);
    const late = new Date(DEADLINE.getTime() + 1);
    const soon = { openedAt: LAST_THIRD, deadlineAt: late };
    await askPayment(database.store, { pause: newPayment(soon) });
    expect(await pauses().needingReminder(new Date(LAST_THIRD.getTime() - 1), 10)).toEqual([]);
    const both = [await found(run.id, pause.id), await found(other.run.id, other.pause.id)];
    expect(await pauses().needingReminder(LAST_THIRD, 10)).toEqual(both);
    expect(await pauses().needingReminder(LAST_THIRD, 1)).toEqual(both.slice(0, 1));
    const said = { operationId: reminderOperation(pause.id), text: 'Still waiting' };
    await database.store.outbox.add(notice({ channelId: 'C1', threadTs: null }, said));
    expect(await pauses().needingReminder(LAST_THIRD, 10)).toEqual(both.slice(1));
    expect(await pauses().needingReminder(DEADLINE, 10)).toMatchObject([{ pause: { deadlineAt: late } }]);
    await database.store.runs.requestStop(other.run.id, 'U1');
    expect(await pauses().needingReminder(LAST_THIRD, 10)).toEqual([]);
  });
});
