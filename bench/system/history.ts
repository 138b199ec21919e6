import pg from 'pg';

export interface History {
  readonly databaseUrl: string;
  readonly rows: number;
  readonly channelIds: readonly number[];
  /** The oldest rows have this age, the youngest none. */
  readonly days: number;
  readonly say: (text: string) => void;
}

const ROWS_PER_STATEMENT = 100_000;
const tables = ['events', 'deliveries', 'attempts', 'event_keys'];
const MAINTENANCE = '1GB';

/**
 * Writes delivered events of the past with their deliveries, attempts and keys, as the service would have left them.
 * Indexes that hold no constraint are built afterwards, which takes a fraction of the time.
 */
export async function writeHistory(history: History): Promise<void> {
  const { databaseUrl, rows, channelIds, days, say } = history;
  // Without the time-outs of the service's connections.
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'bench' });
  await client.connect();
  try {
    await client.query(`set synchronous_commit = off; set maintenance_work_mem = '${MAINTENANCE}'`);
    const definitions = await dropIndexes(client);
    for (let written = 0; written < rows; written += ROWS_PER_STATEMENT) {
      const count = Math.min(ROWS_PER_STATEMENT, rows - written);
      await client.query(historySql, [channelIds, count, days * (1 - written / rows), (days * count) / rows]);
      if (written % (ROWS_PER_STATEMENT * 10) === 0) say(`${written} of ${rows} rows`);
    }
    for (const definition of definitions) await client.query(definition);
    for (const table of tables) await client.query(`vacuum (analyze) ${table}`);
    await client.query('checkpoint');
  } finally {
    await client.end();
  }
}

/** Returns their definitions. An index of a partition goes with its parent's. */
async function dropIndexes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ') as definition
     from pg_index i
     where i.indrelid = any ($1::regclass[]) and not i.indisunique
       and not exists (select from pg_inherits where inhrelid = i.indexrelid)`,
    [tables],
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
  return rows.map(({ definition }) => definition);
}

/** Bodies are short: the rows are to be many, not large. */
const historySql = `
with place as (
  select c.id, c.workspace_id, d.id as destination_id, d.shard, row_number() over (order by c.id) as number
  from channels c join destinations d on d.channel_id = c.id where c.id = any ($1::bigint[])
),
event as (
  insert into events (channel_id, workspace_id, event_type, conversation_key, sender, platform_message_id, body, created_at)
  select p.id, p.workspace_id, 'chatapp.message.received', n % 5000, (15551230000 + n % 5000)::text,
    gen_random_uuid()::text, convert_to('{"text":"history"}', 'UTF8'),
    now() - ($3::float8 - $4::float8 * n / $2::int) * interval '1 day'
  from generate_series(1, $2::int) n
  join place p on p.number = 1 + n % (select count(*) from place)
  order by n
  returning id, channel_id, workspace_id, conversation_key, event_type, created_at
),
delivery as (
  insert into deliveries (event_id, channel_id, workspace_id, destination_id, shard, conversation_key, event_type, status,
    attempt_count, created_at)
  select e.id, e.channel_id, e.workspace_id, p.destination_id, p.shard, e.conversation_key, e.event_type, 'delivered', 1,
    e.created_at
  from event e join place p on p.id = e.channel_id order by e.id
  returning id, channel_id, created_at
),
attempt as (
  insert into attempts (delivery_id, number, started_at, duration_ms, outcome, status, created_at)
  select id, 1, created_at, 20, 'accepted', 200, created_at from delivery order by id
)
insert into event_keys (channel_id, key, created_at) select channel_id, gen_random_uuid(), created_at from delivery
`;
