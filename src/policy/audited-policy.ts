import { assertNever } from '../domain/assert-never.ts';
import type { AuditEntry } from '../domain/audit.ts';
import type { Logger } from '../domain/ports/logger.ts';
import type { AuditStore } from '../domain/ports/store.ts';
import type { Policy } from './policy.ts';
import type { PolicyHolder, ReloadOutcome } from './policy-holder.ts';

/** Long enough for a problem's place and words; a name in the file may be as long as the file. */
const MAX_PROBLEM_CHARS = 300;

/**
 * A holder whose policies stand in the audit trail: the one at the start, each that a reload reads, and each reload that
 * was refused. Every approval names the digest of the policy that allowed it; these rows say when that policy came into
 * force and from where.
 *
 * A reload counts even if its row cannot be written, which is logged: it may be there to forbid something. At the start
 * that rejects.
 */
export async function auditPolicy(
  holder: PolicyHolder,
  { audit, logger }: { audit: Pick<AuditStore, 'append'>; logger: Logger },
): Promise<PolicyHolder> {
  const { current } = holder;

  async function reload(): Promise<ReloadOutcome> {
    const outcome = await holder.reload();
    const entry = reloadEntry(outcome, current());
    if (entry === null) return outcome;
    try {
      await audit.append(entry);
    } catch (error) {
      logger.error({ err: error, digest: current().digest }, 'policy_not_audited');
    }
    return outcome;
  }

  await audit.append(loadedEntry(current(), 'is in force from the start'));
  const { source, digest, rules } = current();
  logger.info({ source, digest, rules: rules.length }, 'policy_in_force');
  return { current, reload };
}

const OF_NO_RUN = { runId: null, pauseId: null, actorId: null };

function reloadEntry(outcome: ReloadOutcome, inForce: Policy): AuditEntry | null {
  switch (outcome.kind) {
    case 'loaded':
      return loadedEntry(
        outcome.policy,
        outcome.isChanged ? 'was read again and has changed' : 'was read again, unchanged',
      );
    case 'kept':
      return refusedEntry(outcome.problems, inForce);
    case 'no-file':
      return null;
    default:
      return assertNever(outcome);
  }
}

function loadedEntry({ source, digest, rules }: Policy, when: string): AuditEntry {
  const details = { source, digest, rules: rules.map(({ name }) => name) };
  return { kind: 'policy_loaded', ...OF_NO_RUN, reason: `${source} ${when}`, details };
}

function refusedEntry(problems: readonly string[], { source, digest }: Policy): AuditEntry {
  const firstProblem = problems[0]?.slice(0, MAX_PROBLEM_CHARS);
  const details = { source, problems: problems.length, firstProblem, inForce: digest };
  return { kind: 'policy_refused', ...OF_NO_RUN, reason: `${source} was read again and cannot be used`, details };
}
