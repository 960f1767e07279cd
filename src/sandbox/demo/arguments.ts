import { parseArgs } from 'node:util';

/** What the demo was asked to do. `once`: one request, then the end. `request`: null for the demo's own. */
export type DemoArguments = { once: boolean; request: string | null };

export const USAGE = `npm run demo                         one request, then serve the sandbox until Ctrl-C
npm run demo -- "a request"          the same with your own words
npm run demo -- --once               run one request to its answer, then end
npm run demo -- --once "a request"   the same with your own words`;

/** The command line cannot be used; the message says why. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Reads the command line. @throws {UsageError} */
export function readArguments(argv: string[]): DemoArguments {
  const { values, positionals } = parse(argv);
  const request = positionals.join(' ').trim();
  if (positionals.length > 0 && request === '') throw new UsageError('The request is empty');
  return { once: values.once, request: request === '' ? null : request };
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options: { once: { type: 'boolean', default: false } }, allowPositionals: true });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // Without Node's advice on arguments that begin with a dash.
    throw new UsageError(message.replace(/\. To specify a positional argument .*$/s, ''), { cause: error });
  }
}
