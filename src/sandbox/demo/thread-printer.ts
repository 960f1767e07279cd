import { changedLines, type DrawnMessage, messageLines } from './message-lines.ts';

/** A message of the thread, as the sandbox keeps it. */
export type PrintedMessage = DrawnMessage & { ts: string; userId: string };

/** Prints what changed in the messages it is shown: new ones whole, edited ones by their new lines. Only appends. */
export type ThreadPrinter = { show(messages: readonly PrintedMessage[]): void };

const NAME_WIDTH = 9;

export function createThreadPrinter(options: {
  write: (line: string) => void;
  nameOf: (userId: string) => string;
  elapsedMs: () => number;
}): ThreadPrinter {
  const shown = new Map<string, string[]>();

  function print(who: string, lines: string[]): void {
    const clock = `${(options.elapsedMs() / 1_000).toFixed(1)}s`.padStart(7);
    lines.forEach((line, index) => {
      const head = index === 0 ? `${clock} ${who.padEnd(NAME_WIDTH)}` : ' '.repeat(8 + NAME_WIDTH);
      options.write(`${head} ${line}`.trimEnd());
    });
  }

  return {
    show(messages) {
      for (const message of messages) {
        const lines = messageLines(message, options.nameOf);
        const before = shown.get(message.ts);
        shown.set(message.ts, lines);
        if (before === undefined) print(options.nameOf(message.userId), lines);
        else print('  edit', changedLines(before, lines));
      }
    },
  };
}
