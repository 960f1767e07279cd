import type { Logger } from '../domain/ports/logger.ts';
import type { AuditStore } from '../domain/ports/store.ts';
import type { Policy } from './policy.ts';
import type { PolicyHolder, ReloadOutcome } from './policy-holder.ts';

/**
 * A holder whose policies stand in the audit trail: the one at the start, and each that a reload reads. Every approval
 * names the digest of the policy that allowed it; these rows say when that policy came into force and from where.
 *
 * A reload counts even if its row cannot be written, which is logged: it may be there to forbid something. At the start
 * that rejects.
 */
export async function auditPolicy(
  holder: PolicyHolder,
  { audit, logger }: { audit: Pick<AuditStore, 'append'>; logger: Logger },
): Promise<PolicyHolder> {
  const { current } = holder;
  const write = (policy: Policy, when: string) =>
    audit.append({
      kind: 'policy_loaded',
      runId: null,
      pauseId: null,
      actorId: null,
      reason: `${policy.source} ${when}`,
      details: { source: policy.source, digest: policy.digest, rules: policy.rules.map(({ name }) => name) },
    });

  async function reload(): Promise<ReloadOutcome> {
    const outcome = await holder.reload();
    if (outcome.kind !== 'loaded') return outcome;
    try {
      await write(outcome.policy, outcome.isChanged ? 'was read again and has changed' : 'was read again, unchanged');
    } catch (error) {
      logger.error({ err: error, digest: outcome.policy.digest }, 'policy_not_audited');
    }
    return outcome;
  }

  await write(current(), 'is in force from the start');
  const { source, digest, rules } = current();
  logger.info({ source, digest, rules: rules.length }, 'policy_in_force');
  return { current, reload };
}
