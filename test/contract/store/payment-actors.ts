import { randomUUID } from 'node:crypto';
import { Decimal } from 'decimal.js';
import { createGroupCommit } from '../../../src/async/group-commit.ts';
import type { Decision } from '../../../src/domain/pause.ts';
import type {
  AdmittedRun,
  Leg,
  NewPause,
  NewRun,
  PausedLeg,
  PauseStore,
  RunStore,
} from '../../../src/domain/ports/store.ts';
import type { ThreadRef } from '../../../src/domain/thread.ts';
import type { SqlPool } from '../../../src/store/connection/sql-pool.ts';
import { createDatabase } from '../../../src/store/database.ts';
import { createPauseStore } from '../../../src/store/pauses/pause-store.ts';
import { admitRuns } from '../../../src/store/runs/admit-runs.ts';
import { createRunStore } from '../../../src/store/runs/run-store.ts';
import { AFTER_DEADLINE, BEFORE_DEADLINE, letLeave, newPause, OWNER, PLAN, resumeOne } from './build.ts';
import { createCrashingPool, type Kill } from './crashing-pool.ts';
import { type ApproveInput, approvalOf, DECLINED_TURN, refusalOf, TERMS } from './payment-build.ts';
import type { PaymentStep } from './payment-steps.ts';

/** What is allowed to be approved in US dollars, all runs together. */
export const CAP = new Decimal(30);

type Stores = { runs: RunStore; pauses: PauseStore };
type Held = { leg: Leg; isSent: boolean; isBusy: boolean };
type StepOf<Do extends PaymentStep['do']> = Extract<PaymentStep, { do: Do }>;

/** What processes and people were told happened; what a crash kept from them is in the database alone. */
export type Witnessed = {
  /** How often a pause's decision was accepted. */
  decided: Map<string, number>;
  /** Legs whose request left. */
  sent: Leg[];
  /** The payments whose approval was accepted, with their amounts in US dollars or nothing. */
  approvedUsd: Map<string, Decimal>;
};

