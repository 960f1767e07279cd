import { within } from '../async/within.ts';
import { errorMessage } from '../errors.ts';

/** What must be up, by its name. A check throws or rejects when it is not. */
export type Checks = Readonly<Record<string, () => Promise<void> | void>>;

/** `problem` is null when it is up. */
type CheckResult = { name: string; problem: string | null };

async function runCheck(name: string, check: Checks[string], withinMs: number): Promise<CheckResult> {
  const late = (): never => {
    throw new Error(`no answer within ${withinMs} ms`);
  };
  try {
    await within(Promise.resolve().then(check), { ms: withinMs, late });
    return { name, problem: null };
  } catch (error) {
    return { name, problem: errorMessage(error) };
  }
}

/** Runs all checks side by side; one that takes longer than `withinMs` counts as not up. In the order given. */
export function runChecks(checks: Checks, withinMs: number): Promise<CheckResult[]> {
  return Promise.all(Object.entries(checks).map(([name, check]) => runCheck(name, check, withinMs)));
}
