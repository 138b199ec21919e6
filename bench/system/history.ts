import type { Knex } from 'knex';
import pg from 'pg';
import { addPeriodsUpTo, keepLedgerPeriods } from '../../db/ledger/upkeep/ledger-periods.ts';
import { PERIOD_SPAN } from '../../db/core/period-span.ts';

export interface History {
  readonly db: Knex;
  readonly databaseUrl: string;
  readonly rows: number;
  readonly channelIds: readonly number[];
  /** The oldest rows have this age, the youngest none. */
  readonly days: number;
  readonly say: (text: string) => void;
}

/**
 * Parameters of the server that writes a history. A table that is truncated and filled in one transaction then needs no
 * WAL. The files are synced when the server stops.
 */
export const bulkParameters = {
  wal_level: 'minimal',
  max_wal_senders: '0',
  fsync: 'off',
  full_page_writes: 'off',
  maintenance_work_mem: '512MB',
  max_parallel_maintenance_workers: '0',
  autovacuum: 'off',
} as const satisfies Record<string, string>;

/** A twelfth of the default retention. */
const DAYS_PER_PERIOD = 2.5;
/** The default of `EVENT_KEY_DAYS`: older keys are gone. */
const KEY_DAYS = 9;
const MS_PER_DAY = 86_400_000;
/** Each needs a core. */
const CONCURRENT_PERIODS = 2;
const UNLIMITED = 'set statement_timeout = 0; set idle_in_transaction_session_timeout = 0';

/** Returns false if writing it was interrupted. It can then be written again. */
export async function hasHistory(db: Knex): Promise<boolean> {
  const { rows } = await db.raw<{ rows: { is_called: boolean }[] }>('select is_called from deliveries_id_seq');
  return rows[0]!.is_called;
}

/**
 * Writes ended events of the past with their deliveries, attempts and keys, in periods, as the service would have left
 * them. One in a thousand is exhausted. Writes to the partitions themselves, and builds indexes that hold no constraint
 * afterwards.
 */
export async function writeHistory(history: History): Promise<void> {
  const { db, databaseUrl, rows, days, say } = history;
  const periodCount = Math.ceil(days / DAYS_PER_PERIOD);
  await db.transaction((trx) => addPeriodsUpTo(trx, (periodCount - 1) * PERIOD_SPAN));
  const periods = Array.from({ length: periodCount }, (_, number) => number);
  let written = 0;
  await Promise.all(
    Array.from({ length: CONCURRENT_PERIODS }, () =>
      withClient(databaseUrl, async (client) => {
        for (let number = periods.shift(); number !== undefined; number = periods.shift()) {
          const count = await writePeriod(client, { ...history, number });
          written += count;
          say(`${written} of ${rows} rows`);
        }
      }),
    ),
  );
  await withClient(databaseUrl, async (client) => {
    await client.query(advanceSql);
    await writeKeys(client, history);
    await client.query('vacuum (freeze, analyze)');
  });
  await keepLedgerPeriods(db, { retentionMs: days * MS_PER_DAY });
}

/** Without the time-outs of the service's connections. */
async function withClient(url: string, act: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: 'bench' });
  await client.connect();
  try {
    await client.query(UNLIMITED);
    await act(client);
  } finally {
    await client.end();
  }
}

const advanceSql = `
select setval('events_id_seq', last.id), setval('deliveries_id_seq', last.id) from (select max(id) as id from events) last`;

interface Period extends History {
  readonly number: number;
}

/** Returns the number of rows. */
async function writePeriod(client: pg.Client, { channelIds, rows, days, number }: Period): Promise<number> {
  const age = days - number * DAYS_PER_PERIOD;
  const span = Math.min(DAYS_PER_PERIOD, age);
  const count = Math.round((rows * span) / days);
  const first = number * PERIOD_SPAN;
  const tables = [`events_${number}`, `deliveries_ended_${number}`, `attempts_${number}`] as const;
  await client.query('begin');
  await client.query(`truncate ${tables.join()}`);
  const definitions = await dropIndexes(client, tables);
  for (const insert of [insertEvents, insertDeliveries, insertAttempts]) {
    await client.query(insert(number), [channelIds, first, count, age, span]);
  }
  for (const definition of definitions) await client.query(definition);
  await client.query(`update ledger_periods set began_at = now() - $2 * interval '1 day' where first_id = $1`, [
    first,
    age,
  ]);
  await client.query('commit');
  return count;
}

/** Of the constraints, only those of a table without partitions can be dropped. Returns the definitions. */
async function dropIndexes(client: pg.Client, tables: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
     from pg_index where indrelid = any ($1::regclass[]) and not indisunique`,
    [tables],
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
  return rows.map(({ definition }) => definition);
}

/** Every channel in turn. Of each, the one destination. */
const rowsSql = `(
  select $2::bigint + n as id, n, place.*, 'chatapp.message.received' as event_type, n % 5000 as conversation_key,
    case when n % 997 = 0 then 'exhausted' else 'delivered' end as status,
    now() - ($4::float8 - $5::float8 * n / $3::int) * interval '1 day' as created_at
  from generate_series(1, $3::int) n join (
    select c.id as channel_id, c.workspace_id, d.id as destination_id, d.shard,
      row_number() over (order by c.id) - 1 as place
    from channels c join destinations d on d.channel_id = c.id where c.id = any ($1::bigint[])
  ) place on place.place = n % cardinality($1::bigint[])
) row`;

/** Bodies are short: the rows are to be many, not large. */
const insertEvents = (period: number): string => `
insert into events_${period} (id, channel_id, workspace_id, event_type, conversation_key, sender, platform_message_id,
  body, created_at)
select id, channel_id, workspace_id, event_type, conversation_key, (15551230000 + conversation_key)::text,
  gen_random_uuid()::text, convert_to('{"text":"history"}', 'UTF8'), created_at
from ${rowsSql}`;

const insertDeliveries = (period: number): string => `
insert into deliveries_ended_${period} (id, event_id, channel_id, workspace_id, destination_id, shard, conversation_key,
  event_type, status, attempt_count, created_at)
select id, id, channel_id, workspace_id, destination_id, shard, conversation_key, event_type, status, 1, created_at
from ${rowsSql}`;

const insertAttempts = (period: number): string => `
insert into attempts_${period} (channel_id, delivery_id, number, started_at, duration_ms, outcome, status, created_at)
select channel_id, id, 1, created_at, 20, case status when 'delivered' then 'accepted' else 'rejected' end,
  case status when 'delivered' then 200 else 500 end, created_at
from ${rowsSql}`;

async function writeKeys(client: pg.Client, { channelIds, rows, days }: History): Promise<void> {
  const keyDays = Math.min(KEY_DAYS, days);
  await client.query('begin');
  await client.query('truncate event_keys');
  await client.query('alter table event_keys drop constraint event_keys_pkey');
  await client.query(insertKeys, [channelIds, Math.round((rows * keyDays) / days), keyDays]);
  await client.query('alter table event_keys add constraint event_keys_pkey primary key (channel_id, key)');
  await client.query('commit');
}

const insertKeys = `
insert into event_keys (channel_id, key, created_at)
select ($1::bigint[])[1 + n % cardinality($1::bigint[])], gen_random_uuid(),
  now() - ($3::float8 - $3::float8 * n / $2::int) * interval '1 day'
from generate_series(1, $2::int) n`;
