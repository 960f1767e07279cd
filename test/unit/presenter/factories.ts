import type { Pause } from '../../../src/domain/pause.ts';
import { EMPTY_PLAN, type Phase, type Plan, type Task } from '../../../src/domain/plan.ts';
import type { Run } from '../../../src/domain/run.ts';
import type { StatusView } from '../../../src/presenter/status-message.ts';

export const NOW = new Date('2026-10-01T12:05:07Z');
const RUN_ID = '1a2b3c4d-0000-4000-8000-000000000001';

export function aTask(fields: Partial<Task> = {}): Task {
  return {
    key: '0',
    title: 'Find flights',
    status: 'pending',
    rawStatus: null,
    agent: null,
    agentsFound: [],
    message: null,
    reply: null,
    error: null,
    tool: null,
    ...fields,
  };
}

export function aPhase(fields: Partial<Phase> = {}): Phase {
  return { key: '0', title: 'Research', status: 'in_progress', rawStatus: null, reasoning: null, tasks: [], ...fields };
}

export function aPlan(phases: Phase[], fields: Partial<Plan> = {}): Plan {
  const tasks = phases.flatMap((phase) => phase.tasks);
  const tasksDone = tasks.filter((task) => task.status === 'complete' || task.status === 'error').length;
  return { status: 'in_progress', phases, tasksTotal: tasks.length, tasksDone, tasksOmitted: 0, ...fields };
}

export function aRun(fields: Partial<Run> = {}): Run {
  return {
    id: RUN_ID,
    requestKey: 'k',
    sessionId: 'secret-session',
    thread: { teamId: 'T1', channelId: 'C1', threadTs: '1.1' },
    requesterId: 'U1',
    requestTs: '1.1',
    source: 'mention',
    text: 'Plan a trip to Paris',
    files: [],
    state: 'running',
    isCurrent: true,
    epoch: 1,
    plan: EMPTY_PLAN,
    turns: [],
    answer: '',
    failure: null,
    stopRequestedBy: null,
    choice: null,
    createdAt: new Date('2026-10-01T12:03:00Z'),
    startedAt: new Date('2026-10-01T12:03:02Z'),
    endedAt: null,
    activeMs: 0,
    ...fields,
  };
}

export function aPause(fields: Partial<Pause> = {}): Pause {
  return {
    id: '9f8e7d6c-0000-4000-8000-000000000002',
    runId: RUN_ID,
    epoch: 1,
    request: { kind: 'clarification', question: 'Which city?', options: [], unread: null },
    termsDigest: 'digest',
    state: 'open',
    openedAt: new Date('2026-10-01T12:05:00Z'),
    deadlineAt: new Date('2026-10-01T12:35:00Z'),
    decision: null,
    decidedBy: null,
    decidedAt: null,
    ...fields,
  };
}

export function aView(fields: Partial<StatusView> = {}): StatusView {
  return { run: aRun(), ahead: 0, now: NOW, pause: null, payments: [], retry: null, ...fields };
}
