import {
  type AfterFailure,
  type AttemptKind,
  GONE_STATUS,
  MAX_WORKFLOWS_PER_DESTINATION,
} from '../../contract/deliveries/what-next.ts';
import type { DeliveryStatus } from '../../contract/deliveries/status.ts';
import type { HotPool } from '../core/hot-pool.ts';
import { namedStatement } from '../core/named-statement.ts';
import { type AttemptResult, attemptParameters, requestIdSql } from './attempts.ts';
import type { RecordOptions } from './destinations/record-accepted.ts';
import {
  failuresToOpenSql,
  mostlyFailsSql,
  recentAcceptedSql,
  recentFailedSql,
  countExhaustedSql,
} from './destinations/failure-counts-sql.ts';
import { underFenceSql } from './shards/hand-over.ts';
import type { HeldLease } from './shards/shard-leases.ts';
import { isNotified, moveDeliveriesSql } from './transitions/move-deliveries-sql.ts';

export interface FailedAttempt extends AttemptResult {
  /** Optional. Of the pump that made the attempt. Default: no pump made it. */
  readonly lease?: HeldLease | undefined;
  readonly kind: AttemptKind;
  readonly after: AfterFailure;
  /**
   * Optional. When the destination last accepted an attempt that may not be in the ledger yet: only later failures are
   * in a row.
   */
  readonly succeededAtMs?: number | undefined;
  /** Optional. Holds the conversation behind a delivery that enters the retry schedule. */
  readonly hold?: { readonly conversationKey: number; readonly untilMs: number } | null;
}

export interface DestinationHealthRules {
  /** From the opening of a circuit to its first probe. */
  readonly firstProbeMs: number;
  /** From the first failure after the last success. */
  readonly disableAfterMs: number;
}

export interface FailedBatch {
  readonly failed: readonly FailedAttempt[];
  readonly rules: DestinationHealthRules;
}

export interface FailedSettlement {
  /** Advanced on their schedule: retrying or exhausted. */
  readonly movedIds: ReadonlySet<number>;
  /** Of `movedIds`: retrying, and their workflow must be started. */
  readonly promotedIds: ReadonlySet<number>;
  /** Failed without advancing; they wait for the circuit. */
  readonly waitingIds: ReadonlySet<number>;
  /** Their workflow must be signalled. */
  readonly failingDestinationIds: readonly number[];
  readonly disabledDestinationIds: readonly number[];
  /** Destinations that another transaction has locked. Their attempts are not recorded. */
  readonly lockedIds: ReadonlySet<number>;
}

interface SettledRow {
  id: number;
  what: 'moved' | 'promoted' | 'waiting' | 'failing' | 'disabled' | 'left_out';
}

/**
 * Applies what `whatNext` decided. A destination's first counted failures in a row enter the retry schedule, and the
 * last of them opens its circuit; later ones wait. Every attempt is logged, but a delivery keeps its state if another
 * process changed it or the fence is outdated.
 */
export async function settleFailed(
  pool: HotPool,
  { failed, rules }: FailedBatch,
  { waits = true }: Pick<RecordOptions, 'waits'> = {},
): Promise<FailedSettlement> {
  const ordered = failed.toSorted((a, b) => a.deliveryId - b.deliveryId);
  const values = {
    ...attempts.values(ordered),
    retriedIds: ordered
      .filter(({ after }) => after.countsForCircuit === 'unless_accepted')
      .map((one) => one.deliveryId),
    waits,
    ...rules,
  };
  const { rows } = failed.length === 0 ? { rows: [] } : await pool.query<SettledRow>(statement(values));
  const idsOf = (...what: SettledRow['what'][]): number[] =>
    rows.filter((row) => what.includes(row.what)).map(({ id }) => id);
  return {
    movedIds: new Set(idsOf('moved', 'promoted')),
    promotedIds: new Set(idsOf('promoted')),
    waitingIds: new Set(idsOf('waiting')),
    failingDestinationIds: idsOf('failing', 'disabled'),
    disabledDestinationIds: idsOf('disabled'),
    lockedIds: new Set(idsOf('left_out')),
  };
}

const statusBefore: Readonly<Record<AttemptKind, DeliveryStatus | null>> = {
  first: 'pending',
  short: 'pending',
  scheduled: 'retrying',
  probe: null,
};
const toDate = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));

const attempts = attemptParameters<FailedAttempt>({
  shard: { type: 'smallint', of: ({ lease }) => lease?.shard ?? null },
  fence: { type: 'bigint', of: ({ lease }) => lease?.fence ?? null },
  kind: { type: 'text', of: ({ kind }) => kind },
  status_before: { type: 'text', of: ({ kind }) => statusBefore[kind] },
  next: { type: 'text', of: ({ after }) => after.next },
  next_attempt_at: { type: 'timestamptz', of: ({ after }) => toDate(after.nextAttemptAtMs) },
  pause_ms: { type: 'int', of: ({ after }) => after.pauseMs },
  by_pump: { type: 'boolean', of: ({ after }) => after.next === 'retry' && after.by === 'pump' },
  succeeded_at_ms: { type: 'bigint', of: ({ succeededAtMs }) => succeededAtMs ?? null },
  counts: { type: 'text', of: ({ after }) => after.countsForCircuit },
  may_be_gone: { type: 'boolean', of: ({ after }) => after.mayBeGone },
  conversation_key: { type: 'bigint', of: ({ hold }) => hold?.conversationKey ?? null },
  until_at: { type: 'timestamptz', of: ({ hold }) => toDate(hold?.untilMs ?? null) },
});

