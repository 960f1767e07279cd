import type { KnownBlock, RichTextBlock, TaskCardBlock } from '@slack/types';
import type { Plan, TaskStatus } from '../../domain/plan.ts';
import { context, section, weightedBytes } from '../blocks.ts';
import { LIMITS } from '../limits.ts';
import { escapeMrkdwn, plainText, truncate } from '../text/escape.ts';
import { splitText } from '../text/split-text.ts';
import { countOf } from '../text/words.ts';
import { type FittedRows, fitRows } from './fit-rows.ts';
import { type PlanRow, planRowSources } from './plan-rows.ts';

/** What each status looks like where there are no task cards. */
const MARKS: Record<TaskStatus, string> = { pending: '○', in_progress: '▸', complete: '✓', error: '✗' };
/** Bytes of a plan block around its tasks, and of the line about tasks left out. */
const FRAME_BYTES = 800;

type PlanView = { plan: Plan; live: boolean; title: string; maxBytes: number };

/**
 * The plan as Slack's native `plan` block. It collapses to its title at every edit, so the title says what counts.
 * Source: docs.slack.dev, plan and task card blocks; collapse seen in public reports, 2026.
 */
export function planBlocks(view: PlanView): KnownBlock[] {
  const { rows, omitted } = fittingRows(view, (row) => weightedBytes([taskCard(row)]));
  if (rows.length === 0) return [];
  const title = truncate(plainText(view.title), LIMITS.plan.title);
  return [{ type: 'plan', title, tasks: rows.map(taskCard) }, ...omittedNote(view.plan, omitted)];
}

/** The same plan as sections, for workspaces that do not know the `plan` block. */
export function planSections(view: PlanView): KnownBlock[] {
  const { rows, omitted } = fittingRows(view, (row) => Buffer.byteLength(JSON.stringify(escapeMrkdwn(rowLine(row)))));
  const pieces = splitText(rows.map(rowLine).join('\n'), LIMITS.section);
  return [...pieces.map((piece) => section(escapeMrkdwn(piece))), ...omittedNote(view.plan, omitted)];
}

function fittingRows({ plan, live, maxBytes }: PlanView, cost: (row: PlanRow) => number): FittedRows {
  return fitRows(planRowSources(plan, live), { rows: LIMITS.plan.tasks, bytes: maxBytes - FRAME_BYTES, cost });
}

function taskCard(row: PlanRow): TaskCardBlock {
  return {
    type: 'task_card',
    task_id: row.id,
    title: truncate(plainText(row.title), LIMITS.task.title),
    status: row.status,
    ...(row.detail === null ? {} : { details: richText(truncate(plainText(row.detail), LIMITS.task.details)) }),
  };
}

function richText(text: string): RichTextBlock {
  return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text }] }] };
}

function rowLine(row: PlanRow): string {
  return `${MARKS[row.status]} ${row.title}${row.detail === null ? '' : ` – ${row.detail}`}`;
}

function omittedNote(plan: Plan, omitted: number): KnownBlock[] {
  const count = omitted + plan.tasksOmitted;
  return count > 0 ? [context(`…and ${countOf(count, 'more task')}, not shown here`)] : [];
}
