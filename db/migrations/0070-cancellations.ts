import type { UnwrappedMigration } from './concurrent-index.ts';

/**
 * Who or what cancelled a delivery. Without a transaction. Repeatable. Reads and rewrites no rows: deliveries that were
 * cancelled before have none.
 */
export const cancellations: UnwrappedMigration = {
  config: { transaction: false },
  async up(knex) {
    await knex.raw('alter table deliveries add column if not exists cancellation jsonb');
    await knex.raw(
      `comment on column deliveries.cancellation is
         'reason, at, actorType and actorId; null unless the status is cancelled, and for deliveries of earlier versions'`,
    );
  },
  async down(knex) {
    await knex.raw('alter table deliveries drop column cancellation');
  },
};