/** Two processes, each with its legs, and people who press what they see. A killed process forgets its legs. */
export function createPaymentActors(
  processes: readonly [SqlPool, SqlPool],
  threads: readonly [ThreadRef, ThreadRef],
  kill: Kill | null,
) {
  const legs = [new Map<string, Held>(), new Map<string, Held>()] as const;
  const pauseIds: [string[], string[]] = [[], []];
  const replies = new Map<string, string>();
  const current: [string | undefined, string | undefined] = [undefined, undefined];
  const endedRuns: [string[], string[]] = [[], []];
  const witnessed: Witnessed = { decided: new Map(), sent: [], approvedUsd: new Map() };

  /** The pause that a person has in view. */
  function seenPause(step: PaymentStep, back: number): string | undefined {
    const asked = pauseIds[step.thread];
    return asked.at(-1 - back) ?? asked.at(-1);
  }

  function witnessDecision(pauseId: string, verdict: { kind: string }): boolean {
    if (verdict.kind !== 'decided') return false;
    witnessed.decided.set(pauseId, (witnessed.decided.get(pauseId) ?? 0) + 1);
    return true;
  }

  async function approve({ pauses }: Stores, step: StepOf<'approve'>): Promise<void> {
    const pauseId = seenPause(step, step.pause);
    if (pauseId === undefined) return;
    let amount = new Decimal(0);
    const judge: ApproveInput['judge'] = (facts) => {
      amount = usdOf(facts.entry.terms.options[step.option]);
      return judgeByCap(facts, amount);
    };
    const fields = { actorId: step.person, optionIndex: step.option, judge };
    const verdict = await pauses.approve(
      approvalOf(pauseId, { ...fields, ...(step.isStale && { termsDigest: 'digest-0' }) }),
    );
    if (witnessDecision(pauseId, verdict)) witnessed.approvedUsd.set(pauseId, amount);
  }

  async function decline({ pauses }: Stores, step: StepOf<'decline'>): Promise<void> {
    const pauseId = seenPause(step, step.pause);
    const asked = pauseId === undefined ? null : await pauses.get(pauseId);
    if (asked?.request.kind !== 'payment') return;
    witnessDecision(asked.id, await pauses.decide(refusalOf(asked.id, { actorId: step.person })));
  }

  /** A message answers the pause that stood when it was written, however often and late it is delivered. */
  async function reply({ pauses }: Stores, step: StepOf<'reply'>): Promise<void> {
    const requestKey = `${threads[step.thread].threadTs}-${step.key}`;
    const pauseId = replies.get(requestKey) ?? seenPause(step, 0);
    const asked = pauseId === undefined ? null : await pauses.get(pauseId);
    if (asked?.request.kind !== 'clarification' || (await pauses.wasDecidedBy(requestKey))) return;
    replies.set(requestKey, asked.id);
    const decision: Decision = { kind: 'clarification', answer: 'Porto', source: 'reply', requestKey };
    const turn = { role: 'user', content: 'Porto' } as const;
    const input = { pauseId: asked.id, termsDigest: null, decision, turn, actorId: 'U1', at: BEFORE_DEADLINE };
    witnessDecision(asked.id, await pauses.decide(input));
  }

  /** Lets the leg's request leave, once. */
  async function send({ runs: store }: Stores, held: Held): Promise<boolean> {
    if (held.isSent) return true;
    held.isSent = await letLeave(store, held.leg);
    if (held.isSent) witnessed.sent.push(held.leg);
    return held.isSent;
  }

  /** What the process that holds a leg does with it, one thing after the other. */
  async function withLeg(stores: Stores, held: Held, step: PaymentStep): Promise<'kept' | 'left'> {
    const { leg } = held;
    const { runs: store } = stores;
    switch (step.do) {
      case 'release':
        return !held.isSent && (await store.releaseLeg(leg)) ? 'left' : 'kept';
      case 'settle':
        if (held.isSent) await store.settle(leg);
        return 'kept';
      case 'end':
        if (step.state !== 'interrupted' && !(await send(stores, held))) return 'left';
        await store.endLeg(leg, { state: step.state, ...(step.state === 'failed' && { failure: 'planner_error' }) });
        return 'left';
      case 'pause':
        if (await send(stores, held)) await pause(stores, leg, step);
        return 'left';
      case 'send':
        return (await send(stores, held)) ? 'kept' : 'left';
      default:
        return 'kept';
    }
  }

  async function pause({ runs: store }: Stores, leg: Leg, step: StepOf<'pause'>): Promise<void> {
    const paused = pausedBy(step);
    const asked = pauseIds[step.thread];
    // Its card may be there even if the process does not live to hear of it.
    asked.push(paused.pause.id);
    if (await store.pauseLeg(leg, paused)) return;
    asked.splice(asked.indexOf(paused.pause.id), 1);
    await store.endLeg(leg, { state: 'stopped' });
  }

  /** The process that holds the run's leg takes it further; if none does, one claims it. */
  async function takeWithLeg(stores: Stores, runId: string, step: PaymentStep): Promise<void> {
    const holder = legs[step.process].has(runId) ? legs[step.process] : legs[step.process === 0 ? 1 : 0];
    const held = holder.get(runId) ?? (await claim(stores, runId, step.process));
    if (!held || held.isBusy) return;
    held.isBusy = true;
    const result = await withLeg(stores, held, step);
    held.isBusy = false;
    for (const mine of result === 'left' ? legs : []) if (mine.get(runId) === held) mine.delete(runId);
  }

  async function claim({ runs: store }: Stores, runId: string, process: 0 | 1): Promise<Held | null> {
    const claimed = await store.claimLeg(runId, OWNER);
    if (!claimed) return null;
    const held = { leg: claimed.leg, isSent: false, isBusy: false };
    legs[process].set(runId, held);
    return held;
  }

  /** Takes a run's leg for lost, whether it is or not. */
  async function sweep({ runs: store }: Stores, runId: string): Promise<void> {
    const run = await store.get(runId);
    if (run?.state !== 'running') return;
    const leg = { runId, epoch: run.epoch };
    if (!(await store.releaseLeg(leg))) await store.endLeg(leg, { state: 'interrupted', failure: 'process_lost' });
  }

  async function take(stores: Stores, runId: string, step: PaymentStep): Promise<void> {
    switch (step.do) {
      case 'approve':
        return approve(stores, step);
      case 'decline':
        return decline(stores, step);
      case 'reply':
        return reply(stores, step);
      case 'sweep':
        return sweep(stores, runId);
      case 'expire':
        await stores.pauses.expire(runId, AFTER_DEADLINE);
        return;
      case 'stop':
        await stores.runs.requestStop(runId, 'U9');
        return;
      case 'resume': {
        const ended = endedRuns[step.thread].at(-1);
        if (ended !== undefined) await resumeOne(stores.runs, ended);
        return;
      }
      default:
        return takeWithLeg(stores, runId, step);
    }
  }

  /** The thread's run whose turn it is; another one than last time: that one is over. */
  async function currentRun(pool: SqlPool, thread: 0 | 1): Promise<string | undefined> {
    const [run] = await openStores(pool).runs.liveInThread(threads[thread]);
    const last = current[thread];
    if (last !== undefined && last !== run?.id) endedRuns[thread].push(last);
    current[thread] = run?.id;
    return run?.id;
  }

  return {
    witnessed,
    async take(step: PaymentStep): Promise<void> {
      const pool = processes[step.process];
      const runId = (await currentRun(pool, step.thread)) ?? endedRuns[step.thread].at(-1);
      if (runId === undefined) return;
      if (!step.crash) return take(openStores(pool), runId, step);
      const crashing = createCrashingPool(pool, step.crash, kill);
      try {
        await take(openStores(crashing.pool), runId, step);
      } catch (error) {
        if (!crashing.wasHit) throw error;
        for (const mine of legs) mine.delete(runId);
      }
    },
  };
}

