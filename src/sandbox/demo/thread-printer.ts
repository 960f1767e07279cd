import { type Look, PLAIN } from './look.ts';
import { changedLines, type DrawnMessage, messageLines } from './message-lines.ts';

/** A message of the thread, as the sandbox keeps it. */
export type PrintedMessage = DrawnMessage & { ts: string; userId: string };

/** Prints what changed in the messages it is shown: new ones whole, edited ones by their new lines. Only appends. */
export type ThreadPrinter = { show(messages: readonly PrintedMessage[]): void };

const CLOCK_WIDTH = 7;
const NAME_WIDTH = 9;
/** The columns before what a message says: clock and name. */
export const INDENT = CLOCK_WIDTH + 1 + NAME_WIDTH + 1;

export function createThreadPrinter(options: {
  write: (line: string) => void;
  nameOf: (userId: string) => string;
  elapsedMs: () => number;
  look?: Look;
}): ThreadPrinter {
  const { look = PLAIN } = options;
  const shown = new Map<string, string[]>();

  function print(who: string, lines: string[]): void {
    const clock = `${(options.elapsedMs() / 1_000).toFixed(1)}s`.padStart(CLOCK_WIDTH);
    lines.forEach((line, index) => {
      const head = index === 0 ? `${look.faint(clock)} ${who} ` : ' '.repeat(INDENT);
      options.write(look.fit(`${head}${look.line(line)}`.trimEnd(), INDENT));
    });
  }

  function printNew(message: PrintedMessage, lines: string[]): void {
    if (shown.size > 0) options.write('');
    print(look.strong(options.nameOf(message.userId).padEnd(NAME_WIDTH)), lines);
  }

  return {
    show(messages) {
      for (const message of messages) {
        const lines = messageLines(message, options.nameOf);
        const before = shown.get(message.ts);
        if (before === undefined) printNew(message, lines);
        else print(look.faint('  edit'.padEnd(NAME_WIDTH)), changedLines(before, lines));
        shown.set(message.ts, lines);
      }
    },
  };
}
