import type { Migration } from './migration.ts';

/** A reminder knows its pause, and says what came of it: so do those that were posted before. */
export const remindedPausesMigration: Migration = {
  name: '0007-reminded-pauses',
  statements: [
    `update steward.outbox set pause_id = substr(operation_id, length('reminder-') + 1)
      where operation_id like 'reminder-%' and pause_id is null`,
  ],
};
