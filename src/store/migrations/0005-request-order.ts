import type { Migration } from './migration.ts';

/**
 * What a pause asks is kept as it came: `jsonb` puts keys in an order of its own, and the planner and its agents are told
 * a card's selection as compact JSON, which some of them compare as text.
 */
export const requestOrderMigration: Migration = {
  name: '0005-request-order',
  statements: ['alter table steward.pauses alter column request type json using request::json'],
};
