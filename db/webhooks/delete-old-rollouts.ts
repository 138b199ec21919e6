import type { Knex } from 'knex';
import { queryRows } from '../core/query-rows.ts';

/** Keeps transactions short. The next round continues. */
const BATCH_SIZE = 5_000;

/** Removes results, then rollouts without results, then defaults that nothing names. */
export async function deleteOldRollouts(db: Knex, endedBefore: Date): Promise<void> {
  const old = { endedBefore, limit: BATCH_SIZE };
  await queryRows(
    db,
    `delete from webhook_rollout_results x using (
       select y.rollout_id, y.channel_id from webhook_rollouts r join webhook_rollout_results y on y.rollout_id = r.id
       where r.ended_at < :endedBefore and r.run_ended_at is not null limit :limit
     ) old where x.rollout_id = old.rollout_id and x.channel_id = old.channel_id`,
    old,
  );
  await queryRows(
    db,
    `delete from webhook_rollouts where id in (
       select r.id from webhook_rollouts r where r.ended_at < :endedBefore and r.run_ended_at is not null
         and not exists (select from webhook_rollout_results x where x.rollout_id = r.id) limit :limit)`,
    old,
  );
  await queryRows(
    db,
    `delete from default_webhooks where id in (
       select d.id from default_webhooks d where d.status <> 'current' and d.deadline_at < :endedBefore
         and not exists (select from webhook_configs w where w.default_webhook_id = d.id)
         and not exists (select from webhook_candidates k where k.default_webhook_id = d.id)
         and not exists (select from webhook_rollouts r where r.default_webhook_id = d.id) limit :limit)`,
    old,
  );
}
