import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Scenario } from '../../src/sandbox/planner/scenario.ts';
import type { SandboxMessage } from '../../src/sandbox/slack/history.ts';
import { SANDBOX } from '../../src/sandbox/slack/setup.ts';
import { auditBooks, type BookedPause, readPauses, withBooks } from '../support/books.ts';
import { createPayments, paymentScript, policyFile } from '../support/payments.ts';
import { createDatabase, type TestDatabase } from '../support/server-database.ts';
import { describeOnServer } from '../support/servers.ts';
import { createSqlGate, type SqlGate, type SqlHold } from '../support/sql-gate.ts';
import { buttonsOf } from '../support/watched-runs.ts';
import { type ChildStage, openChildStage } from './child-stage.ts';

const { alice, bob } = SANDBOX.users;
/** What the contract gives a restarted process to put things right. */
const REPAIRED = { timeoutMs: 60_000 };

/** Payments in euros take two people. */
const POLICY = `rules:
  - { name: euros, when: { currencies: [EUR] }, approvers: [anyone], count: 2 }
  - { name: all else, approvers: [anyone] }
`;

type Thread = { channel: string; ts: string };
type Ids = { pauseId: string; runId: string };
type Where = (ids: Ids) => SqlHold;

const pauseId = (ids: Ids) => ids.pauseId;
const runId = (ids: Ids) => ids.runId;
const naming = (words: string, id: string) => new RegExp(`${words}[\\s\\S]*${id}`);

/** A statement with these words and then this id among its parameters. */
function statement(words: string, id: (ids: Ids) => string, at: SqlHold['at']): Where {
  return (ids) => ({ match: naming(words, id(ids)), at });
}

/** The commit of a transaction with such a statement. */
function commitOf(words: string, id: (ids: Ids) => string, at: SqlHold['at']): Where {
  return (ids) => ({ match: /^Q[\s\S]{4}commit\0$/, after: naming(words, id(ids)), at });
}

const DECIDED = 'update "steward"."pauses" set "state"';
const CLAIMED = "set state = 'running'";
const SENT = 'set sent_at = now';
const SETTLED = '"ledger" set "state"[\\s\\S]*settled';
const ENDED = '"is_current" =[\\s\\S]*completed';
const SHOWN = 'update "steward"."outbox" set "ts"';

/** Where a run stood when its process was killed, by what has to become of it. */
const PLACES = {
  undecided: [
    'window open',
    'click being read',
    'card decision open',
    'approval open',
    'before the spending lock',
    'two people, one has approved',
    'two people, second approval',
    'approval not committed',
  ],
  completed: [
    'approval stored, not acknowledged',
    'card decision stored, not acknowledged',
    'not enqueued',
    'enqueued, not noted',
    'not claimed',
    'claimed',
    'card claimed',
    'not marked as sent',
    'marking as sent not committed',
    'ended, answer not posted',
    'answer posted, not noted',
  ],
  unknown: ['marked as sent, not sent', 'sent, planner silent', 'settling not committed'],
  settled: ['settled, going on', 'end not committed'],
};

