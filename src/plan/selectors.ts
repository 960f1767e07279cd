import type { Plan, Task } from '../domain/plan.ts';

/** The task that the planner is at: the first running one of the latest phase that has one; null when none runs. */
export function currentTask(plan: Plan): Task | null {
  for (const phase of plan.phases.toReversed()) {
    const running = phase.tasks.find((task) => task.status === 'in_progress');
    if (running !== undefined) return running;
  }
  return null;
}

/** The agents that tasks used, each once, in the order of the plan. */
export function agentsUsed(plan: Plan): string[] {
  const agents = plan.phases.flatMap((phase) => phase.tasks.map((task) => task.agent));
  return [...new Set(agents.filter((agent) => agent !== null))];
}

/** How many tasks stand where. */
export function countByStatus(plan: Plan): Record<Task['status'], number> {
  const counts = { pending: 0, in_progress: 0, complete: 0, error: 0 };
  for (const phase of plan.phases) for (const task of phase.tasks) counts[task.status] += 1;
  return counts;
}
