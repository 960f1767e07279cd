import { EMPTY_PLAN } from '../../src/domain/plan.ts';
import type { Run } from '../../src/domain/run.ts';

const TASKS_PER_PHASE = 10;

/** One `plan_state` chunk as the planner sends it, about one task of a plan. */
export function taskChunk(task: number, status: string): string {
  const phase = String(Math.floor(task / TASKS_PER_PHASE));
  const update = {
    status,
    task: `Look for offers, part ${task}`,
    agent: 'Travel Scout',
    message: `Found ${task} offers`,
  };
  const phases = { [phase]: { status: 'in_progress', title: `Round ${phase}`, tasks: { [String(task)]: update } } };
  return JSON.stringify({
    id: 'chatcmpl-bench',
    object: 'chat.completion.chunk',
    model: 'asi1',
    choices: [],
    metadata: { type: 'plan_state', plan_status: 'in_progress', phases },
  });
}

/** A running run, as the store gives it. */
export function benchRun(): Run {
  return {
    id: '6a1a41c0-6a5c-4f0e-a1b5-0a6f5d2f9a10',
    requestKey: 'bench',
    sessionId: '00000000-0000-4000-8000-000000000000',
    thread: { teamId: 'T0SANDBOX1', channelId: 'C0BENCH001', threadTs: '1700000000.000001' },
    requesterId: 'U0ALICE001',
    requestTs: '1700000000.000001',
    source: 'mention',
    text: 'what is two and two?',
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
    createdAt: new Date(1_700_000_000_000),
    startedAt: new Date(1_700_000_001_000),
    endedAt: null,
    activeMs: 0,
  };
}
