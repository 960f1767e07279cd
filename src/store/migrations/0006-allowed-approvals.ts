import type { Migration } from './migration.ts';

/**
 * When, and by which policy, an approval was last allowed: it is asked for again before the planner is told, and needs
 * not be while both are as they were. Approvals from before are asked for.
 */
export const allowedApprovalsMigration: Migration = {
  name: '0006-allowed-approvals',
  statements: [
    `alter table steward.ledger
      add column allowed_at timestamptz,
      add column policy_digest text,
      add constraint ledger_allowed_by_a_policy check ((allowed_at is null) = (policy_digest is null))`,
  ],
};
