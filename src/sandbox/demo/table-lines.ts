const ROW = /^\|.*\|$/;
const DELIMITER = /^:?-+:?$/;

/** Makes the columns of Markdown tables even; the lines stay valid Markdown. Other lines are left as they are. */
export function alignTables(lines: readonly string[]): string[] {
  const aligned: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const end = endOfTable(lines, at);
    aligned.push(...alignTable(lines.slice(at, end)));
    at = end;
  }
  return aligned;
}

/** The index after the table that begins here, or after this line. */
function endOfTable(lines: readonly string[], start: number): number {
  const isTable = ROW.test(lines[start] ?? '') && cellsOf(lines[start + 1] ?? '').every((cell) => DELIMITER.test(cell));
  let end = start + 1;
  while (isTable && ROW.test(lines[end] ?? '')) end += 1;
  return end;
}

function alignTable(lines: readonly string[]): string[] {
  const rows = lines.map(cellsOf);
  const [head, delimiter] = rows;
  if (!head || !delimiter) return [...lines];
  const widths = head.map((_cell, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row, index) => {
    const padded = row.map((cell, column) => {
      const width = widths[column] ?? 0;
      if (index === 1) return cell.replace('-', '-'.repeat(1 + width - cell.length));
      return delimiter[column]?.endsWith(':') ? cell.padStart(width) : cell.padEnd(width);
    });
    return `| ${padded.join(' | ')} |`;
  });
}

function cellsOf(line: string): string[] {
  return line
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim());
}
