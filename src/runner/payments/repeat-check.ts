import type { ApprovalWithheld } from '../../domain/ports/approval-judge.ts';
import type { Leg } from '../../domain/ports/store.ts';
import type { RunnerParts } from '../context.ts';
import { APPROVERS_TRUSTED_FOR_MS, withApprovalRecheck } from './with-approval-recheck.ts';

/** Asks the policy again each time before a request that may carry an approval goes out once more. */
export type RepeatCheck = {
  ask(): Promise<boolean>;
  /** The approval that kept the request from going out again, if one did. */
  withheld(): ApprovalWithheld | null;
};

/** Minutes may go by until a busy planner takes a request, and the policy may have changed meanwhile. */
export function createRepeatCheck(
  deps: Pick<RunnerParts, 'store' | 'policy' | 'people' | 'now'>,
  leg: Leg,
): RepeatCheck {
  let withheld: ApprovalWithheld | null = null;
  return {
    async ask() {
      const checked = await withApprovalRecheck(deps, {
        approversTrustedForMs: APPROVERS_TRUSTED_FOR_MS,
        write: (recheck) => deps.store.runs.recheckSent(leg, recheck),
      });
      if (checked.kind === 'withheld') withheld = checked;
      return checked.kind === 'sent';
    },
    withheld: () => withheld,
  };
}
