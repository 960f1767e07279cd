/**
 * What is written down. `click_refused` is any button or submission that was not allowed or came too late; the four
 * kinds at the end are narrower names of the same matters. `pruned` is the signed-off marker that retention leaves in
 * place of what it cut, and is written by the store alone.
 */
export type AuditKind =
  | 'run_started'
  | 'pause_opened'
  | 'card_shown'
  | 'click_refused'
  | 'decided'
  | 'resumed'
  | 'settled'
  | 'run_ended'
  | 'policy_loaded'
  | 'pruned'
  | 'decision_refused'
  | 'decision_made'
  | 'stop_refused'
  | 'settlement_refused';

/** Who did or was refused what, and why. Holds no secrets: whoever may read the audit trail reads all of it. */
export type AuditEntry = {
  kind: AuditKind;
  /** Null for what concerns no run (`policy_loaded`, `pruned`). */
  runId: string | null;
  pauseId: string | null;
  /** Null when Steward did it by itself. */
  actorId: string | null;
  reason: string;
  /** More about it, as plain JSON: what a card said, the terms decided on. */
  details?: Record<string, unknown>;
};
