import type { PlanRow, RowSource } from './plan-rows.ts';

/** Tasks that wait and are shown even before the latest finished ones. */
const NEXT_SHOWN = 10;

/** The rows to show, and how many tasks stand in none of them. */
export type FittedRows = { rows: PlanRow[]; omitted: number };

/**
 * Chooses the rows that fit: those under way first, then the next few, then the newest finished, then the rest; shown
 * in the plan's order. `cost` is a row's size in bytes.
 */
export function fitRows(
  sources: readonly RowSource[],
  room: { rows: number; bytes: number; cost: (row: PlanRow) => number },
): FittedRows {
  const chosen = new Map<number, PlanRow>();
  let bytes = 0;
  for (const index of byImportance(sources)) {
    const row = sources[index]?.toRow();
    if (!row || chosen.size >= room.rows) break;
    bytes += room.cost(row);
    if (bytes > room.bytes) break;
    chosen.set(index, row);
  }
  const omitted = sources.reduce((sum, source, index) => (chosen.has(index) ? sum : sum + source.tasks), 0);
  const rows = [...chosen].sort(([a], [b]) => a - b).map(([, row]) => row);
  return { rows, omitted };
}

function byImportance(sources: readonly RowSource[]): number[] {
  const running: number[] = [];
  const waiting: number[] = [];
  const over: number[] = [];
  sources.forEach((source, index) => {
    if (source.status === 'in_progress') running.push(index);
    else if (source.status === 'pending') waiting.push(index);
    else over.push(index);
  });
  return [...running, ...waiting.slice(0, NEXT_SHOWN), ...over.reverse(), ...waiting.slice(NEXT_SHOWN)];
}
