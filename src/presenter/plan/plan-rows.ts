import { isOver, type Phase, type Plan, type Task, type TaskStatus } from '../../domain/plan.ts';
import { label } from '../text/label.ts';

/** One line of the plan as shown: a task, a phase without tasks, or a finished phase folded to one line. */
export type PlanRow = {
  /** Unique within the plan, and stable from edit to edit. */
  id: string;
  /** Plain text, unescaped. */
  title: string;
  status: TaskStatus;
  /** Agent, last message or error of a task that is under way or went wrong. */
  detail: string | null;
};

/** A row before its texts are made: plans can have thousands of tasks of which dozens are shown. */
export type RowSource = { status: TaskStatus; tasks: number; toRow: () => PlanRow };

/** Plans of more rows than this have their finished phases folded. */
const FOLD_ABOVE = 15;
const PHASE_PREFIX = 40;
const TITLE = 120;
const DETAIL = 160;
const AGENT = 40;

/**
 * All rows of a plan in its order. `live` is false for a run that has ended: what was under way is then shown as not
 * done, because nothing works on it any more.
 */
export function planRowSources(plan: Plan, live: boolean): RowSource[] {
  const fold = plan.tasksTotal > FOLD_ABOVE;
  const rows: RowSource[] = [];
  let firstNumber = 1;
  plan.phases.forEach((phase, index) => {
    const prefixed = plan.phases.length > 1 || label(phase.title, PHASE_PREFIX) !== null;
    const place = { phase, index, firstNumber, live, prefixed };
    if (phase.tasks.length === 0 || (fold && phase.tasks.every((task) => isOver(task.status))))
      rows.push(phaseSource(place));
    else phase.tasks.forEach((task, taskIndex) => void rows.push(taskSource(place, task, taskIndex)));
    firstNumber += phase.tasks.length;
  });
  return rows;
}

type Place = { phase: Phase; index: number; firstNumber: number; live: boolean; prefixed: boolean };

function phaseSource({ phase, index, live }: Place): RowSource {
  const tasks = phase.tasks.length;
  const failed = phase.tasks.filter((task) => task.status === 'error').length;
  const status = shownStatus(tasks > 0 ? 'complete' : phase.status, live);
  const counts = failed > 0 ? `${tasks - failed} of ${tasks} done, ${failed} failed` : `${tasks} of ${tasks} done`;
  return {
    status,
    tasks,
    toRow: () => ({
      id: `phase-${index}`,
      title: tasks > 0 ? `${phaseTitle(phase, index)} (${counts})` : phaseTitle(phase, index, TITLE),
      status,
      detail: null,
    }),
  };
}

function taskSource(place: Place, task: Task, taskIndex: number): RowSource {
  const status = shownStatus(task.status, place.live);
  const name = () => taskTitle(task, place.firstNumber + taskIndex);
  return {
    status,
    tasks: 1,
    toRow: () => ({
      id: `task-${place.index}-${taskIndex}`,
      title: place.prefixed ? `${phaseTitle(place.phase, place.index)} › ${name()}` : name(),
      status,
      detail: taskDetail(task, status),
    }),
  };
}

/** A task's title, or `Task 3` by its number in the whole plan. */
export function taskTitle(task: Task, number: number): string {
  return label(task.title, TITLE) ?? `Task ${number}`;
}

function phaseTitle(phase: Phase, index: number, max = PHASE_PREFIX): string {
  return label(phase.title, max) ?? `Phase ${index + 1}`;
}

/** Words of the planner's that say more than the status they come under (docs.asi1.ai, planner page). */
const STATUS_WORDS: ReadonlyMap<string, string> = new Map([
  ['skipped', 'skipped'],
  ['timeout', 'timed out'],
  ['searching_agents', 'searching for agents'],
  ['waiting_response', 'waiting for a reply'],
  ['analyzing_image', 'looking at the image'],
]);

function taskDetail(task: Task, status: TaskStatus): string | null {
  const word = STATUS_WORDS.get(task.rawStatus ?? '') ?? null;
  if (status === 'complete') return word;
  if (status === 'pending') return null;
  const said =
    status === 'error' ? label(task.error, DETAIL) : (label(task.reply, DETAIL) ?? label(task.message, DETAIL));
  const parts = [word, label(task.agent, AGENT), label(task.tool, AGENT), said].filter((part) => part !== null);
  return parts.length > 0 ? parts.join(' · ') : null;
}

function shownStatus(status: TaskStatus, live: boolean): TaskStatus {
  return status === 'in_progress' && !live ? 'pending' : status;
}
