import type { HotPool } from '../../db/core/hot-pool.ts';

const ROWS_PER_STATEMENT = 50_000;

export interface Backlog {
  readonly destinationId: number;
  readonly rows: number;
}

/** Writes waiting deliveries as an acceptance does, without HTTP. */
export async function writeBacklog(pool: HotPool, { destinationId, rows }: Backlog): Promise<void> {
  for (let written = 0; written < rows; written += ROWS_PER_STATEMENT) {
    await pool.query(backlogSql, [destinationId, Math.min(ROWS_PER_STATEMENT, rows - written)]);
  }
}

/** So that the next run begins without it. Rows in flight end as they would anyway. */
export async function clearBacklog(
  pool: HotPool,
  destinations: readonly Pick<Backlog, 'destinationId'>[],
): Promise<void> {
  const ids = destinations.map(({ destinationId }) => destinationId);
  await pool.query(`delete from deliveries where status = 'pending' and destination_id = any ($1::bigint[])`, [ids]);
}

const backlogSql = `
with event as (
  insert into events (channel_id, workspace_id, event_type, conversation_key, sender, platform_message_id, body)
  select c.id, c.workspace_id, 'chatapp.message.received', n % 1000, 'bench', gen_random_uuid()::text, convert_to(repeat('x', 500), 'UTF8')
  from destinations d join channels c on c.id = d.channel_id, generate_series(1, $2::int) n
  where d.id = $1
  returning id, channel_id, workspace_id, conversation_key, event_type
)
insert into deliveries
  (event_id, channel_id, workspace_id, destination_id, shard, conversation_key, event_type, status)
select e.id, e.channel_id, e.workspace_id, d.id, d.shard, e.conversation_key, e.event_type, 'pending'
from event e, destinations d
where d.id = $1
order by e.id
`;
