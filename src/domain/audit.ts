/**
 * What is written down. `approved` is one of two approvals, `decided` the end of a pause by a person or the policy;
 * `click_refused` is any button, submission or word that was not allowed or came too late. `approval_withheld` is an
 * approval that the planner was not told of, because the policy does not allow it any more; `policy_refused` a policy
 * file that was read again and cannot be used. `pruned` is the signed-off marker that retention leaves in place of what
 * it cut, and is written by the store alone.
 */
export type AuditKind =
  | 'run_started'
  | 'pause_opened'
  | 'card_shown'
  | 'click_refused'
  | 'approved'
  | 'decided'
  | 'approval_withheld'
  | 'expired'
  | 'resumed'
  | 'started_over'
  | 'closed'
  | 'settled'
  | 'payment_unknown'
  | 'run_ended'
  | 'policy_loaded'
  | 'policy_refused'
  | 'pruned';

/** Who did or was refused what, and why. Holds no secrets: whoever may read the audit trail reads all of it. */
export type AuditEntry = {
  kind: AuditKind;
  /** Null for what concerns no run (the policy's kinds, `pruned`). */
  runId: string | null;
  pauseId: string | null;
  /** Null when Steward did it by itself. */
  actorId: string | null;
  reason: string;
  /** More about it, as plain JSON: what a card said, the terms decided on. */
  details?: Record<string, unknown>;
};
