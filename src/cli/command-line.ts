import { errorMessage } from '../errors.ts';

/** Whether the usage is asked for: the answer then, and no complaint. */
export function asksForHelp(args: readonly string[]): boolean {
  return args.includes('--help') || args.includes('-h');
}

/** What `parseArgs` says is wrong, without its advice on arguments that begin with a dash, which none here do. */
export function parseProblem(error: unknown): string {
  return errorMessage(error).replace(/\. To specify a positional argument .*$/s, '');
}
