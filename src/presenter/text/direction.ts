const FIRST_STRONG_ISOLATE = '\u2068';
const POP_ISOLATE = '\u2069';
/** Letters that are written from right to left, by Unicode's blocks, and the marks that stand for one. */
const RIGHT_TO_LEFT = /[\u0590-\u08FF\u200F\uFB1D-\uFDFF\uFE70-\uFEFE\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;
/** Marks of direction that cannot be seen: between two digits one of them swaps what stands around it. */
const MARKS = /[\u200E\u200F\u061C]/g;

/** Drops invisible marks of direction, for one-line fields in which the order of digits must not change. */
export function withoutMarks(text: string): string {
  return text.replace(MARKS, '');
}

/**
 * Text of others that stands among our own words, so that it cannot reorder them: every line of it that holds
 * right-to-left letters becomes an isolate of its own. All other text stays as it is.
 * Source: Unicode Standard Annex 9, explicit directional isolates; a line end closes all of them.
 */
export function isolate(text: string): string {
  if (!RIGHT_TO_LEFT.test(text)) return text;
  const lines = pairedIsolates(text).split('\n');
  return lines
    .map((line) => (RIGHT_TO_LEFT.test(line) ? `${FIRST_STRONG_ISOLATE}${line}${POP_ISOLATE}` : line))
    .join('\n');
}

/** Drops isolates that are not closed in their line, and ends of none: such a one would reach into what follows. */
export function pairedIsolates(text: string): string {
  if (!text.includes(FIRST_STRONG_ISOLATE) && !text.includes(POP_ISOLATE)) return text;
  return text.split('\n').map(pairedLine).join('\n');
}

/** The ends that a text's last line lacks, because it was cut inside of isolates. */
export function missingEnds(text: string): string {
  let open = 0;
  for (const unit of text.slice(text.lastIndexOf('\n') + 1)) {
    if (unit === FIRST_STRONG_ISOLATE) open += 1;
    else if (unit === POP_ISOLATE) open = Math.max(0, open - 1);
  }
  return POP_ISOLATE.repeat(open);
}

function pairedLine(line: string): string {
  const units = line.split('');
  const open: number[] = [];
  units.forEach((unit, index) => {
    if (unit === FIRST_STRONG_ISOLATE) open.push(index);
    else if (unit === POP_ISOLATE && open.pop() === undefined) units[index] = '';
  });
  for (const index of open) units[index] = '';
  return units.join('');
}
