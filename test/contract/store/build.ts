import { randomUUID } from 'node:crypto';
import { EMPTY_PLAN, type Plan } from '../../../src/domain/plan.ts';
import type { ApprovalRecheck } from '../../../src/domain/ports/approval-judge.ts';
import type { ClaimedLeg, Leg, NewPause, NewRun, RunStore, Store } from '../../../src/domain/ports/store.ts';
import type { Run } from '../../../src/domain/run.ts';
import type { ThreadRef } from '../../../src/domain/thread.ts';
import type { Turn } from '../../../src/domain/turn.ts';

export const OWNER = 'worker-1';
/** Longer than any test takes: no leg is lost by itself. */
export const NEVER_MS = 3_600_000;
export const DEADLINE = new Date('2030-01-01T00:30:00Z');
export const BEFORE_DEADLINE = new Date('2030-01-01T00:10:00Z');
export const AFTER_DEADLINE = new Date('2030-01-01T00:40:00Z');

export function newThread(): ThreadRef {
  return { teamId: 'T1', channelId: 'C1', threadTs: randomUUID() };
}

export function newRun(fields: Partial<NewRun> = {}): NewRun {
  return {
    id: randomUUID(),
    sessionId: randomUUID(),
    requestKey: randomUUID(),
    thread: newThread(),
    requesterId: 'U1',
    requestTs: null,
    source: 'mention',
    text: 'Plan the offsite',
    files: [],
    ...fields,
  };
}

export function newPause(fields: Partial<NewPause> = {}): NewPause {
  return {
    id: randomUUID(),
    request: { kind: 'clarification', question: 'Which city?', options: ['Porto', 'Lyon'], unread: null },
    termsDigest: 'digest-1',
    openedAt: new Date('2030-01-01T00:00:00Z'),
    deadlineAt: DEADLINE,
    ...fields,
  };
}

export const PLAN: Plan = {
  ...EMPTY_PLAN,
  status: 'executing',
  tasksTotal: 1,
  phases: [
    {
      key: 'phase-1',
      title: 'Search',
      status: 'in_progress',
      rawStatus: 'running',
      reasoning: null,
      tasks: [
        {
          key: 'task-1',
          title: 'Find a venue',
          status: 'in_progress',
          rawStatus: 'running',
          agent: 'agent1',
          agentsFound: ['agent1', 'agent2'],
          message: null,
          reply: null,
          error: null,
          tool: null,
        },
      ],
    },
  ],
};

export async function admitOne(store: Store, fields: Partial<NewRun> = {}): Promise<Run> {
  return (await store.runs.admit(newRun(fields))).run;
}

/** Claims a run's next leg, which must be due. */
export async function claim(store: Store, runId: string): Promise<ClaimedLeg> {
  const claimed = await store.runs.claimLeg(runId, OWNER);
  if (!claimed) throw new Error('There was nothing to claim');
  return claimed;
}

export async function startOne(store: Store, fields: Partial<NewRun> = {}): Promise<{ run: Run; leg: Leg }> {
  const run = await admitOne(store, fields);
  const { leg } = await claim(store, run.id);
  return { run, leg };
}

export async function pauseOne(store: Store, fields: Partial<NewRun> = {}): Promise<{ run: Run; pause: NewPause }> {
  const { run, leg } = await startOne(store, fields);
  const pause = newPause();
  const paused = { pause, plan: PLAN, turns: [{ role: 'assistant' as const, content: 'Which city?' }] };
  if (!(await store.runs.pauseLeg(leg, paused))) throw new Error('The run was not paused');
  return { run, pause };
}

export function decisionOn(pauseId: string, fields: { actorId?: string; at?: Date; termsDigest?: string | null } = {}) {
  return {
    pauseId,
    termsDigest: 'digest-1',
    decision: { kind: 'clarification', answer: 'Porto', source: 'option', requestKey: null },
    turn: { role: 'user', content: 'Porto' },
    actorId: 'U1',
    at: BEFORE_DEADLINE,
    ...fields,
  } as const;
}

/** What the run's status message is owed, as a revision. */
export async function wantedRev(store: Store, operationId: string): Promise<number> {
  const message = await store.outbox.get(operationId);
  if (!message) throw new Error(`There is no message ${operationId}`);
  return message.wantedRev;
}

export async function getRun(store: Store, runId: string): Promise<Run> {
  const run = await store.runs.get(runId);
  if (!run) throw new Error(`There is no run ${runId}`);
  return run;
}

/** A recheck of approvals that says yes. */
export const ALLOWING: ApprovalRecheck = {
  at: BEFORE_DEADLINE,
  dayStart: new Date('2030-01-01T00:00:00Z'),
  judge: () => ({ kind: 'allowed', policyDigest: 'policy-1' }),
};

/** Lets a claimed leg's request leave; whether it may. */
export async function letLeave(runs: RunStore, leg: Leg, recheck: Partial<ApprovalRecheck> = {}): Promise<boolean> {
  return (await runs.markSent(leg, { ...ALLOWING, ...recheck, isClaimed: true })).kind === 'sent';
}

/** Resumes a run as U1 does, with its approval word by word unless it is retold. */
export async function resumeOne(
  runs: RunStore,
  runId: string,
  retell = (turn: Turn): Turn => turn,
): Promise<Run | null> {
  const resumed = await runs.resume(runId, { ...ALLOWING, actorId: 'U1', retell });
  return resumed.kind === 'resumed' ? resumed.run : null;
}
