import type { UnwrappedMigration } from './concurrent-index.ts';
import { concurrentIndex } from './concurrent-index.ts';

const byRetry = concurrentIndex({
  name: 'webhook_rollouts_to_retry',
  on: 'webhook_rollouts (retry_at) where retry_at is not null',
});

/** When the default webhook is tried again for a new channel whose receiver failed. Without a transaction; repeatable. */
export const rolloutRetries: UnwrappedMigration = {
  config: { transaction: false },
  async up(knex) {
    await knex.raw(`alter table webhook_rollouts
      add column if not exists retry_count int not null default 0, add column if not exists retry_at timestamptz`);
    await knex.raw(
      `comment on column webhook_rollouts.retry_count is 'earlier rollouts of the new channel that failed'`,
    );
    await knex.raw(`comment on column webhook_rollouts.retry_at is 'when another rollout follows; null: none follows'`);
    await byRetry.up(knex);
  },
  async down(knex) {
    await byRetry.down(knex);
    await knex.raw('alter table webhook_rollouts drop column retry_count, drop column retry_at');
  },
};