/**
 * Whether the previous attempt was also answered with `GONE_STATUS`. A 2xx in between, a new URL or re-enabling voids
 * it.
 */
const goneConfirmedSql = `exists (
      select from attempts before
      where before.delivery_id = any (:id::bigint[]) and before.delivery_id + 0 = s.id and before.number = s.number - 1 and before.status = ${GONE_STATUS}
        and before.started_at >= l.standing_since
        and (l.last_delivered_at is null or before.started_at >= l.last_delivered_at)
        and (st.succeeded_at is null or before.started_at >= st.succeeded_at))`;

/** A worker whose clock was ahead has stored a later time, which must not hide failures until then. */
const lastDeliveredSql = `case when l.last_delivered_at < now() + interval '10 seconds' then l.last_delivered_at end`;

/**
 * No partition may be chosen while the statement runs, hence `+ 0` and the literal statuses: when PostgreSQL 18 repeats
 * a plan for a row that it waited for, it frees what the choice needs, and the server crashes.
 *
 * `valid` holds failures of rows that are still as they were, under the lease of their pump. `began` is the attempt with which the
 * delivery entered its schedule. All deliveries of a request count if the first one does. The rules of a destination are here and nowhere else, because they need its lock.
 */
const rulesSql = `
standing as materialized (
  select l.id, ${recentAcceptedSql} as accepted, ${recentFailedSql} as failed, ${failuresToOpenSql} as failures_to_open,
    greatest(${lastDeliveredSql}, s.succeeded_at) as succeeded_at,
    case when l.consecutive_since < greatest(${lastDeliveredSql}, s.succeeded_at) then 0
         else l.consecutive_failures end as failures_before
  from locked l
  join (select destination_id, to_timestamp(max(succeeded_at_ms) / 1000.0) as succeeded_at from settled group by 1) s
    on s.destination_id = l.id
),
earlier as materialized (
  select delivery_id, number, started_at + duration_ms * interval '1 millisecond' as ended_at
  from attempts where delivery_id = any (:retriedIds::bigint[])
),
owned as materialized (
  select s.*, ${requestIdSql('s')} as request_id, to_timestamp((s.started_at_ms + s.duration_ms) / 1000.0) as failed_at,
    case s.counts
      when 'always' then coalesce(to_timestamp((s.started_at_ms + s.duration_ms) / 1000.0) >= st.succeeded_at, true)
      when 'unless_accepted' then began.ended_at is not null and coalesce(began.ended_at >= st.succeeded_at, true)
      else false end as in_row,
    st.failures_before, st.failures_to_open, l.circuit, s.may_be_gone and ${goneConfirmedSql} as is_gone
  from settled s
  join locked l on l.id = s.destination_id
  join standing st on st.id = l.id
  join deliveries d on d.id + 0 = s.id
  left join earlier began on began.delivery_id = s.id and began.number = s.number - d.failed_in_schedule
  where d.id = any (:id::bigint[]) and coalesce(d.status = s.status_before, true) and d.attempt_count = s.number - 1
    and (s.fence is null or ${underFenceSql('s')})
),
judged as materialized (
  select o.*, o.circuit = 'closed' and o.next <> 'wait' and (not o.in_row
    or o.failures_before + count(*) filter (where o.in_row) over (partition by o.destination_id order by o.failed_at, o.id)
      <= o.failures_to_open) as may_count
  from owned o
),
counted as materialized (
  select j.*, j.may_count
    and coalesce(bool_and(j.may_count) filter (where j.id = j.request_id) over (partition by j.request_id), true) as is_counted
  from judged j
),
valid as materialized (
  select c.*, c.is_counted and c.next = 'retry' and not c.by_pump
    and row_number() over (partition by c.destination_id, c.is_counted and c.next = 'retry' and not c.by_pump order by c.id)
      + (select count(*) from (
          select from deliveries w
          where w.destination_id = c.destination_id and w.status = 'retrying' and not w.pump_retries
            and c.is_counted and c.next = 'retry' and not c.by_pump and c.status_before = 'pending'
          limit ${MAX_WORKFLOWS_PER_DESTINATION}) workflows)
      <= ${MAX_WORKFLOWS_PER_DESTINATION} as is_promoted
  from counted c
),
${moveDeliveriesSql({
  source: 'valid v',
  id: 'v.id',
  transition: [
    { transition: 'wait', when: 'not v.is_counted' },
    { transition: 'exhaust', when: "v.next = 'exhaust'" },
    { transition: 'retry' },
  ],
  where: `d.status in ('pending', 'retrying') and d.id = any (:id::bigint[]) and coalesce(d.status = v.status_before, true) and d.attempt_count = v.number - 1`,
  nextAttemptAt: 'v.next_attempt_at',
  pumpRetries: 'not v.is_promoted',
  set: 'attempt_count = v.number, failed_in_schedule = d.failed_in_schedule + v.is_counted::int',
  returning: 'v.is_counted, v.is_promoted',
  notify: 'released',
})},
held as (
  insert into conversation_holds (channel_id, destination_id, conversation_key, delivery_id, until_at)
  select v.channel_id, m.destination_id, m.conversation_key, v.id, v.until_at -- a new URL may have given it another destination
  from moved m join valid v using (id)
  where m.is_counted and v.next = 'retry' and v.conversation_key is not null
  on conflict (destination_id, conversation_key, delivery_id) do update
    set until_at = excluded.until_at, channel_id = excluded.channel_id
),
tally as (
  select destination_id, count(*) filter (where in_row) as row_count, min(failed_at) filter (where in_row) as row_since,
    count(*) filter (where counts = 'always' and not in_row) as earlier_count,
    min(request_id) as first_id, max(request_id) as last_id, to_timestamp(min(started_at_ms) / 1000.0) as first_at,
    max(pause_ms) filter (where kind <> 'probe') as pause_ms, max(pause_ms) filter (where kind = 'probe') as probe_ms,
    count(*) filter (where is_counted and next = 'exhaust') as exhausted_count, bool_or(is_gone) as is_gone
  from valid group by destination_id
),
compared as (
  select l.id, l.enabled, l.circuit, l.failing_since, l.standing_since, t.*, latest.ended_at, st.accepted,
    st.failed + coalesce(t.earlier_count, 0) as failed, st.failures_to_open, st.failures_before,
    st.failures_before + coalesce(t.row_count, 0) as failures_in_row,
    t.destination_id is not null as has_failed,
    l.failed_several or t.first_id <> t.last_id or coalesce(t.last_id <> l.failing_delivery_id, false) as is_several
  from locked l
  join latest on latest.destination_id = l.id
  join standing st on st.id = l.id
  left join tally t on t.destination_id = l.id
),
verdict as materialized (
  select c.*,
    c.has_failed and c.enabled and c.circuit = 'closed' and (c.pause_ms is not null
      or c.row_count > 0 and (c.failures_in_row >= c.failures_to_open
        or ${mostlyFailsSql('(c.failed + c.failures_in_row)', 'c.accepted')})) as opens,
    case when not c.has_failed or not c.enabled then null
         when c.is_gone then 'gone'
         when c.is_several and c.failing_since < now() - :disableAfterMs * interval '1 millisecond' then 'failing'
         end as disabled_as
  from compared c
),
touched as (
  update destinations dest
  set last_failure_at = greatest(dest.last_failure_at, v.ended_at),
    consecutive_failures = v.failures_in_row,
    consecutive_since = case when v.failures_before = 0 then v.row_since else dest.consecutive_since end,
    recent_accepted = v.accepted, recent_failed = v.failed, recent_at = now(),
    failing_since = coalesce(dest.failing_since, v.first_at),
    failing_delivery_id = coalesce(dest.failing_delivery_id, v.first_id),
    ${countExhaustedSql('coalesce(v.exhausted_count, 0)').trim()},
    failed_several = case when v.has_failed then v.is_several else dest.failed_several end,
    enabled = dest.enabled and v.disabled_as is null,
    disabled_reason = coalesce(v.disabled_as, dest.disabled_reason),
    circuit = case when v.disabled_as is not null then 'closed' when v.opens then 'open' else dest.circuit end,
    circuit_reason = case when v.disabled_as is not null then null
      when v.opens and v.pause_ms is not null then 'retry_after'
      when v.opens then 'failures' else dest.circuit_reason end,
    circuit_opened_at = case when v.disabled_as is not null then null when v.opens then now() else dest.circuit_opened_at end,
    circuit_probe_at = case when v.disabled_as is not null then null
      when v.opens then now() + coalesce(v.pause_ms, :firstProbeMs) * interval '1 millisecond'
      when dest.circuit = 'closed' or not v.has_failed then dest.circuit_probe_at
      when v.probe_ms is null then greatest(dest.circuit_probe_at, now() + coalesce(v.pause_ms, 0) * interval '1 millisecond')
      when v.first_at < dest.standing_since then dest.circuit_probe_at
      else now() + v.probe_ms * interval '1 millisecond' end
  from verdict v
  where dest.id = v.id
)
select id, case when is_promoted then 'promoted' when is_counted then 'moved' else 'waiting' end as what from moved where ${isNotified}
union all
select id, case when disabled_as is not null then 'disabled' else 'failing' end from verdict
where opens or disabled_as is not null
union all
select id, 'left_out' from left_out
`;

const statement = namedStatement<Record<string, unknown>>(
  'settle-failed',
  `
${attempts.sql} do nothing
),
${rulesSql}`,
);
