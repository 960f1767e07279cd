import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Scenario, Step } from '../../src/sandbox/planner/scenario.ts';
import { SANDBOX } from '../../src/sandbox/slack/setup.ts';
import { auditBooks, readPauses, withBooks } from '../support/books.ts';
import { createPayments, paymentScript, policyFile } from '../support/payments.ts';
import { buttonsOf } from '../support/watched-runs.ts';
import { type ChildStage, openChildStage } from './child-stage.ts';

const { alice, bob } = SANDBOX.users;
const REPAIRED = { timeoutMs: 60_000 };
/** Longer than any test: an answer that never comes. */
const NEVER_MS = 300_000;

/** Payments in euros take two people. */
const POLICY = `rules:
  - { name: euros, when: { currencies: [EUR] }, approvers: [anyone], count: 2 }
  - { name: all else, approvers: [anyone] }
`;

/** After the approval the plan goes on, and then says nothing until it is let go. */
function goingOn(): Scenario {
  const [ask = []] = paymentScript('2.00 USD').legs;
  const on: Step[] = [{ plan: { plan_status: 'in_progress', phases: { '1': { title: 'Read it' } } } }, { hold: 'on' }];
  return { about: 'goes on, then waits', legs: [ask, [...on, { text: 'Read.' }, { finish: 'stop' }, { done: true }]] };
}

type Thread = { channel: string; ts: string };

