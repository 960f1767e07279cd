/** Slack's four words for a task's status (`task_card` block). */
export const TASK_STATUSES = ['pending', 'in_progress', 'complete', 'error'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** `true` for a task or phase that will not move by itself any more. */
export function isOver(status: TaskStatus): boolean {
  return status === 'complete' || status === 'error';
}

/**
 * One task of a plan as people see it. Texts are the planner's own and untrusted: neither escaped nor shortened for
 * Slack, only bounded in length. `null` means that the planner has not said.
 */
export type Task = {
  key: string;
  title: string | null;
  status: TaskStatus;
  /** The planner's own status word, kept because its set of words is open. */
  rawStatus: string | null;
  agent: string | null;
  agentsFound: string[];
  message: string | null;
  reply: string | null;
  error: string | null;
  tool: string | null;
};

/** A round of tasks that the planner runs side by side. */
export type Phase = {
  key: string;
  title: string | null;
  status: TaskStatus;
  rawStatus: string | null;
  reasoning: string | null;
  tasks: Task[];
};

/**
 * The snapshot: the plan after folding the events so far, in the planner's order, as plain JSON. This is what is
 * stored and what the presenter draws.
 */
export type Plan = {
  /** The planner's `plan_status`, an open set; never a reason to end a run (contract C27). */
  status: string | null;
  phases: Phase[];
  tasksTotal: number;
  /** Tasks that are over. */
  tasksDone: number;
  /** Tasks left out because the plan outgrew its bounds (contract C37). */
  tasksOmitted: number;
};

export const EMPTY_PLAN: Plan = { status: null, phases: [], tasksTotal: 0, tasksDone: 0, tasksOmitted: 0 };
