import type { Knex } from 'knex';
import { shardOfSql } from '../shards/move-destinations.ts';

/**
 * Puts a new destination in the place of one whose deliveries wait for its present URL. The old one keeps its
 * deliveries, circuit and settings, and receives no new events. Costs the same for any number of deliveries. The caller
 * must make the webhook or the subscription refer to the new destination, whose id is returned.
 */
export async function replaceDestination(trx: Knex, id: number): Promise<number> {
  const { rows } = await trx.raw<{ rows: { id: number }[] }>(replaceSql, { id });
  const [row] = rows;
  if (!row) throw new Error(`No destination ${id}`);
  await trx('destinations').where({ kept_for: id }).update({ kept_for: row.id });
  return row.id;
}

/** The insert reads what the update returns, so that a channel never has two webhooks. */
const replaceSql = `
with fresh as materialized (select nextval(pg_get_serial_sequence('destinations', 'id')) as id),
kept as (
  update destinations d set kept_for = fresh.id, updated_at = now() from fresh
  where d.id = :id and d.kept_for is null
  returning d.*
)
insert into destinations (id, channel_id, type, url, label, event_types, shard, ordering, sends_trace_parent, options,
  credentials_encrypted, enabled, disabled_reason, last_delivered_at, last_failure_at)
overriding system value
select kept.kept_for, channel_id, type, url, label, event_types,
  ${shardOfSql('kept.kept_for', 'coalesce(i.target_shards, i.delivery_shards)')}, ordering, sends_trace_parent, options,
  credentials_encrypted, enabled, disabled_reason, last_delivered_at, last_failure_at
from kept, installation i
returning id`;
