import type { Knex } from 'knex';
import pg from 'pg';
import { keepLedgerPeriods } from '../../db/ledger/upkeep/ledger-periods.ts';
import { PERIOD_SPAN } from '../../db/migrations/0031-ledger-boundary.ts';

export interface History {
  readonly db: Knex;
  readonly databaseUrl: string;
  readonly rows: number;
  readonly channelIds: readonly number[];
  /** The oldest rows have this age, the youngest none. */
  readonly days: number;
  readonly say: (text: string) => void;
}

const ROWS_PER_STATEMENT = 100_000;
/** A twelfth of the default retention. */
const DAYS_PER_PERIOD = 2.5;
const tables = ['events', 'deliveries', 'attempts', 'event_keys'];
const MAINTENANCE = '1GB';

/**
 * Writes delivered events of the past with their deliveries, attempts and keys, in periods, as the service would have
 * left them. Indexes that hold no constraint are built afterwards, which takes a fraction of the time.
 */
export async function writeHistory(history: History): Promise<void> {
  const { db, databaseUrl, rows, days, say } = history;
  // Without the time-outs of the service's connections.
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'bench' });
  await client.connect();
  try {
    await client.query(`set synchronous_commit = off; set maintenance_work_mem = '${MAINTENANCE}'`);
    const periodCount = Math.ceil(days / DAYS_PER_PERIOD);
    for (let period = 0; period < periodCount; period++) {
      if (period > 0) await keepLedgerPeriods(db, { retentionMs: 0, minIds: 1 });
      await client.query(beganSql, [days - period * DAYS_PER_PERIOD]);
      await writePeriod(client, { ...history, period, periodCount });
      say(`${Math.round((rows * (period + 1)) / periodCount)} of ${rows} rows`);
    }
    for (const table of tables) await client.query(`vacuum (analyze) ${table}`);
    await client.query('checkpoint');
  } finally {
    await client.end();
  }
}

interface Period extends History {
  readonly period: number;
  readonly periodCount: number;
}

async function writePeriod(client: pg.Client, { channelIds, period, ...history }: Period): Promise<void> {
  const rows = Math.ceil(history.rows / history.periodCount);
  const days = history.days / history.periodCount;
  const definitions = await dropIndexes(client);
  for (let written = 0; written < rows; written += ROWS_PER_STATEMENT) {
    const count = Math.min(ROWS_PER_STATEMENT, rows - written);
    const oldest = history.days - days * (period + written / rows);
    await client.query(historySql, [channelIds, count, oldest, (days * count) / rows]);
  }
  for (const definition of definitions) await client.query(definition);
}

const presentSql = `(select max(first_id) from ledger_periods where began_at is not null)`;

const beganSql = `update ledger_periods set began_at = now() - $1::float8 * interval '1 day' where first_id = ${presentSql}`;

/** Of the present period. Returns their definitions. */
async function dropIndexes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
     from (values ('events'), ('attempts'), ('deliveries_ended')) as parent (name)
     cross join pg_partition_tree(parent.name::regclass) leaf join pg_index i on i.indrelid = leaf.relid
     where leaf.isleaf and leaf.relid::text = parent.name || '_' || (${presentSql} / ${PERIOD_SPAN}) and not i.indisunique`,
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
