import { describe, expect, it } from 'vitest';
import { answerOperation, runMessage, statusOperation } from '../../../src/domain/outbox.ts';
import { EMPTY_PLAN } from '../../../src/domain/plan.ts';
import type { RunChoice } from '../../../src/domain/run.ts';
import type { Turn } from '../../../src/domain/turn.ts';
import {
  admitOne,
  claim,
  decisionOn,
  getRun,
  letLeave,
  NEVER_MS,
  newPause,
  newRun,
  newThread,
  OWNER,
  PLAN,
  pauseOne,
  resumeOne,
  startOne,
  wantedRev,
} from './build.ts';
import { onEachDatabase } from './on-each-database.ts';

const choice = (action: RunChoice['action']): RunChoice => ({
  action,
  actorId: 'U2',
  at: new Date('2030-01-01T00:00:00Z'),
});

onEachDatabase('runs', (database) => {
  const runs = () => database.store.runs;
  const rev = (runId: string) => wantedRev(database.store, statusOperation(runId));

  describe('admission', () => {
    it('stores a request as a queued run that may run at once', async () => {
      const file = {
        id: 'F1',
        name: 'map.png',
        mimetype: 'image/png',
        sizeBytes: 12,
        urlPrivateDownload: null,
        needsInfo: true,
      };
      const request = newRun({ requestTs: '1700000000.000100', files: [file] });
      const admitted = await runs().admit(request);
      expect(admitted).toMatchObject({ created: true, ahead: 0 });
      expect(admitted.run).toEqual({
        ...request,
        state: 'queued',
        isCurrent: true,
        epoch: 0,
        plan: EMPTY_PLAN,
        turns: [],
        answer: '',
        failure: null,
        stopRequestedBy: null,
        choice: null,
        createdAt: expect.any(Date),
        startedAt: null,
        endedAt: null,
        activeMs: 0,
      });
      expect(await runs().get(request.id)).toEqual(admitted.run);
    });

    it('owes the status message in the thread', async () => {
      const run = await admitOne(database.store);
      expect(await database.store.outbox.get(statusOperation(run.id))).toMatchObject({
        kind: 'status',
        runId: run.id,
        channelId: run.thread.channelId,
        threadTs: run.thread.threadTs,
        shownRev: 0,
      });
      expect(await database.store.outbox.due(10)).toEqual([statusOperation(run.id)]);
    });

    it('finds the first run when a request comes again', async () => {
      const first = newRun();
      await runs().admit(first);
      const again = await runs().admit(newRun({ requestKey: first.requestKey, thread: first.thread }));
      expect(again).toMatchObject({ created: false, ahead: 0, run: { id: first.id } });
      expect(await runs().liveInThread(first.thread)).toHaveLength(1);
    });

    it('creates one run when a request comes twice in one batch', async () => {
      const first = newRun();
      const again = newRun({ requestKey: first.requestKey, thread: first.thread });
      const admitted = await Promise.all([first, again].map((request) => runs().admit(request)));
      expect(admitted.map(({ created, run }) => [created, run.id])).toEqual([
        [true, first.id],
        [false, first.id],
      ]);
    });

    it('answers in the order of the requests, each with its place in its thread', async () => {
      const thread = newThread();
      const batch = [newRun({ thread }), newRun(), newRun({ thread }), newRun({ thread })];
      const admitted = await Promise.all(batch.map((request) => runs().admit(request)));
      expect(admitted.map(({ run }) => run.id)).toEqual(batch.map(({ id }) => id));
      expect(admitted.map(({ ahead }) => ahead)).toEqual([0, 0, 1, 2]);
      expect(admitted.map(({ run }) => run.isCurrent)).toEqual([true, true, false, false]);
    });

    it('orders the waiting runs of a thread by the ts of their requests', async () => {
      const thread = newThread();
      const current = await admitOne(database.store, { thread, requestTs: '1700000001.000000' });
      const late = await admitOne(database.store, { thread, requestTs: '1700000009.000000' });
      const early = await admitOne(database.store, { thread, requestTs: '1700000005.000000' });
      expect((await runs().liveInThread(thread)).map(({ id }) => id)).toEqual([current.id, early.id, late.id]);
      expect(await runs().countAhead(late.id)).toBe(2);
      expect(await runs().countAhead(early.id)).toBe(1);
    });

    it('stores a hundred concurrent requests in a hundred threads with few statements', async () => {
      const requests = Array.from({ length: 100 }, () => newRun());
      let statements = 0;
      const count = () => statements++;
      database.pool.on('acquire', count);
      const admitted = await Promise.all(requests.map((request) => runs().admit(request)));
      database.pool.off('acquire', count);
      expect(statements).toBeLessThanOrEqual(2);
      expect(admitted.map(({ run }) => run.id)).toEqual(requests.map(({ id }) => id));
      expect(admitted.every(({ created, run }) => created && run.isCurrent)).toBe(true);
    });

    it('keeps text that PostgreSQL could not store', async () => {
      const run = await admitOne(database.store, { text: 'a\0b \ud800 c \ud83d\ude00 "\\u0000"' });
      expect(run.text).toBe('ab \ufffd c \ud83d\ude00 "\\u0000"');
    });

    it('finds runs by thread, by request and by person', async () => {
      const thread = newThread();
      const first = await admitOne(database.store, { thread, requestTs: '1700000001.000000', requesterId: 'U7' });
      const second = await admitOne(database.store, { thread, requestTs: '1700000002.000000', requesterId: 'U7' });
      expect(await runs().latestInThread(thread)).toEqual(second);
      expect(await runs().latestInThread(newThread())).toBeNull();
      expect(await runs().byRequest({ channelId: 'C1', requestTs: '1700000001.000000' })).toEqual(first);
      expect(await runs().byRequest({ channelId: 'C2', requestTs: '1700000001.000000' })).toBeNull();
      expect((await runs().liveOf('U7', 10)).map(({ id }) => id)).toEqual([second.id, first.id]);
      expect(await runs().liveOf('U7', 1)).toHaveLength(1);
    });
  });

  describe('a claim', () => {
    it('starts the leg of a queued current run', async () => {
      const run = await admitOne(database.store);
      const claimed = await claim(database.store, run.id);
      expect(claimed.leg).toEqual({ runId: run.id, epoch: 1 });
      expect(claimed.run).toMatchObject({ id: run.id, state: 'running', epoch: 1, startedAt: expect.any(Date) });
      expect(claimed.priorTurns).toEqual([]);
    });

    it('is not due for a run that waits behind another, is unknown, or is over', async () => {
      const thread = newThread();
      const { leg } = await startOne(database.store, { thread });
      const behind = await admitOne(database.store, { thread });
      await runs().endLeg(leg, { state: 'completed' });
      await runs().requestStop(behind.id, 'U1');
      const waiting = await startOne(database.store, { thread });
      const last = await admitOne(database.store, { thread });
      for (const runId of [last.id, 'nobody', leg.runId, behind.id, waiting.run.id]) {
        expect(await runs().claimLeg(runId, OWNER)).toBeNull();
      }
    });

    it('has one winner', async () => {
      const run = await admitOne(database.store);
      const claims = await Promise.all(Array.from({ length: 10 }, (_, index) => runs().claimLeg(run.id, `w${index}`)));
      expect(claims.filter((claimed) => claimed !== null)).toHaveLength(1);
    });

    it('finds a leg lost whose process has gone silent', async () => {
      const { run, leg } = await startOne(database.store);
      expect(await runs().claimLeg(run.id, OWNER)).toBeNull();
      expect(await runs().lostLegs(NEVER_MS, 10)).toEqual([]);
      expect(await runs().lostLegs(0, 10)).toEqual([leg]);
      await runs().endLeg(leg, { state: 'interrupted', failure: 'process_lost' });
      expect(await runs().lostLegs(0, 10)).toEqual([]);
    });

    it("brings the thread's earlier requests and answers, oldest first", async () => {
      const thread = newThread();
      for (const [text, state] of [
        ['one', 'completed'],
        ['two', 'failed'],
        ['taken back', 'stopped'],
        ['cut', 'interrupted'],
        ['three', 'completed'],
      ] as const) {
        const { leg } = await startOne(database.store, { thread, text });
        await runs().endLeg(leg, { state, answer: `answer to ${text}` });
      }
      const run = await admitOne(database.store, { thread });
      expect((await claim(database.store, run.id)).priorTurns).toEqual([
        { role: 'user', content: 'one' },
        { role: 'assistant', content: 'answer to one' },
        { role: 'user', content: 'two' },
        { role: 'user', content: 'three' },
        { role: 'assistant', content: 'answer to three' },
      ]);
    });

    it('brings no more earlier turns than fit', async () => {
      const thread = newThread();
      for (const text of ['old', 'middle', 'new']) {
        const { leg } = await startOne(database.store, { thread, text });
        await runs().endLeg(leg, { state: 'completed', answer: 'x'.repeat(90_000) });
      }
      const run = await admitOne(database.store, { thread });
      const { priorTurns } = await claim(database.store, run.id);
      expect(priorTurns.filter(({ role }) => role === 'user').map((turn) => turn.content)).toEqual(['middle', 'new']);
    });

    it('brings the same earlier turns at a resume, whatever ran in between', async () => {
      const thread = newThread();
      const { run, leg } = await startOne(database.store, { thread });
      await runs().endLeg(leg, { state: 'interrupted' });
      const between = await startOne(database.store, { thread });
      await runs().endLeg(between.leg, { state: 'completed', answer: 'done' });
      await resumeOne(runs(), run.id);
      expect((await claim(database.store, run.id)).priorTurns).toEqual([]);
    });
  });

  describe('a leg', () => {
    it('saves its progress without owing a message', async () => {
      const { run, leg } = await startOne(database.store);
      const before = await rev(run.id);
      expect(await runs().saveProgress(leg, { plan: PLAN, answer: 'So far\0' })).toBe(true);
      expect(await getRun(database.store, run.id)).toMatchObject({ plan: PLAN, answer: 'So far' });
      expect(await rev(run.id)).toBe(before);
    });

    it('changes nothing once its epoch has passed', async () => {
      const { run, leg } = await startOne(database.store);
      const next = await runs().continueLeg(leg, []);
      expect(next).toEqual({ runId: run.id, epoch: 2 });
      const before = await getRun(database.store, run.id);
      expect(await letLeave(runs(), leg)).toBe(false);
      expect(await runs().saveProgress(leg, { plan: PLAN, answer: 'stale' })).toBe(false);
      expect(await runs().continueLeg(leg, [{ role: 'user', content: 'stale' }])).toBeNull();
      expect(await runs().releaseLeg(leg)).toBe(false);
      expect(await runs().endLeg(leg, { state: 'completed', answer: 'stale' })).toEqual({
        ended: false,
        promotedRunId: null,
      });
      expect(await runs().pauseLeg(leg, { pause: newPause(), plan: PLAN, turns: [] })).toBe(false);
      expect(await runs().beat([leg])).toEqual({ lost: [leg], stopRequested: [] });
      expect(await getRun(database.store, run.id)).toEqual(before);
      expect(await database.store.pauses.latestOf(run.id)).toBeNull();
    });

    it('goes on with tool results in the next leg', async () => {
      const { run, leg } = await startOne(database.store);
      const turns: Turn[] = [
        { role: 'assistant', content: '', toolCalls: [{ id: 'c1', name: 'look', arguments: '{}' }] },
        { role: 'tool', toolCallId: 'c1', content: 'no such tool' },
      ];
      await runs().continueLeg(leg, turns);
      expect(await getRun(database.store, run.id)).toMatchObject({ state: 'running', epoch: 2, turns });
    });

    it('goes back to the queue when it was not sent', async () => {
      const { run, leg } = await startOne(database.store);
      await runs().markEnqueued([run.id]);
      expect(await runs().releaseLeg(leg)).toBe(true);
      expect(await getRun(database.store, run.id)).toMatchObject({ state: 'queued', isCurrent: true, epoch: 1 });
      expect(await runs().needingJob(NEVER_MS, 10)).toEqual([run.id]);
      expect((await claim(database.store, run.id)).leg.epoch).toBe(2);
    });

    it('does not go back to the queue once it was sent', async () => {
      const { run, leg } = await startOne(database.store);
      expect(await letLeave(runs(), leg)).toBe(true);
      expect(await runs().releaseLeg(leg)).toBe(false);
      expect((await getRun(database.store, run.id)).state).toBe('running');
    });

    it('beats to stay alive', async () => {
      const { leg } = await startOne(database.store);
      await database.pool.query(`update steward.legs set beat_at = now() - interval '1 hour'`);
      expect(await runs().beat([leg])).toEqual({ lost: [], stopRequested: [] });
      expect(await runs().lostLegs(60_000, 10)).toEqual([]);
    });

    it('hears of a stop from its beat', async () => {
      const [one, other] = [await startOne(database.store), await startOne(database.store)];
      expect(await runs().requestStop(one.run.id, 'U9')).toMatchObject({ ended: false, promotedRunId: null });
      const gone = { runId: 'nobody', epoch: 1 };
      expect(await runs().beat([one.leg, other.leg, gone])).toEqual({ lost: [gone], stopRequested: [one.leg] });
    });
  });

  describe('an end', () => {
    it('stores what came, the time taken and the answer owed', async () => {
      const { run, leg } = await startOne(database.store);
      await database.pool.query(`update steward.legs set claimed_at = now() - interval '5 s'`);
      const before = await rev(run.id);
      const message = runMessage(run, { operationId: answerOperation(run.id, 0), kind: 'answer' });
      const result = await runs().endLeg(leg, {
        state: 'completed',
        plan: PLAN,
        answer: 'Porto.',
        messages: [message],
      });
      expect(result).toEqual({ ended: true, promotedRunId: null });
      const ended = await getRun(database.store, run.id);
      expect(ended).toMatchObject({
        state: 'completed',
        isCurrent: false,
        plan: PLAN,
        answer: 'Porto.',
        failure: null,
      });
      expect(ended.endedAt).toBeInstanceOf(Date);
      expect(ended.activeMs).toBeGreaterThanOrEqual(5000);
      expect(ended.activeMs).toBeLessThan(10_000);
      expect(await rev(run.id)).toBeGreaterThan(before);
      expect(await database.store.outbox.get(message.operationId)).toMatchObject(message);
    });

    it('counts the time of a lost leg until its last beat', async () => {
      const { run, leg } = await startOne(database.store);
      await database.pool.query(`update steward.legs set claimed_at = now() - interval '1 hour',
        beat_at = now() - interval '3590 s'`);
      await runs().endLeg(leg, { state: 'interrupted', failure: 'process_lost' });
      expect(await getRun(database.store, run.id)).toMatchObject({ activeMs: 10_000, failure: 'process_lost' });
    });

    it('adds up the time of all legs', async () => {
      const { run, leg } = await startOne(database.store);
      await database.pool.query(`update steward.legs set claimed_at = now() - interval '10 s'`);
      const next = await runs().continueLeg(leg, []);
      await database.pool.query(`update steward.legs set claimed_at = now() - interval '20 s' where ended_at is null`);
      await runs().endLeg(next ?? leg, { state: 'completed' });
      const { activeMs } = await getRun(database.store, run.id);
      expect(activeMs).toBeGreaterThanOrEqual(30_000);
      expect(activeMs).toBeLessThan(35_000);
    });

    it('lets the next run of the thread go, and owes new places to those behind', async () => {
      const thread = newThread();
      const { run, leg } = await startOne(database.store, { thread });
      const [next, last] = [await admitOne(database.store, { thread }), await admitOne(database.store, { thread })];
      const before = await rev(last.id);
      expect(await runs().endLeg(leg, { state: 'failed', failure: 'planner_error' })).toEqual({
        ended: true,
        promotedRunId: next.id,
      });
      expect((await runs().liveInThread(thread)).map(({ id, isCurrent }) => [id, isCurrent])).toEqual([
        [next.id, true],
        [last.id, false],
      ]);
      expect(await rev(last.id)).toBeGreaterThan(before);
      expect(await runs().countAhead(run.id)).toBe(0);
      expect(await runs().needingJob(NEVER_MS, 10)).toEqual([next.id]);
    });

    it('is made once', async () => {
      const { leg } = await startOne(database.store);
      const ends = await Promise.all([
        runs().endLeg(leg, { state: 'completed', answer: 'done' }),
        runs().endLeg(leg, { state: 'interrupted', failure: 'process_lost' }),
      ]);
      expect(ends.filter(({ ended }) => ended)).toHaveLength(1);
    });
  });

  describe('a stop', () => {
    it('ends a queued run at once and lets the next one go', async () => {
      const thread = newThread();
      const [first, next] = [await admitOne(database.store, { thread }), await admitOne(database.store, { thread })];
      expect(await runs().requestStop(first.id, 'U9')).toMatchObject({
        ended: true,
        promotedRunId: next.id,
        run: { id: first.id, state: 'stopped', stopRequestedBy: 'U9', isCurrent: false, endedAt: expect.any(Date) },
      });
    });

    it('leaves the current run alone when one behind it is stopped', async () => {
      const thread = newThread();
      const { run } = await startOne(database.store, { thread });
      const behind = await admitOne(database.store, { thread });
      expect(await runs().requestStop(behind.id, 'U9')).toMatchObject({ ended: true, promotedRunId: null });
      expect(await getRun(database.store, run.id)).toMatchObject({ state: 'running', isCurrent: true });
    });

    it('keeps the first who asked', async () => {
      const { run } = await startOne(database.store);
      await runs().requestStop(run.id, 'U8');
      expect(await runs().requestStop(run.id, 'U9')).toMatchObject({ run: { stopRequestedBy: 'U8' } });
    });

    it('keeps a leg from pausing or going back to the queue', async () => {
      const { run, leg } = await startOne(database.store);
      await runs().requestStop(run.id, 'U9');
      expect(await runs().pauseLeg(leg, { pause: newPause(), plan: PLAN, turns: [] })).toBe(false);
      expect(await runs().releaseLeg(leg)).toBe(false);
      expect(await getRun(database.store, run.id)).toMatchObject({ state: 'running', turns: [] });
      expect(await database.store.pauses.latestOf(run.id)).toBeNull();
    });

    it('is answered with null for a run that is over or unknown', async () => {
      const { run, leg } = await startOne(database.store);
      await runs().endLeg(leg, { state: 'completed' });
      expect(await runs().requestStop(run.id, 'U9')).toBeNull();
      expect(await runs().requestStop('nobody', 'U9')).toBeNull();
    });
  });

  describe('the end of a run that people decide on', () => {
    const interrupted = async (fields = {}) => {
      const { run, leg } = await startOne(database.store, fields);
      await runs().endLeg(leg, { state: 'interrupted', failure: 'process_lost', answer: 'partial' });
      return run;
    };

    it('resumes an interrupted run in its free thread', async () => {
      const run = await interrupted();
      const before = await rev(run.id);
      expect(await resumeOne(runs(), run.id)).toMatchObject({
        state: 'queued',
        isCurrent: true,
        failure: null,
        endedAt: null,
        choice: null,
        sessionId: run.sessionId,
      });
      expect(await rev(run.id)).toBeGreaterThan(before);
      expect(await runs().needingJob(NEVER_MS, 10)).toEqual([run.id]);
      expect((await claim(database.store, run.id)).leg.epoch).toBe(2);
    });

    it('queues a resumed run behind the one that runs in its thread', async () => {
      const thread = newThread();
      const run = await interrupted({ thread });
      const { leg } = await startOne(database.store, { thread });
      expect(await resumeOne(runs(), run.id)).toMatchObject({ isCurrent: false });
      expect(await runs().countAhead(run.id)).toBe(1);
      expect(await runs().endLeg(leg, { state: 'completed' })).toMatchObject({ promotedRunId: run.id });
    });

    it('has buttons again after a second interruption', async () => {
      const run = await interrupted();
      await resumeOne(runs(), run.id);
      const { leg } = await claim(database.store, run.id);
      await runs().endLeg(leg, { state: 'interrupted' });
      expect(await resumeOne(runs(), run.id)).not.toBeNull();
    });

    it('starts over with a successor, once', async () => {
      const run = await interrupted();
      const successors = [0, 1, 2].map(() =>
        newRun({ thread: run.thread, source: 'start_over', requestKey: `start-over:${run.id}` }),
      );
      const chosen = await Promise.all(
        successors.map((successor) => runs().choose(run.id, choice('start_over'), successor)),
      );
      const winners = chosen.filter((result) => result !== null);
      expect(winners).toHaveLength(1);
      expect(winners[0]).toMatchObject({
        run: { state: 'interrupted', choice: choice('start_over') },
        successor: { state: 'queued', isCurrent: true, source: 'start_over' },
      });
      expect(await runs().liveInThread(run.thread)).toHaveLength(1);
      const chosenRows = (await database.store.audit.list(run.id)).filter(({ kind }) => kind === 'started_over');
      expect(chosenRows).toMatchObject([
        { actorId: choice('start_over').actorId, details: { successorId: winners[0]?.successor?.id } },
      ]);
    });

    it('closes a run', async () => {
      const run = await interrupted();
      expect(await runs().choose(run.id, choice('close'))).toMatchObject({
        run: { state: 'stopped', choice: choice('close') },
      });
      expect(await resumeOne(runs(), run.id)).toBeNull();
      expect(await runs().choose(run.id, choice('close'))).toBeNull();
      const closedRows = (await database.store.audit.list(run.id)).filter(({ kind }) => kind === 'closed');
      expect(closedRows).toMatchObject([{ actorId: choice('close').actorId, reason: 'somebody pressed Close' }]);
    });

    it('is refused where there are no such buttons', async () => {
      const live = await admitOne(database.store);
      const { run, leg } = await startOne(database.store);
      await runs().endLeg(leg, { state: 'completed' });
      const failed = await startOne(database.store);
      await runs().endLeg(failed.leg, { state: 'failed', failure: 'planner_error' });
      expect(await runs().choose(live.id, choice('close'))).toBeNull();
      expect(await runs().choose(run.id, choice('start_over'))).toBeNull();
      expect(await resumeOne(runs(), failed.run.id)).toBeNull();
      expect(await runs().choose('nobody', choice('close'))).toBeNull();
    });

    it('owes the last card of an expired run, whose button it takes', async () => {
      const { run, pause } = await pauseOne(database.store);
      await database.store.pauses.expire(run.id, pause.deadlineAt);
      const before = await wantedRev(database.store, `card-${pause.id}`);
      await runs().choose(run.id, choice('start_over'), newRun({ thread: run.thread, source: 'start_over' }));
      expect(await wantedRev(database.store, `card-${pause.id}`)).toBe(before + 1);
    });
  });

  describe('the sweep', () => {
    it('finds current queued runs whose job may be missing', async () => {
      const thread = newThread();
      const [a, b] = [await admitOne(database.store, { thread }), await admitOne(database.store)];
      await admitOne(database.store, { thread });
      await startOne(database.store);
      expect(await runs().needingJob(NEVER_MS, 10)).toEqual([a.id, b.id]);
      expect(await runs().needingJob(NEVER_MS, 1)).toEqual([a.id]);
      await runs().markEnqueued([a.id, 'nobody']);
      await runs().markEnqueued([]);
      expect(await runs().needingJob(NEVER_MS, 10)).toEqual([b.id]);
      expect(await runs().needingJob(0, 10)).toEqual([a.id, b.id]);
    });

    it('needs a new job for a run that comes back from a pause', async () => {
      const { run, pause } = await pauseOne(database.store);
      await runs().markEnqueued([run.id]);
      expect(await runs().needingJob(0, 10)).toEqual([]);
      await database.store.pauses.decide(decisionOn(pause.id));
      expect(await runs().needingJob(NEVER_MS, 10)).toEqual([run.id]);
    });

    it('promotes in threads that a crash left without a current run', async () => {
      const thread = newThread();
      const first = await admitOne(database.store, { thread });
      await admitOne(database.store, { thread });
      await database.pool.query('update steward.runs set is_current = false');
      expect(await runs().promoteStranded(10)).toEqual([first.id]);
      expect(await runs().promoteStranded(10)).toEqual([]);
    });

    it('counts runs by state and tells how long the oldest waits', async () => {
      expect(await runs().oldestWaitingMs()).toBeNull();
      expect(await runs().countByState()).toEqual({});
      await admitOne(database.store);
      await startOne(database.store);
      await pauseOne(database.store);
      expect(await runs().countByState()).toEqual({ queued: 1, running: 1, paused: 1 });
      await database.pool.query(`update steward.runs set queued_at = now() - interval '9 s'`);
      const waiting = await runs().oldestWaitingMs();
      expect(waiting).toBeGreaterThanOrEqual(9000);
      expect(waiting).toBeLessThan(15_000);
    });
  });

  it('names the row that cannot be read', async () => {
    const run = await admitOne(database.store);
    await database.pool.query(`update steward.runs set plan = '{"phases": 3}'`);
    await expect(runs().get(run.id)).rejects.toMatchObject({
      code: 'store_unavailable',
      retryable: false,
      message: expect.stringContaining(`run ${run.id}: plan.status:`),
    });
  });
});
