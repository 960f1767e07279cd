import type { Plan } from '../../domain/plan.ts';
import { truncate } from '../text/escape.ts';
import { taskTitle } from './plan-rows.ts';

/** What is being done now, as plain text: the first task under way, and how many more. Null when none is. */
export function currentStep(plan: Plan, max: number): string | null {
  let number = 0;
  let running = 0;
  let first: string | null = null;
  for (const phase of plan.phases) {
    for (const task of phase.tasks) {
      number += 1;
      if (task.status !== 'in_progress') continue;
      running += 1;
      first ??= taskTitle(task, number);
    }
  }
  if (first === null) return null;
  const more = running > 1 ? ` (and ${running - 1} more)` : '';
  return `${truncate(first, max - more.length)}${more}`;
}
