import type { Migration } from './migration.ts';

/** Cards that only inform are messages of their own, and keep what they show. */
export const infoCardsMigration: Migration = {
  name: '0004-info-cards',
  statements: [
    `alter table steward.outbox
      add column card jsonb,
      drop constraint outbox_kind_check,
      add constraint outbox_kind_check check (kind in ('status', 'answer', 'file', 'card', 'info_card', 'notice')),
      add constraint outbox_info_card_has_card check ((kind = 'info_card') = (card is not null))`,
  ],
};
