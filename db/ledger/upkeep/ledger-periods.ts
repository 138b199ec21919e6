import type { Knex } from 'knex';
import type { OwnerFunction } from '../../core/owner-function.ts';
import { unlessLocked } from '../../core/unless-locked.ts';
import { PERIOD_SPAN } from '../../core/period-span.ts';

/** Periods that exist ahead of the present one: an insert without a partition fails. */
const PERIODS_AHEAD = 2;
/** More partitions cost every statement that reads all of them. */
const PERIODS_KEPT = 12;
/** A smaller period is not worth its partitions: retention deletes its rows one by one. */
const MIN_PERIOD_IDS = 1_000_000;
/** An arbitrary advisory lock key. */
const PERIOD_LOCK = 6_310_447;

export interface PeriodSettings {
  readonly retentionMs: number;
  /** Optional. Ids that a period has at least before the next one begins. */
  readonly minIds?: number;
}

/**
 * Creates the partitions of the next periods, and begins the next one if the present one is old and large enough. May
 * run concurrently and be repeated.
 */
export async function keepLedgerPeriods(db: Knex, settings: PeriodSettings): Promise<void> {
  await unlessLocked(db, async (trx) => {
    // A statement that waits for the lock of a table makes all others wait.
    await trx.raw(`set local lock_timeout = '1s'`);
    if (!(await tryPeriodLock(trx))) return;
    const first = await presentPeriod(trx);
    await addPeriods(trx, { first, last: first + PERIODS_AHEAD * PERIOD_SPAN });
    await beginPeriod(trx, (await isDue(trx, first, settings)) ? first + PERIOD_SPAN : first);
  });
}

/** Creates the partitions with which a new installation begins. Does nothing if there are any. */
export async function createFirstPeriods(db: Knex): Promise<void> {
  await db.transaction(async (trx) => {
    if (await trx('ledger_periods').first('first_id')) return;
    await addPeriods(trx, { first: 0, last: PERIOD_SPAN });
    await beginPeriod(trx, 0);
  });
}

/** Returns false while another session changes the periods. */
export async function tryPeriodLock(trx: Knex.Transaction): Promise<boolean> {
  const { rows } = await trx.raw<{ rows: { locked: boolean }[] }>('select pg_try_advisory_xact_lock(?) as locked', [
    PERIOD_LOCK,
  ]);
  return rows[0]!.locked;
}

/** Waits until no other session changes the periods. */
export async function lockPeriods(trx: Knex.Transaction): Promise<void> {
  await trx.raw('select pg_advisory_xact_lock(?)', [PERIOD_LOCK]);
}

/** Creates the partitions up to the one of an id. */
export async function addPeriodsUpTo(trx: Knex, id: number): Promise<void> {
  const first = await presentPeriod(trx);
  await addPeriods(trx, { first, last: Math.max(first, Math.floor(id / PERIOD_SPAN) * PERIOD_SPAN) });
}

/** By the higher sequence: the other one may not have been advanced yet. */
async function presentPeriod(trx: Knex): Promise<number> {
  const { rows } = await trx.raw<{ rows: { first: number }[] }>(
    `select greatest(e.last_value, d.last_value, (select min(first_id) from ledger_periods)) / ${PERIOD_SPAN} * ${PERIOD_SPAN}
       as first
     from events_id_seq e, deliveries_id_seq d`,
  );
  return rows[0]!.first;
}

async function addPeriods(trx: Knex, { first, last }: { first: number; last: number }): Promise<void> {
  const known = new Set<number>(await trx('ledger_periods').where('first_id', '>=', first).pluck('first_id'));
  for (let at = first; at <= last; at += PERIOD_SPAN)
    if (!known.has(at)) await trx.raw('select add_ledger_period(?)', [at]);
}

async function isDue(trx: Knex, first: number, { retentionMs, minIds = MIN_PERIOD_IDS }: PeriodSettings) {
  const { rows } = await trx.raw<{ rows: unknown[] }>(
    `select from ledger_periods, events_id_seq
     where first_id = ? and last_value - first_id >= ? and began_at < now() - ? * interval '1 millisecond'`,
    [first, minIds, retentionMs / PERIODS_KEPT],
  );
  return rows.length > 0;
}

/** Also completes an interrupted begin: advancing a sequence is not undone with its transaction. */
async function beginPeriod(trx: Knex, first: number): Promise<void> {
  for (const sequence of ['events_id_seq', 'deliveries_id_seq']) {
    await trx.raw('select setval(?, ?, false) from ?? where last_value < ?', [sequence, first, sequence, first]);
  }
  await trx.raw('update ledger_periods set began_at = coalesce(began_at, now()) where first_id = ?', [first]);
}

/** Tables are attached instead of created as partitions, because that would lock the parent against all statements. */
const periodSql = tablesOf('<number>')
  .map(
    ({ parent, table, key, indexes }) => `
      create table ${table} (like ${parent} including defaults including constraints including storage including comments);
      alter table ${table} add constraint ${table}_bounds
        check (${key} is not null and ${key} >= <first> and ${key} < <end>);
      ${indexes};
      alter table ${parent} attach partition ${table} for values from (<first>) to (<end>);
      alter table ${table} drop constraint ${table}_bounds;
      select copy_privileges('${parent}', '${table}');`,
  )
  .join('');

export const addPeriodFunction: OwnerFunction = {
  name: 'add_ledger_period',
  parameters: 'first bigint',
  returns: 'void',
  body: `begin
    if first % ${PERIOD_SPAN} <> 0 then raise '% is no first id of a period', first; end if;
    execute replace(replace(replace($sql$${periodSql}$sql$, '<number>', (first / ${PERIOD_SPAN})::text),
      '<first>', first::text), '<end>', (first + ${PERIOD_SPAN})::text);
    insert into ledger_periods (first_id) values (first);
  end`,
  callers: ['worker'],
};

function tablesOf(number: string) {
  const events = `events_${number}`;
  const attempts = `attempts_${number}`;
  const ended = `deliveries_ended_${number}`;
  return [
    {
      parent: 'events',
      table: events,
      key: 'id',
      indexes: `
      alter table ${events} add primary key (id);
      create index ${events}_by_platform_message on ${events} using hash (platform_message_id)
        where platform_message_id is not null;
      create index ${events}_sender on ${events} (sender) where sender is not null;
      create index ${events}_people on ${events} using gin (person_ids) with (fastupdate = off)
        where person_ids is not null`,
    },
    {
      parent: 'attempts',
      table: attempts,
      key: 'delivery_id',
      indexes: `alter table ${attempts} add primary key (delivery_id, number)`,
    },
    {
      parent: 'deliveries_ended',
      table: ended,
      key: 'id',
      indexes: `
      alter table ${ended} add primary key (id);
      create index ${ended}_by_channel on ${ended} (channel_id, id);
      create index ${ended}_changed on ${ended} (channel_id, xid, id);
      create index ${ended}_by_event on ${ended} (event_id);
      create index ${ended}_restarted on ${ended} (restarted_at) where restarted_at is not null;
      create index ${ended}_in_trouble on ${ended} (channel_id, id)
        where status in ('retrying', 'exhausted', 'cancelled', 'skipped')`,
    },
  ] as const;
}
