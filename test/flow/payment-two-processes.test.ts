import { setTimeout as untilMoment } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SANDBOX } from '../../src/sandbox/slack/setup.ts';
import { auditBooks, readPauses, withBooks } from '../support/books.ts';
import { createPayments, paymentScript, policyFile } from '../support/payments.ts';
import { describeOnServer } from '../support/servers.ts';
import { createSqlGate } from '../support/sql-gate.ts';
import { type Bot, openTwoBots, type TwoBots } from '../support/two-bots.ts';
import { buttonsOf } from '../support/watched-runs.ts';

const { alice, bob } = SANDBOX.users;
const ROUNDS = 4;

/** Euros take two people; of pounds there are ten a day; who may approve yen depends on `who`. */
const policyText = (who: string, count = 1) => `caps:
  workspace-per-day: { GBP: 10, other: unlimited }
rules:
  - { name: euros, when: { currencies: [EUR] }, approvers: [anyone], count: 2 }
  - { name: yen, when: { currencies: [JPY] }, approvers: [${who}], count: ${count} }
  - { name: all else, approvers: [anyone] }
`;

type Thread = { channel: string; ts: string };

/** A second window of the same person, or one that is closed already, still shows its button. */
type Window = { user: string; viewId: string; bot: Bot | undefined };