describeOnServer('a process that is killed between two statements of a decision', (serverUrl) => {
  let stage: ChildStage;
  let gate: SqlGate;
  let database: TestDatabase;
  let payments: ReturnType<typeof createPayments>;
  let books: BookedPause[] = [];
  const threads: Record<string, Thread> = {};
  const policy = policyFile(POLICY);
  const look = <Result>(at: Parameters<typeof withBooks<Result>>[1]) =>
    withBooks({ kind: 'server', databaseUrl: database.url }, at);

  function at(place: string): Thread {
    const thread = threads[place];
    if (!thread) throw new Error(`No run was killed at: ${place}`);
    return thread;
  }

  const resumesOf = (place: string) =>
    payments.requestsFor(`killed-at ${place}.`).filter(({ kind }) => kind !== 'start');
  const isDone = (place: string) => payments.statusText(at(place)).includes('*Done*');
  const isAtRest = (place: string) => /^(Done|Interrupted|Waiting)/.test(payments.statusText(at(place)));
  const approve = (thread: Thread, user: string = alice) => payments.approve(thread, { user });
  const book = (thread: Thread) => stage.slack.click({ messageTs: payments.cardOf(thread).ts, text: 'Book' });

  async function ask(place: string, scenario: string | Scenario = 'payment'): Promise<Thread> {
    const thread = await payments.ask(`killed-at ${place}.`, scenario);
    threads[place] = thread;
    return thread;
  }

  /** What the first of a message's buttons carries. */
  const idIn = (message: SandboxMessage | undefined) =>
    JSON.stringify(message?.blocks).match(/"value":"([0-9a-f-]{36})"/)?.[1] ?? '';

  /** Has somebody decide, up to where the decision is held. Its acknowledgement never comes. */
  async function stopAt(place: string, act: (thread: Thread) => Promise<unknown>, where: Where): Promise<void> {
    const thread = threads[place] ?? (await ask(place, act === book ? 'card' : 'payment'));
    const held = gate.hold(where({ pauseId: idIn(payments.cardOf(thread)), runId: idIn(payments.statusOf(thread)) }));
    act(thread).catch(() => undefined); // the window that it was sent from is closed below
    await held;
    await payments.closeWindows();
    await payments.closeWindows(bob);
  }

  async function restart(): Promise<void> {
    await stage.kill();
    await stage.start();
  }

  async function killWhilePeopleDecide(): Promise<void> {
    await approve(await ask('two people, one has approved', paymentScript('5.00 EUR')));
    await approve(await ask('two people, second approval', paymentScript('6.00 EUR')));
    for (const place of ['before the spending lock', 'approval open', 'window open']) await ask(place);
    await stopAt('enqueued, not noted', approve, statement('set "enqueued_at"', runId, 'before'));
    await payments.open(at('window open'), 'Approve…');
    await payments.closeWindows();
    await stopAt('before the spending lock', approve, (ids) => ({
      match: /pg_advisory_xact_lock/,
      after: new RegExp(ids.pauseId),
      at: 'before',
    }));
    await stopAt('approval open', approve, statement('insert into "steward"."approvals"', pauseId, 'after'));
    await stopAt(
      'two people, second approval',
      (thread) => approve(thread, bob),
      statement('select \\* from "steward"."pauses"', pauseId, 'after'),
    );
    await restart();
  }

  /** From the decision's commit to its request; the last of these holds the audit trail. */
  async function killAfterDecisions(): Promise<void> {
    await ask('approval not committed');
    await stopAt(
      'click being read',
      (thread) => payments.open(thread, 'Approve…'),
      statement('from "steward"."pauses"', pauseId, 'before'),
    );
    await stopAt('card decision open', book, statement(DECIDED, pauseId, 'after'));
    await stopAt('approval stored, not acknowledged', approve, commitOf(DECIDED, pauseId, 'after'));
    await stopAt('card decision stored, not acknowledged', book, commitOf(DECIDED, pauseId, 'after'));
    await stopAt('not claimed', approve, statement(CLAIMED, runId, 'before'));
    await stopAt('claimed', approve, statement(CLAIMED, runId, 'after'));
    await stopAt('card claimed', book, statement(CLAIMED, runId, 'after'));
    await stopAt('marked as sent, not sent', approve, commitOf(SENT, runId, 'after'));
    await approve(await ask('sent, planner silent', 'payment-held'));
    await stage.planner.waitFor(() => resumesOf('sent, planner silent').length === 1);
    await stopAt(
      'not enqueued',
      approve,
      statement('add_jobs?_bulk', (ids) => `leg-${ids.runId}`, 'before'),
    );
    await stopAt('approval not committed', approve, commitOf(DECIDED, pauseId, 'before'));
    await restart();
  }

  /** Each last one holds the audit trail, or the lock that approvals are recorded under. */
  async function killInLegs(): Promise<void> {
    await stopAt('not marked as sent', approve, statement(SENT, runId, 'before'));
    await restart();
    await stopAt('settled, going on', approve, commitOf(SETTLED, runId, 'after'));
    await stopAt('ended, answer not posted', approve, commitOf(ENDED, runId, 'after'));
    await stopAt(
      'answer posted, not noted',
      approve,
      statement(SHOWN, (ids) => `answer-${ids.runId}`, 'before'),
    );
    await stopAt('marking as sent not committed', approve, commitOf(SENT, runId, 'before'));
    await restart();
    await stopAt('settling not committed', approve, commitOf(SETTLED, runId, 'before'));
    await restart();
    await stopAt('end not committed', approve, commitOf(ENDED, runId, 'before'));
    await restart();
  }

  beforeAll(async () => {
    database = await createDatabase(serverUrl);
    const url = new URL(database.url);
    gate = await createSqlGate({ host: url.hostname, port: Number(url.port || 5432) });
    url.host = `127.0.0.1:${gate.port}`;
    stage = await openChildStage({ env: { DATABASE_URL: url.href, POLICY_FILE: policy.path } });
    payments = createPayments(stage);
    await killWhilePeopleDecide();
    await killAfterDecisions();
    await killInLegs();
    await stage.slack.waitFor(() => Object.values(PLACES).flat().every(isAtRest), REPAIRED);
    books = await look(readPauses);
  });
  afterAll(async () => {
    await stage?.close();
    await gate?.close();
    await database?.drop();
  });

  const booked = (place: string) => books.find(({ threadTs }) => threadTs === at(place).ts);
  const statusButtons = (place: string) => [payments.statusOf(at(place)) ?? []].flat().flatMap(buttonsOf);

  it.each(PLACES.undecided)('takes on the first click what was not decided: %s', async (place) => {
    expect(booked(place)).toMatchObject({ runState: 'paused', state: 'open', decisions: 0 });
    const isCard = place.startsWith('card');
    await (isCard ? book(at(place)) : approve(at(place), place.startsWith('two people') ? bob : alice));
    await payments.says(at(place), isCard ? 'chose' : 'approved');
    await stage.slack.waitFor(() => isDone(place), REPAIRED);
    expect(resumesOf(place)).toHaveLength(1);
  });

  it.each(PLACES.completed)('goes on by itself with what the planner had not been told, once: %s', (place) => {
    expect(booked(place)).toMatchObject({ runState: 'completed', state: 'decided', decisions: 1 });
    expect(resumesOf(place)).toHaveLength(1);
    expect(buttonsOf(payments.cardOf(at(place)))).toEqual([]);
    expect(payments.inThread(at(place))).toHaveLength(3);
    if (!place.startsWith('card')) expect(booked(place)).toMatchObject({ ledger: 'settled' });
  });

  it.each(PLACES.unknown)('asks where the planner may have been told, and says that it is not known: %s', (place) => {
    expect(booked(place)).toMatchObject({ runState: 'interrupted', ledger: 'unknown', decisions: 1 });
    expect(resumesOf(place).length).toBeLessThanOrEqual(1);
    expect(payments.cardText(at(place))).toContain('It is not known whether the planner heard');
    expect(payments.statusText(at(place))).toContain('it is not known whether the planner heard');
    expect(statusButtons(place)).toContain('Resume');
  });

  it.each(PLACES.settled)('asks where the plan had gone on, and says so: %s', (place) => {
    expect(booked(place)).toMatchObject({ runState: 'interrupted', ledger: 'settled', decisions: 1 });
    expect(resumesOf(place)).toHaveLength(1);
    expect(payments.cardText(at(place))).toContain('its plan went on');
    expect(payments.statusText(at(place))).toContain('its plan went on');
    expect(statusButtons(place)).toContain('Resume');
  });

  it('keeps its books, whatever was killed', async () => {
    const { problems, checks } = await look((db) => auditBooks(db, stage));
    expect(problems).toEqual([]);
    expect(checks).toBeGreaterThan(100);
  });
});
