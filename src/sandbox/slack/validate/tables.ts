import { isJson, type Json } from '../json.ts';
import { below, checkList, checkString, report, type Spot } from './report.ts';
import { checkRichText } from './rich-text.ts';

const MAX_ROWS = 100;
const MAX_COLUMNS = 20;
/** Characters over all tables of a message. */
export const MAX_TABLE_CHARACTERS = 10_000;

function checkCell(cell: unknown, spot: Spot): void {
  if (!isJson(cell)) {
    report(spot, 'must be an object');
    return;
  }
  if (cell.type === 'rich_text') {
    checkRichText(cell, spot);
    return;
  }
  if (cell.type !== 'raw_text' && cell.type !== 'raw_number') {
    report(spot, 'unsupported type');
    return;
  }
  checkString(cell.text, below(spot, 'text'), { required: true });
}

function checkRow(row: unknown, spot: Spot): void {
  if (!Array.isArray(row) || row.length === 0) {
    report(spot, 'must be an array of cells');
    return;
  }
  if (row.length > MAX_COLUMNS) report(spot, `no more than ${MAX_COLUMNS} items allowed`);
  for (const [column, cell] of row.entries()) checkCell(cell, below(spot, column));
}

function checkRows(value: unknown, spot: Spot): void {
  if (!Array.isArray(value) || value.length === 0) {
    report(spot, 'must be an array of rows');
    return;
  }
  if (value.length > MAX_ROWS) report(spot, `no more than ${MAX_ROWS} items allowed`);
  for (const [index, row] of value.entries()) checkRow(row, below(spot, index));
}

/** Checks a `table` block (slack.md 1.3). */
export function checkTable(block: Json, spot: Spot): void {
  checkRows(block.rows, below(spot, 'rows'));
  if (block.column_settings === undefined) return;
  checkList(block.column_settings, below(spot, 'column_settings'), { min: 0, max: MAX_COLUMNS });
}

/** Checks a `data_table` block. */
export function checkDataTable(block: Json, spot: Spot): void {
  checkRows(block.rows, below(spot, 'rows'));
  checkString(block.caption, below(spot, 'caption'), { required: true });
  const size = block.page_size;
  if (size !== undefined && !(typeof size === 'number' && size >= 1 && size <= 100)) {
    report(below(spot, 'page_size'), 'must be a number from 1 to 100');
  }
}

/** Characters of all cells of all tables among the blocks. */
export function tableCharacters(blocks: readonly Json[]): number {
  const tables = blocks.filter((block) => block.type === 'table');
  return tables.reduce((sum, table) => sum + cellText(table.rows).length, 0);
}

function cellText(value: unknown): string {
  if (Array.isArray(value)) return value.map(cellText).join('');
  if (!isJson(value)) return '';
  return typeof value.text === 'string' ? value.text : cellText(value.elements);
}
