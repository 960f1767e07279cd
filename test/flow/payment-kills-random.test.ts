import { setTimeout as untilMoment } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SANDBOX } from '../../src/sandbox/slack/setup.ts';
import { auditBooks, readPauses, withBooks } from '../support/books.ts';
import { createPayments } from '../support/payments.ts';
import { createSeededRandom } from '../support/seeded-random.ts';
import { buttonsOf } from '../support/watched-runs.ts';
import { type ChildStage, openChildStage } from './child-stage.ts';

/** The same moments each time, as far as a process goes the same way twice; another seed by `KILL_SEED`. */
const SEED = Number(process.env.KILL_SEED ?? 20_260_801);
const ROUNDS = Number(process.env.KILL_ROUNDS ?? 8);
/** No round begins after that; what was begun is finished. */
const BUDGET_MS = 40_000;
/** A decision with its answer takes about half of it on an idle machine. */
const LONGEST_MS = 700;

const { alice, bob } = SANDBOX.users;
const AT_REST = /\*(Done|Interrupted|Waiting for (approval|an answer))\*/;

type Thread = { channel: string; ts: string };
/** `aliveMs`: how long the process lived on after the first press. */
type Decision = { thread: Thread; user: string; isCard: boolean; aliveMs: number };

describe('a process that is killed at any moment of a decision, round after round', { timeout: 180_000 }, () => {
  let stage: ChildStage;
  let payments: ReturnType<typeof createPayments>;
  const random = createSeededRandom(SEED);
  const decided: Decision[] = [];

  beforeAll(async () => {
    stage = await openChildStage({ env: { PAYMENT_APPROVERS: 'anyone' } });
    payments = createPayments(stage);
  });
  afterAll(() => stage?.close());

  /** Presses twice, as impatient people do. Who is cut off hears nothing. */
  async function decide({ thread, user, isCard }: Decision): Promise<void> {
    const { slack } = stage;
    if (isCard) {
      const book = () => slack.click({ user, messageTs: payments.cardOf(thread).ts, text: 'Book', stale: true });
      return void (await Promise.allSettled([book(), book()]));
    }
    const { id: viewId } = await payments.open(thread, 'Approve…', { user });
    const submit = () => slack.submitView({ user, viewId, stale: true });
    await Promise.allSettled([submit(), submit()]);
  }

  /** Three decisions begin, each a moment of its own before the process is killed. */
  async function round(index: number): Promise<void> {
    const [first, second, third] = await Promise.all([
      payments.ask(`payment ${index}a.`, 'payment'),
      payments.ask(`payment ${index}b.`, 'payment'),
      payments.ask(`card ${index}.`, 'card'),
    ]);
    const decisions: Decision[] = [
      { thread: first, user: alice, isCard: false, aliveMs: Math.round(random() * LONGEST_MS) },
      { thread: second, user: bob, isCard: false, aliveMs: Math.round(random() * LONGEST_MS) },
      { thread: third, user: alice, isCard: true, aliveMs: Math.round(random() * LONGEST_MS) },
    ];
    for (const decision of decisions) {
      // A moment is what is tested here, whatever state it finds. What is cut off waits in vain.
      void untilMoment(LONGEST_MS - decision.aliveMs).then(() => decide(decision).catch(() => undefined));
    }
    await untilMoment(LONGEST_MS);
    await stage.kill();
    await payments.closeWindows(alice);
    await payments.closeWindows(bob);
    await stage.start();
    decided.push(...decisions);
    await stage.slack.waitFor(() => decisions.every(({ thread }) => AT_REST.test(payments.statusText(thread))));
    await stage.slack.waitFor(() => decisions.every(({ thread }) => isConsistent(thread)));
  }

  /** The card has its buttons exactly while the status message says that the run waits. */
  function isConsistent(thread: Thread): boolean {
    const waits = /\*Waiting/.test(payments.statusText(thread));
    return waits === buttonsOf(payments.cardOf(thread)).some((label) => label === 'Cancel' || label === 'Decline');
  }

  it(`decides once, tells once and keeps its books (seed ${SEED})`, async () => {
    const endsAt = Date.now() + BUDGET_MS;
    for (let index = 0; index < ROUNDS && Date.now() < endsAt; index += 1) await round(index);
    await stage.kill();
    const { problems, checks, pauses } = await withBooks(
      { kind: 'embedded', dataDir: stage.env.DATA_DIR ?? '' },
      async (db) => ({ ...(await auditBooks(db, stage)), pauses: await readPauses(db) }),
    );
    const became = decided.map(({ thread, aliveMs }) => {
      const pause = pauses.find(({ threadTs }) => threadTs === thread.ts);
      return `${aliveMs} ms: ${pause?.runState}, ${pause?.ledger ?? 'card'}`;
    });
    expect(problems, `seed ${SEED}, ${checks} checks; ${became.join('; ')}`).toEqual([]);
    expect(checks, became.join('; ')).toBeGreaterThan(decided.length);
  });
});
