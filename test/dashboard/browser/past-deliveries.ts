import type { Knex } from 'knex';
import type { ConnectedChannel } from '../../harness/system/system.ts';

interface PastDeliveries {
  readonly channel: ConnectedChannel;
  readonly destinationId: number;
  readonly count: number;
  readonly spanSeconds: number;
}

/** Every 40th delivery needed a second attempt; every 100th is exhausted. */
export async function insertPastDeliveries(
  db: Knex,
  { channel, destinationId, count, spanSeconds }: PastDeliveries,
): Promise<void> {
  await db.raw(
    `with numbers as (
       select n, now() - make_interval(secs => :span::float8 * (1 - n::float8 / :count)) as at
       from generate_series(1, :count::int) n
     ), accepted as (
       insert into events (channel_id, workspace_id, event_type, conversation_key, sender, platform_message_id, body, created_at)
       select c.id, c.workspace_id, case when n % 3 = 0 then 'chatapp.message.status' else 'chatapp.message.received' end,
         n % 50, (15550000000 + n % 50)::text, 'wamid.' || md5(n::text), convert_to('{"n":' || n || '}', 'UTF8'), at
       from numbers, channels c where c.id = :channelId order by n returning *
     ), made as (
       insert into deliveries (event_id, channel_id, workspace_id, destination_id, shard, conversation_key, event_type,
         status, attempt_count, created_at)
       select e.id, e.channel_id, e.workspace_id, :destinationId, dest.shard, e.conversation_key, e.event_type,
         case when e.id % 100 = 0 then 'exhausted' else 'delivered' end,
         case when e.id % 100 = 0 then 12 when e.id % 40 = 0 then 2 else 1 end, e.created_at
       from accepted e join destinations dest on dest.id = :destinationId order by e.id returning *
     )
     insert into attempts (delivery_id, number, started_at, duration_ms, outcome, status)
     select id, attempt_count, created_at + make_interval(secs => 0.02 + (id % 17) * 0.004 + (id % 40 = 0)::int * 5),
       20 + id % 23, case when status = 'delivered' then 'accepted' else 'rejected' end,
       case when status = 'delivered' then 200 else 500 end
     from made`,
    { channelId: channel.id, destinationId, count, span: spanSeconds },
  );
}

export async function destinationOf(db: Knex, channel: ConnectedChannel): Promise<number> {
  const row = await db('webhook_configs').where({ channel_id: channel.id }).first('destination_id');
  return row.destination_id;
}
