import type { Knex } from 'knex';
import { PERIOD_SPAN } from '../../core/period-span.ts';

/** Covers transactions that took an id before the period ended and committed later. */
const MARGIN_MS = 3_600_000;
/** A smaller period is deleted row by row. */
export const MIN_PERIOD_BYTES = 128 * 1024 * 1024;
/** Rows may outlive the retention by this share of it, and by the time that is left to get the locks. */
const MAX_SHARE_LATE = 6;
const MAX_TRY_MS = 86_400_000;

/** A period's events, and the deliveries and attempts whose ids are in its range. */
export interface LedgerPeriod {
  readonly name: string;
  readonly tables: readonly PeriodTable[];
  /** Ids from `first` and below `end`. */
  readonly first: number;
  readonly end: number;
  readonly beganAt: Date | null;
  /** When the next period began. Null for the present period and later ones. */
  readonly endedAt: Date | null;
  readonly bytes: number;
}

export interface PeriodTable {
  readonly parent: 'events' | 'deliveries_ended' | 'attempts';
  readonly name: string;
  readonly state: 'attached' | 'detached';
}

export interface PeriodAge {
  readonly cutoff: Date;
  readonly retentionMs: number;
  /** Optional. Default: 128 MiB. */
  readonly minBytes?: number | undefined;
}

export interface IdRange {
  readonly first: number;
  readonly end: number;
}

/** Returns the oldest period first. */
export async function listPeriods(db: Knex): Promise<LedgerPeriod[]> {
  const { rows } = await db.raw<{ rows: PeriodRow[] }>(periodsSql);
  return rows.map(({ name, states, first_id: first, end_id: end, ...row }) => ({
    name,
    first,
    end,
    beganAt: row.began_at,
    endedAt: row.ended_at,
    bytes: row.bytes,
    tables: tablesOf(name).map((table) => ({ ...table, state: states[table.name] ?? 'detached' })),
  }));
}

/** Returns whether no row of the period is younger than the cutoff. */
export function isWhollyOld({ endedAt }: LedgerPeriod, { cutoff }: PeriodAge): boolean {
  return endedAt !== null && endedAt.getTime() < cutoff.getTime() - MARGIN_MS;
}

/**
 * Returns the ids of partly old periods that are left until they are dropped whole. Deletes of single rows would cost
 * as much as the inserts did, and nothing would remain to be dropped. A long period is not left, nor one whose drop
 * keeps failing, because its rows would outlive the retention for too long.
 */
export function rangesLeftToDrop(periods: readonly LedgerPeriod[], age: PeriodAge): IdRange[] {
  const { cutoff, retentionMs, minBytes = MIN_PERIOD_BYTES } = age;
  return periods.filter(
    ({ beganAt, endedAt, bytes }) =>
      beganAt !== null &&
      endedAt !== null &&
      bytes >= minBytes &&
      endedAt.getTime() - beganAt.getTime() <= retentionMs / MAX_SHARE_LATE &&
      endedAt.getTime() >= cutoff.getTime() - MARGIN_MS - MAX_TRY_MS,
  );
}

interface PeriodRow {
  readonly name: string;
  readonly states: Readonly<Record<string, PeriodTable['state']>>;
  readonly first_id: number;
  readonly end_id: number;
  readonly began_at: Date | null;
  readonly ended_at: Date | null;
  readonly bytes: number;
}

/** In the order in which they are detached. */
function tablesOf(name: string): Pick<PeriodTable, 'name' | 'parent'>[] {
  return [
    { parent: 'attempts', name: `attempts_${name}` },
    { parent: 'deliveries_ended', name: `deliveries_ended_${name}` },
    { parent: 'events', name: `events_${name}` },
  ];
}

const periodsSql = `
with period as (
  select c.number::text as name, c.number * ${PERIOD_SPAN} as first_id, (c.number + 1) * ${PERIOD_SPAN} as end_id
  from (
    select cast(substring(relname from '[0-9]+$') as bigint) as number
    from pg_class
    where relname ~ '^events_[0-9]+$' and relkind = 'r' and relnamespace = cast(current_schema() as regnamespace)
  ) c
),
part as materialized (
  select p.name, c.relname, pg_total_relation_size(c.oid) as bytes,
    case when i.inhrelid is null then 'detached' else 'attached' end as state
  from period p
  join pg_class c on c.relnamespace = cast(current_schema() as regnamespace) and c.relname in ('events_' || p.name,
    'attempts_' || p.name, 'deliveries_ended_' || p.name)
  left join pg_inherits i on i.inhrelid = c.oid
)
select p.name, p.first_id, p.end_id, l.began_at,
  (select min(later.began_at) from ledger_periods later where later.first_id >= p.end_id) as ended_at,
  (select json_object_agg(part.relname, part.state) from part where part.name = p.name) as states,
  (select cast(sum(part.bytes) as bigint) from part where part.name = p.name) as bytes
from period p left join ledger_periods l on l.first_id = p.first_id
order by p.end_id`;