function openStores(pool: SqlPool): Stores {
  const db = createDatabase(pool);
  const admission = createGroupCommit<NewRun, AdmittedRun>({
    flush: (requests) => admitRuns(db, requests),
    maxBatch: 1,
  });
  return { runs: createRunStore(db, admission), pauses: createPauseStore(db) };
}

function judgeByCap({ spentToday }: Parameters<ApproveInput['judge']>[0], amount: Decimal) {
  const spent = spentToday.workspace.find(({ currency }) => currency === 'USD')?.amount ?? '0';
  return amount.plus(spent).lessThanOrEqualTo(CAP)
    ? ({ allowed: true, approversNeeded: 1, policyDigest: 'policy-1' } as const)
    : ({ allowed: false, reason: 'Over the cap.' } as const);
}

export function usdOf(option: { amount: string; currency: string } | undefined): Decimal {
  return new Decimal(option?.currency === 'USD' ? option.amount : 0);
}

function pausedBy(step: StepOf<'pause'>): PausedLeg {
  const pause = newPause({ id: randomUUID(), ...(step.for !== 'question' && paymentOf(step.amount)) });
  const paused = { pause, plan: PLAN, turns: [{ role: 'assistant' as const, content: 'May I?' }] };
  const decision = { kind: 'payment', verdict: 'decline', optionIndex: null, reason: 'not allowed' } as const;
  if (step.for === 'refused payment') return { ...paused, declined: { decision, turn: DECLINED_TURN } };
  return step.for === 'two people' ? { ...paused, approversNeeded: 2 } : paused;
}

function paymentOf(amount: string): Pick<NewPause, 'request'> {
  const options = [
    { amount, currency: 'USD', method: 'stripe' },
    { amount: '0.3', currency: 'eur', method: 'sepa' },
    { amount: '1,000', currency: 'GBP', method: 'odd' },
  ];
  return { request: { kind: 'payment', terms: { ...TERMS, options }, said: null } };
}
