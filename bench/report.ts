/** A number in its unit. */
export type Figure = { value: number; unit: string };

/** One line of the table. */
export type Row = {
  name: string;
  measured: Figure;
  /** The same work done by what the product is measured against, in the same run. */
  baseline?: Figure & { of: string };
  /** What must hold, in words, and whether it did. */
  target?: { text: string; holds: boolean };
};

/** Rows that belong together, with what they mean. */
export type Section = { name: string; meaning: string[]; rows: Row[] };

/** A target that the measured value must not exceed. */
export function atMost(measured: Figure, limit: number): Pick<Row, 'measured' | 'target'> {
  return {
    measured,
    target: { text: `≤ ${formatFigure({ ...measured, value: limit })}`, holds: measured.value <= limit },
  };
}

/** Three significant digits are more than a shared machine can promise. */
function formatNumber(value: number): string {
  if (value >= 100) return String(Math.round(value));
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

function formatFigure({ value, unit }: Figure): string {
  return `${formatNumber(value)} ${unit}`;
}

function cells({ name, measured, baseline, target }: Row): string[] {
  const compared = baseline ? `${formatFigure(baseline)} (${baseline.of})` : '';
  const verdict = target ? `${target.text}: ${target.holds ? 'holds' : 'DOES NOT HOLD'}` : '';
  return [name, formatFigure(measured), compared, verdict];
}

/** The section as text: its meaning, then its rows in columns. */
export function formatSection({ name, meaning, rows }: Section): string {
  const table = [['', 'measured', 'baseline', 'target'], ...rows.map(cells)];
  const widths = table[0]?.map((_, column) => Math.max(...table.map((line) => line[column]?.length ?? 0))) ?? [];
  const lines = table.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return [`## ${name}`, ...meaning, '', ...lines, ''].join('\n');
}
