import type { Knex } from 'knex';
import { queryRows } from '../core/query-rows.ts';
import { PERIOD_SPAN } from '../core/period-span.ts';

/**
 * Bounds of delivery numbers, the upper one exclusive. PostgreSQL plans only the partitions within them if the statement
 * takes them as parameters, so finding bounds first costs less than reading every period.
 */
export interface IdRange {
  readonly low: number;
  readonly high: number;
}

export interface Span {
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
}

/** A transaction takes its numbers after `now()`. No statement runs longer than this. */
const DISORDER_MS = 60_000;
/** More than any number. */
const UNBOUNDED = Number.MAX_SAFE_INTEGER;

/** Contains all deliveries created in the span, and some that were not. */
export async function idRangeOf(db: Knex, { since, until }: Span): Promise<IdRange> {
  return {
    low: since ? await firstDeliverySince(db, new Date(since.getTime() - DISORDER_MS)) : 0,
    high: until ? await firstDeliverySince(db, new Date(until.getTime() + DISORDER_MS)) : UNBOUNDED,
  };
}

/** The present one has just begun at times. */
const RECENT_PERIODS = 2;

/** Divides a range, so that a page of the newest deliveries need not read all periods. Newest first, without gaps. */
export async function newestFirst(db: Knex, { low, high }: IdRange): Promise<IdRange[]> {
  const last = high === UNBOUNDED ? await lastNumber(db) : high - 1;
  const recent = (Math.floor(last / PERIOD_SPAN) - RECENT_PERIODS + 1) * PERIOD_SPAN;
  if (recent <= low) return [{ low, high }];
  return [
    { low: recent, high },
    { low, high: recent },
  ];
}

async function lastNumber(db: Knex): Promise<number> {
  const [sequence] = await queryRows<{ last: number }>(db, 'select last_value as last from deliveries_id_seq');
  return sequence!.last;
}

/** Returns the number of the first delivery created at the time or later. */
export async function firstDeliverySince(db: Knex, at: Date): Promise<number> {
  return await firstSince(db, 'deliveries', at);
}

export async function firstEventSince(db: Knex, at: Date): Promise<number> {
  return await firstSince(db, 'events', at);
}

type Numbered = 'deliveries' | 'events';

/** An index on the time would add a write per delivery. */
async function firstSince(db: Knex, table: Numbered, at: Date): Promise<number> {
  const [period] = await queryRows<{ low: number; high: number }>(db, periodSql, { at });
  const [found] = await queryRows<{ first: number }>(db, searchSql[table], { at, ...period! });
  return found!.first;
}

/**
 * The period that was the present one then, with the end of the one before if it had just begun. The oldest period
 * counts as older than any time.
 */
const periodSql = `
select coalesce(max(first_id) filter (where began_at < cast(:at as timestamptz) - ${DISORDER_MS} * interval '1 millisecond'), 0) as low,
  coalesce(min(first_id) filter (where began_at > :at and not is_oldest), ${UNBOUNDED}) as high
from (select *, first_id = min(first_id) over () as is_oldest from ledger_periods) period`;

const searchSql = { deliveries: searchSqlOf('deliveries'), events: searchSqlOf('events') } as const;

/** Halves the range in one statement. */
function searchSqlOf(table: Numbered): string {
  const inPeriod = 'id >= cast(:low as bigint) and id < cast(:high as bigint)';
  return `
with recursive search (low, high) as (
  select min(id), max(id) + 1 from ${table} where ${inPeriod}
  union all
  select case when later.created_at < :at then later.id + 1 else search.low end,
    case when later.created_at < :at then search.high else middle.id end
  from search
  cross join lateral (select search.low + (search.high - search.low) / 2 as id) middle
  left join lateral (
    select id, created_at from ${table} where ${inPeriod} and id >= middle.id order by id limit 1
  ) later on true
  where search.low < search.high
)
select coalesce((select low from search where low >= high), cast(:low as bigint)) as first`;
}