describeOnServer('two processes on one database', (serverUrl) => {
  let stage: TwoBots;
  let payments: ReturnType<typeof createPayments>;
  const policy = policyFile(policyText('anyone'));
  const redis = process.env.TEST_REDIS_URL;

  beforeAll(async () => {
    // A Redis database of its own: another test's bots would take these jobs.
    const queue = redis ? { REDIS_URL: Object.assign(new URL(redis), { pathname: '/7' }).href } : {};
    stage = await openTwoBots({ serverUrl, env: { POLICY_FILE: policy.path, ...queue } });
    payments = createPayments(stage);
  });
  afterAll(() => stage?.close());

  const [A, B] = [0, 1];
  const look = <Result>(at: Parameters<typeof withBooks<Result>>[1]) =>
    withBooks({ kind: 'server', databaseUrl: stage.databaseUrl }, at);
  const booked = async (thread: Thread) => (await look(readPauses)).find(({ threadTs }) => threadTs === thread.ts);
  const told = (words: string) => payments.requestsFor(words).slice(1);

  async function open(
    thread: Thread,
    { user, bot, button = 'Approve…' }: { user: string; bot: number; button?: string },
  ) {
    const view = await stage.at(stage.bots[bot], () => payments.open(thread, button, { user }));
    return { user, viewId: view.id, bot: stage.bots[bot] };
  }

  /** Whichever process takes its leg asks its own policy once more. */
  async function goesOutOrIsWithheld(thread: Thread): Promise<void> {
    const isOver = () => /\*Done\*|Interrupted/.test(payments.statusText(thread));
    await stage.slack.waitFor(isOver, { timeoutMs: 60_000 });
    const isWithheld = payments.statusText(thread).includes('Interrupted');
    const outcome = isWithheld ? { ledger: 'unknown', wasSent: false } : { ledger: 'settled', wasSent: true };
    expect(await booked(thread)).toMatchObject(outcome);
  }

  const said = (result: { body: unknown }) => JSON.stringify(result.body ?? '');
  const isTaken = (result: { body: unknown }) => /"clear"|Done\./.test(said(result));
  const isLate = (result: { body: unknown }) => said(result).includes('One moment');

  /** What the person sees in the end: on a busy machine the window says first that it takes a moment. */
  async function submit({ bot, ...window }: Window) {
    const result = await stage.at(bot, () => stage.slack.submitView({ ...window, values: {}, stale: true }));
    if (!isLate(result)) return result;
    const body = await stage.slack.waitFor(() => {
      const now = { body: stage.slack.views().find(({ id }) => id === window.viewId)?.view };
      return isLate(now) ? null : now.body;
    });
    return { ...result, body };
  }

  it('takes one of the decisions that several people make at once, and tells the planner once', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const words = `crowd ${round}.`;
      const thread = await payments.ask(words, 'payment');
      const windows = [
        await open(thread, { user: alice, bot: A }),
        await open(thread, { user: bob, bot: B }),
        await open(thread, { user: bob, bot: A, button: 'Decline' }),
      ];
      const everywhere = windows.flatMap((window) => stage.bots.slice(0, 2).map((bot) => ({ ...window, bot })));
      const results = await Promise.all([...everywhere, ...everywhere].map(submit));
      expect(results.every(({ acked }) => acked)).toBe(true);
      for (const result of results.filter((each) => !isTaken(each))) expect(said(result)).toMatch(/approved|declined/);
      await payments.answered(thread, '');
      expect(await booked(thread)).toMatchObject({ decisions: 1 });
      expect(told(words)).toHaveLength(1);
      expect(buttonsOf(payments.cardOf(thread))).toEqual([]);
      await payments.closeWindows(alice);
      await payments.closeWindows(bob);
    }
  });

  it('lets one of two payments through that only fit under a cap alone', async () => {
    const threads = await Promise.all(
      ['cap one.', 'cap two.'].map((words) => payments.ask(words, paymentScript('6.00 GBP'))),
    );
    const [first, second] = threads as [Thread, Thread];
    const windows = [await open(first, { user: alice, bot: A }), await open(second, { user: bob, bot: B })];
    const results = await Promise.all(windows.map(submit));
    expect(results.filter(isTaken)).toHaveLength(1);
    const refused = results.findIndex((result) => !isTaken(result));
    expect(said(results[refused] as { body: unknown })).toContain('GBP');
    const [taken, open_] = refused === 0 ? [second, first] : [first, second];
    await payments.answered(taken, 'Heard:');
    expect(await booked(open_)).toMatchObject({ ledger: 'requested', state: 'open' });
    expect(buttonsOf(payments.cardOf(open_))).toContain('Approve…');
    await payments.closeWindows(alice);
    await payments.closeWindows(bob);
  });

  it('counts two approvals given at once, one at each process', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const words = `pair ${round}.`;
      const thread = await payments.ask(words, paymentScript('5.00 EUR'));
      const windows = [await open(thread, { user: alice, bot: A }), await open(thread, { user: bob, bot: B })];
      await Promise.all([...windows, ...windows].map(submit));
      await payments.answered(thread, 'Heard:');
      const book = await booked(thread);
      expect(book?.approvers.toSorted()).toEqual([alice, bob].toSorted());
      expect(book).toMatchObject({ ledger: 'settled', decisions: 1 });
      expect(told(words)).toHaveLength(1);
      await payments.closeWindows(alice);
      await payments.closeWindows(bob);
    }
  });

  it('either expires or takes what is approved at the deadline', async () => {
    const asked = await Promise.all(
      Array.from({ length: ROUNDS }, (_, round) =>
        payments.ask(`late ${round}.`, paymentScript('1.00 USD', { deadline_seconds: 6 })),
      ),
    );
    const windows: Array<{ thread: Thread; window: Window; deadlineAt: number }> = [];
    for (const [index, thread] of asked.entries()) {
      const window = await open(thread, { user: alice, bot: index % 2 });
      windows.push({ thread, window, deadlineAt: payments.cardOf(thread).versions[0]?.atMs ?? 0 });
    }
    const results = await Promise.all(
      windows.map(async ({ window, deadlineAt }, index) => {
        // The moment itself is what is tested; each a little later than the one before.
        await untilMoment(Math.max(0, deadlineAt + 6_000 + (index - 2) * 60 - Date.now()));
        return submit(window);
      }),
    );
    for (const [index, { thread }] of windows.entries()) {
      const wasTaken = isTaken(results[index] as { body: unknown });
      await stage.slack.waitFor(() => /\*(Done|Expired without)/.test(payments.statusText(thread)));
      expect(await booked(thread)).toMatchObject(
        wasTaken ? { state: 'decided', ledger: 'settled', decisions: 1 } : { state: 'expired', ledger: 'expired' },
      );
      expect(told(`late ${index}.`)).toHaveLength(wasTaken ? 1 : 0);
    }
    await payments.closeWindows(alice);
  });

  it('either stops or goes on when a stop and an approval come at once', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const words = `halted ${round}.`;
      const thread = await payments.ask(words, 'payment');
      const window = await open(thread, { user: bob, bot: round % 2 });
      const status = payments.statusOf(thread);
      const stop = () =>
        stage.at(stage.bots[(round + 1) % 2], () => stage.slack.click({ messageTs: status?.ts ?? '', text: 'Stop' }));
      const [approved] = await Promise.all(round < 2 ? [submit(window), stop()] : [stop().then(() => submit(window))]);
      await stage.slack.waitFor(() => /\*(Done|Stopped)/.test(payments.statusText(thread)));
      const book = await booked(thread);
      const wasTaken = isTaken(approved as { body: unknown });
      expect(book?.state).toBe(wasTaken ? 'decided' : 'cancelled');
      if (!wasTaken) expect(book?.ledger).toBe('expired');
      expect(told(words).length).toBeLessThanOrEqual(wasTaken ? 1 : 0);
      await payments.settled(thread);
      await payments.closeWindows(bob);
    }
  });

  it.skipIf(redis)('sends on what a process took that died before it could hand it over, once', async () => {
    const url = new URL(stage.databaseUrl);
    const gate = await createSqlGate({ host: url.hostname, port: Number(url.port || 5432) });
    url.host = `127.0.0.1:${gate.port}`;
    const dying = await stage.start({ DATABASE_URL: url.href });
    const thread = await stage.at(stage.bots[A], () => payments.ask('orphaned.', 'payment'));
    const runId = (await booked(thread))?.runId ?? '';
    const held = gate.hold({ match: new RegExp(`add_jobs?_bulk[\\s\\S]*leg-${runId}`), at: 'before' });
    const view = await stage.at(dying, () => payments.open(thread, 'Approve…'));
    const result = await stage.at(dying, () => stage.slack.submitView({ viewId: view.id }));
    await held;
    await dying.child.end('SIGKILL');
    await gate.close();
    expect(isTaken(result)).toBe(true);
    stage.slack.setEventsUrl(stage.bots[B]?.url ?? null);
    await payments.answered(thread, 'The report was delivered');
    expect(told('orphaned.')).toHaveLength(1);
  });

  it('judges by the policy of the process that is asked, and keeps the strictest demand', async () => {
    const [first, second, third] = await Promise.all(
      ['yen one.', 'yen two.', 'yen three.'].map((words) => payments.ask(words, paymentScript('7 JPY'))),
    );
    policy.write(policyText('not-the-requester', 2));
    const strict = stage.bots[A];
    strict?.child.signal('SIGHUP');
    await strict?.child.line(({ msg }) => msg === 'policy_loaded');
    const window = await open(first as Thread, { user: alice, bot: B });
    expect(isTaken(await submit({ ...window, bot: strict }))).toBe(false);
    expect(await booked(first as Thread)).toMatchObject({ state: 'open', approvers: [] });
    await payments.closeWindows(alice);
    expect(isTaken(await submit(await open(first as Thread, { user: alice, bot: B })))).toBe(true);
    await goesOutOrIsWithheld(first as Thread);

    const byBob = await open(second as Thread, { user: bob, bot: A });
    expect(said(await submit(byBob))).toContain('It takes one more, by someone else');
    await payments.says(second as Thread, '1 of 2 approvals');
    await payments.closeWindows(bob);
    expect(await stage.at(stage.bots[B], () => payments.press(second as Thread, 'Approve…', { user: bob }))).toContain(
      'approved it already',
    );
    expect(await booked(second as Thread)).toMatchObject({ ledger: 'requested', approvers: [bob] });
    expect(isTaken(await submit(await open(second as Thread, { user: alice, bot: B })))).toBe(true);
    await goesOutOrIsWithheld(second as Thread);
    expect(await booked(third as Thread)).toMatchObject({ state: 'open' });
  });

  it('keeps its books, whoever raced', async () => {
    const { problems, checks } = await look((db) => auditBooks(db, stage));
    expect(problems).toEqual([]);
    expect(checks).toBeGreaterThan(100);
  });
});