describe('a process that is killed while people decide, and started again', { timeout: 120_000 }, () => {
  let stage: ChildStage;
  let payments: ReturnType<typeof createPayments>;
  const policy = policyFile(POLICY);
  const threads: Record<string, Thread> = {};

  function at(place: string): Thread {
    const thread = threads[place];
    if (!thread) throw new Error(`No run was killed at: ${place}`);
    return thread;
  }

  async function ask(place: string, scenario: string | Scenario = 'payment'): Promise<Thread> {
    const thread = await payments.ask(`killed-at ${place}.`, scenario);
    threads[place] = thread;
    return thread;
  }

  const resumesOf = (place: string) => payments.requestsFor(`killed-at ${place}.`).slice(1);
  const statusButtons = (place: string) => [payments.statusOf(at(place)) ?? []].flat().flatMap(buttonsOf);
  const shownBy = (place: string) => `${payments.statusText(at(place))} ${payments.cardText(at(place))}`;
  const until = (predicate: () => boolean) => stage.slack.waitFor(predicate, REPAIRED);

  /** Has somebody act; resolves when the bot has made this call, whose answer never comes. */
  async function hangAt({ method, ts }: { method: string; ts?: string }, act: () => Promise<unknown>): Promise<void> {
    const isMeant = (args: Record<string, unknown>) => ts === undefined || args.ts === ts;
    const called = () => stage.slack.calls(method).filter(({ args }) => isMeant(args)).length;
    const before = called();
    stage.slack.delayNext({ method, delayMs: NEVER_MS, match: isMeant });
    act().catch(() => undefined); // cut off by the kill
    await stage.slack.waitFor(() => called() > before);
  }

  beforeAll(async () => {
    stage = await openChildStage({ env: { POLICY_FILE: policy.path } });
    payments = createPayments(stage);
    await payments.approve(await ask('between two approvals', paymentScript('5.00 EUR')));
    await payments.says(at('between two approvals'), '1 of 2 approvals');
    const silent = await ask('planner silent', 'payment-held');
    await payments.approve(silent);
    await stage.planner.waitFor(() => resumesOf('planner silent').length === 1);
    await payments.approve(await ask('plan gone on', goingOn()));
    await payments.says(at('plan gone on'), 'its plan went on');
    const edited = await ask('card being edited');
    const opening = await ask('window opening');
    const view = await payments.open(await ask('person looked up'), 'Approve…');
    await ask('deadline', paymentScript('1.00 USD', { deadline_seconds: 7 }));
    const reminded = await ask('reminder', paymentScript('1.00 USD', { deadline_seconds: 6 }));
    stage.slack.delayNext({ method: 'chat.postMessage', delayMs: NEVER_MS });
    await stage.slack.waitFor(() => payments.inThread(reminded).length === 3);
    // The bot waits for Slack for a second or two only: the kill comes before.
    await hangAt({ method: 'users.info' }, () => stage.slack.submitView({ viewId: view.id }));
    await payments.closeWindows();
    await hangAt({ method: 'views.open' }, () =>
      stage.slack.click({ user: bob, messageTs: payments.cardOf(opening).ts, text: 'Approve…' }),
    );
    await hangAt({ method: 'chat.update', ts: payments.cardOf(edited).ts }, () => payments.approve(edited));
    await stage.kill();
    await stage.start();
  });
  afterAll(() => stage?.close());

  it('approves on the first click where an approval was cut off while Slack was asked who it was', async () => {
    expect(buttonsOf(payments.cardOf(at('person looked up')))).toContain('Approve…');
    expect(await payments.approve(at('person looked up'))).toMatchObject({ acked: true, open: false });
    await payments.answered(at('person looked up'), 'The report was delivered');
    expect(resumesOf('person looked up')).toHaveLength(1);
  });

  it('approves through a window that was opened by the process that was killed', async () => {
    const [view] = stage.slack.openViews(bob);
    expect(await stage.slack.submitView({ user: bob, viewId: view?.id ?? '' })).toMatchObject({
      acked: true,
      open: false,
    });
    await payments.answered(at('window opening'), 'The report was delivered');
    expect(resumesOf('window opening')).toHaveLength(1);
  });

  it('keeps the first of two approvals, and takes the second', async () => {
    expect((await payments.press(at('between two approvals'), 'Approve…')).length).toBeGreaterThan(0);
    await payments.approve(at('between two approvals'), { user: bob });
    await payments.answered(at('between two approvals'), 'Heard:');
    expect(payments.cardText(at('between two approvals'))).toContain(`<@${alice}> and <@${bob}> approved`);
    expect(resumesOf('between two approvals')).toHaveLength(1);
  });

  it('says that nobody knows what the planner heard of an approval, and does not tell it again', async () => {
    const place = 'planner silent';
    await until(() => payments.cardText(at(place)).includes('It is not known whether the planner heard'));
    await until(() => payments.statusText(at(place)).includes('*Interrupted*'));
    expect(statusButtons(place)).toEqual(expect.arrayContaining(['Resume', 'Start over', 'Close']));
    expect(buttonsOf(payments.cardOf(at(place)))).not.toContain('Approve…');
    expect(resumesOf(place)).toHaveLength(1);
  });

  it('tells an approval whose card was being edited, once, or asks', async () => {
    const place = 'card being edited';
    await until(() => /\*(Done|Interrupted)\*/.test(payments.statusText(at(place))));
    await until(() => payments.cardText(at(place)).includes(`<@${alice}> approved`));
    expect(buttonsOf(payments.cardOf(at(place)))).not.toContain('Approve…');
    expect(resumesOf(place).length).toBeLessThanOrEqual(1);
    if (payments.statusText(at(place)).includes('*Done*')) expect(resumesOf(place)).toHaveLength(1);
  });

  it('says that the plan had gone on past a payment, and goes on when a person says so', async () => {
    await until(() => payments.statusText(at('plan gone on')).includes('*Interrupted*'));
    expect(payments.statusText(at('plan gone on'))).toContain('its plan went on');
    expect(resumesOf('plan gone on')).toHaveLength(1);
    const { sessionId } = resumesOf('plan gone on')[0] ?? {};
    await stage.slack.click({ messageTs: payments.statusOf(at('plan gone on'))?.ts ?? '', text: 'Resume' });
    await stage.planner.waitFor(() => resumesOf('plan gone on').length === 2);
    expect(resumesOf('plan gone on')[1]?.sessionId).toBe(sessionId);
  });

  it('expires what waited too long meanwhile, and answers a late click', async () => {
    const card = () => payments.cardOf(at('deadline'));
    await until(() => payments.statusText(at('deadline')).includes('Expired without a decision'));
    await until(() => buttonsOf(card()).join() === 'Start over');
    expect(resumesOf('deadline')).toHaveLength(0);
    expect(await payments.press(at('deadline'), 'Approve…', { stale: true })).not.toBe('');
  });

  it('reminds once, whether or not it knew that it had', async () => {
    await until(() => payments.statusText(at('reminder')).includes('Expired without a decision'));
    await until(() => buttonsOf(payments.cardOf(at('reminder'))).join() === 'Start over');
    expect(payments.inThread(at('reminder'))).toHaveLength(3);
  });

  it('shows to its end an expiry that it was killed in', async () => {
    await ask('expiry', paymentScript('1.00 USD', { deadline_seconds: 2 }));
    await stage.slack.waitFor(() => /No decision|Expired without/.test(shownBy('expiry')));
    await stage.kill();
    await stage.start();
    await until(() => payments.statusText(at('expiry')).includes('Expired without a decision'));
    await until(() => buttonsOf(payments.cardOf(at('expiry'))).join() === 'Start over');
    await stage.slack.click({ messageTs: payments.cardOf(at('expiry')).ts, text: 'Start over' });
    await stage.planner.waitFor(() => payments.requestsFor('killed-at expiry.').length === 2);
    const [first, second] = payments.requestsFor('killed-at expiry.');
    expect(second?.sessionId).not.toBe(first?.sessionId);
  });

  it('keeps its books, whatever was killed', async () => {
    await stage.kill();
    const { problems, pauses } = await withBooks(
      { kind: 'embedded', dataDir: stage.env.DATA_DIR ?? '' },
      async (db) => ({ ...(await auditBooks(db, stage)), pauses: await readPauses(db) }),
    );
    expect(problems).toEqual([]);
    const ledgerOf = (place: string) => pauses.find(({ threadTs }) => threadTs === at(place).ts)?.ledger;
    expect(ledgerOf('planner silent')).toBe('unknown');
    expect(ledgerOf('plan gone on')).toBe('settled');
    expect(ledgerOf('deadline')).toBe('expired');
    await stage.start();
  });
});
