import { expect, it } from 'vitest';
import { cardOperation, statusOperation } from '../../../src/domain/outbox.ts';
import {
  AFTER_DEADLINE,
  admitOne,
  claim,
  DEADLINE,
  decisionOn,
  getRun,
  newPause,
  newThread,
  PLAN,
  pauseOne,
  startOne,
  wantedRev,
} from './build.ts';
import { onEachDatabase } from './on-each-database.ts';

onEachDatabase('pauses', (database) => {
  const pauses = () => database.store.pauses;
  const rev = (operationId: string) => wantedRev(database.store, operationId);

  it('opens with its card owed and the run paused', async () => {
    const { run, leg } = await startOne(database.store);
    const pause = newPause();
    const before = await rev(statusOperation(run.id));
    const turns = [{ role: 'assistant' as const, content: 'Which city?' }];
    expect(await database.store.runs.pauseLeg(leg, { pause, plan: PLAN, turns })).toBe(true);
    expect(await getRun(database.store, run.id)).toMatchObject({ state: 'paused', isCurrent: true, plan: PLAN, turns });
    expect(await pauses().get(pause.id)).toEqual({
      ...pause,
      runId: run.id,
      epoch: leg.epoch,
      state: 'open',
      decision: null,
      decidedBy: null,
      decidedAt: null,
    });
    expect(await database.store.outbox.get(cardOperation(pause.id))).toMatchObject({
      kind: 'card',
      pauseId: pause.id,
      runId: run.id,
      threadTs: run.thread.threadTs,
    });
    expect(await rev(statusOperation(run.id))).toBeGreaterThan(before);
    expect(await database.store.runs.beat([leg])).toMatchObject({ lost: [leg] });
  });

  it('keeps the order in which a choice names its values, because agents and people read it', async () => {
    const { leg } = await startOne(database.store);
    const selection = { offer_id: 'off_1', cabin: 'economy', id: 7, '': true };
    const choice = { label: 'Take it', detail: null, selection, isPrimary: true };
    const card = { cardKind: 'review', title: null, items: [], choices: [choice], fields: [], notUnderstood: [] };
    const pause = newPause({ request: { kind: 'card', card } });
    await database.store.runs.pauseLeg(leg, { pause, plan: PLAN, turns: [] });
    const kept = await pauses().get(pause.id);
    expect(JSON.stringify(kept?.request)).toContain(JSON.stringify(selection));
  });

  it('is found by run, thread and person', async () => {
    const { run, pause } = await pauseOne(database.store, { requesterId: 'U5' });
    await startOne(database.store, { requesterId: 'U5' });
    const found = { pause: await pauses().get(pause.id), run: await getRun(database.store, run.id) };
    expect(await pauses().latestOf(run.id)).toEqual(found.pause);
    expect(await pauses().openFor('U5', 10)).toEqual([found]);
    expect(await pauses().openFor('U6', 10)).toEqual([]);
    expect(await pauses().get('nothing')).toBeNull();
    expect(await pauses().latestOf('nobody')).toBeNull();
  });

  it('is what a later message of its requester in its thread may answer, by the time of its card', async () => {
    const { run, pause } = await pauseOne(database.store, { requesterId: 'U5' });
    const opened = pause.openedAt.getTime() / 1000;
    const asked = (ts: string, requesterId = 'U5', thread = run.thread) =>
      pauses().askedBefore({ thread, requesterId, ts });
    expect(await asked(String(opened))).toEqual(await pauses().get(pause.id));
    expect(await asked(String(opened - 1))).toBeNull();
    await database.store.outbox.claim(cardOperation(pause.id), 1000);
    await database.store.outbox.shown(cardOperation(pause.id), { ts: `${opened + 60}.000100`, rev: 1 });
    expect(await asked(`${opened + 60}.000099`)).toBeNull();
    expect(await asked(`${opened + 60}.000200`)).toMatchObject({ id: pause.id });
    expect(await asked(`${opened + 90}.000000`, 'U6')).toBeNull();
    expect(await asked(`${opened + 90}.000000`, 'U5', newThread())).toBeNull();
    await pauses().decide(decisionOn(pause.id, { actorId: 'U5' }));
    expect(await asked(`${opened + 90}.000000`)).toMatchObject({ id: pause.id, state: 'decided' });
  });

  it('is decided: the run is queued again with the answer as its last turn', async () => {
    const { run, pause } = await pauseOne(database.store);
    const before = [await rev(cardOperation(pause.id)), await rev(statusOperation(run.id))] as const;
    const input = decisionOn(pause.id, { actorId: 'U3' });
    const verdict = await pauses().decide(input);
    expect(verdict).toMatchObject({
      kind: 'decided',
      pause: { state: 'decided', decision: input.decision, decidedBy: 'U3', decidedAt: input.at },
      run: {
        state: 'queued',
        isCurrent: true,
        turns: [{ role: 'assistant', content: 'Which city?' }, input.turn],
      },
    });
    expect(await rev(cardOperation(pause.id))).toBe(before[0] + 1);
    expect(await rev(statusOperation(run.id))).toBe(before[1] + 1);
    expect((await claim(database.store, run.id)).leg.epoch).toBe(2);
  });

  it('is decided once, whoever races', async () => {
    const { run, pause } = await pauseOne(database.store);
    const verdicts = await Promise.all(
      Array.from({ length: 20 }, (_, index) => pauses().decide(decisionOn(pause.id, { actorId: `U${index}` }))),
    );
    const winner = verdicts.find((verdict) => verdict.kind === 'decided');
    expect(verdicts.filter(({ kind }) => kind === 'decided')).toHaveLength(1);
    expect(verdicts.filter(({ kind }) => kind === 'not-open')).toHaveLength(19);
    const decidedBy = (await pauses().get(pause.id))?.decidedBy;
    expect(winner).toMatchObject({ pause: { decidedBy } });
    for (const verdict of verdicts) expect(verdict).toMatchObject({ pause: { decidedBy } });
    expect((await getRun(database.store, run.id)).turns).toHaveLength(2);
  });

  it('is not decided on other terms than those shown', async () => {
    const { pause } = await pauseOne(database.store);
    expect(await pauses().decide(decisionOn(pause.id, { termsDigest: 'digest-0' }))).toMatchObject({
      kind: 'terms-changed',
      pause: { state: 'open', termsDigest: 'digest-1' },
    });
    expect(await pauses().decide(decisionOn(pause.id, { termsDigest: null }))).toMatchObject({ kind: 'decided' });
  });

  it('is not decided at or after its deadline', async () => {
    const { pause } = await pauseOne(database.store);
    for (const at of [DEADLINE, AFTER_DEADLINE]) {
      expect(await pauses().decide(decisionOn(pause.id, { at }))).toMatchObject({
        kind: 'not-open',
        pause: { state: 'open' },
      });
    }
    expect(await pauses().decide(decisionOn('nothing'))).toEqual({ kind: 'unknown' });
  });

  it('knows the message that decided', async () => {
    const { pause } = await pauseOne(database.store);
    const decision = { kind: 'clarification', answer: 'Porto', source: 'reply', requestKey: 'm-1' } as const;
    expect(await pauses().wasDecidedBy('m-1')).toBe(false);
    await pauses().decide({ ...decisionOn(pause.id), decision });
    expect(await pauses().wasDecidedBy('m-1')).toBe(true);
    expect(await pauses().wasDecidedBy('m-2')).toBe(false);
  });

  it('expires at its deadline and lets the next run of the thread go', async () => {
    const { run, pause } = await pauseOne(database.store);
    const next = await admitOne(database.store, { thread: run.thread });
    const before = [await rev(cardOperation(pause.id)), await rev(statusOperation(run.id))] as const;
    const early = new Date(DEADLINE.getTime() - 1);
    expect(await pauses().overdue(early, 10)).toEqual([]);
    expect(await pauses().expire(run.id, early)).toEqual({ expired: false, promotedRunId: null });
    expect(await pauses().overdue(DEADLINE, 10)).toEqual([run.id]);
    expect(await pauses().expire(run.id, DEADLINE)).toEqual({ expired: true, promotedRunId: next.id });
    expect(await pauses().get(pause.id)).toMatchObject({ state: 'expired', decision: null });
    expect(await getRun(database.store, run.id)).toMatchObject({ state: 'expired', isCurrent: false });
    expect(await rev(cardOperation(pause.id))).toBe(before[0] + 1);
    expect(await rev(statusOperation(run.id))).toBe(before[1] + 1);
    expect(await pauses().expire(run.id, DEADLINE)).toEqual({ expired: false, promotedRunId: null });
    expect(await pauses().expire('nobody', DEADLINE)).toEqual({ expired: false, promotedRunId: null });
    expect(await pauses().decide(decisionOn(pause.id))).toMatchObject({ kind: 'not-open' });
  });

  it('is either decided or expired, never both', async () => {
    const { run, pause } = await pauseOne(database.store);
    const [verdict, expiry] = await Promise.all([
      pauses().decide(decisionOn(pause.id)),
      pauses().expire(run.id, DEADLINE),
    ]);
    expect([verdict.kind === 'decided', expiry.expired].filter(Boolean)).toHaveLength(1);
  });

  it('is cancelled when its run is stopped', async () => {
    const { run, pause } = await pauseOne(database.store);
    const before = await rev(cardOperation(pause.id));
    expect(await database.store.runs.requestStop(run.id, 'U9')).toMatchObject({
      ended: true,
      run: { state: 'stopped', stopRequestedBy: 'U9' },
    });
    expect(await pauses().get(pause.id)).toMatchObject({ state: 'cancelled' });
    expect(await rev(cardOperation(pause.id))).toBe(before + 1);
    expect(await pauses().decide(decisionOn(pause.id))).toMatchObject({ kind: 'not-open' });
  });

  it('stays settled when a later pause of the run is decided', async () => {
    const { run, pause } = await pauseOne(database.store);
    await pauses().decide(decisionOn(pause.id));
    const { leg } = await claim(database.store, run.id);
    const later = newPause();
    await database.store.runs.pauseLeg(leg, { pause: later, plan: PLAN, turns: [] });
    expect(await pauses().latestOf(run.id)).toMatchObject({ id: later.id, epoch: 2 });
    const shown = await rev(cardOperation(pause.id));
    await pauses().decide(decisionOn(later.id));
    expect(await pauses().get(pause.id)).toMatchObject({ state: 'decided' });
    expect(await rev(cardOperation(pause.id))).toBe(shown);
  });
});
