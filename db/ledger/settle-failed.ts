import { type AfterFailure, type AttemptKind, GONE_STATUS } from '../../contract/deliveries/what-next.ts';
import type { DeliveryStatus } from '../../contract/deliveries/status.ts';
import { FAILURES_TO_OPEN } from '../../contract/destinations/circuit.ts';
import type { HotPool } from '../core/hot-pool.ts';
import { namedStatement } from '../core/named-statement.ts';
import { type AttemptResult, attemptParameters } from './attempts.ts';
import { underFenceSql } from './hand-over.ts';
import { isNotified, moveDeliveriesSql } from './transitions/move-deliveries-sql.ts';

export interface FailedAttempt extends AttemptResult {
  readonly kind: AttemptKind;
  readonly after: AfterFailure;
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
  /** Null for attempts that no pump made. */
  readonly lease: { readonly shard: number; readonly fence: number } | null;
  readonly failed: readonly FailedAttempt[];
  readonly rules: DestinationHealthRules;
}

export interface FailedSettlement {
  /** Advanced on their schedule: retrying or exhausted. */
  readonly movedIds: ReadonlySet<number>;
  /** Failed without advancing; they wait for the circuit. */
  readonly waitingIds: ReadonlySet<number>;
  /** Their workflow must be signalled. */
  readonly failingDestinationIds: readonly number[];
  readonly disabledDestinationIds: readonly number[];
}

interface SettledRow {
  id: number;
  what: 'moved' | 'waiting' | 'failing' | 'disabled';
}

/**
 * Applies what `whatNext` decided. A destination's first consecutive failures enter the retry schedule, and the last of
 * them opens its circuit; later ones wait. Every attempt is logged, but a delivery keeps its state if another process
 * changed it or the fence is outdated.
 */
export async function settleFailed(pool: HotPool, { lease, failed, rules }: FailedBatch): Promise<FailedSettlement> {
  const ordered = failed.toSorted((a, b) => a.deliveryId - b.deliveryId);
  const values = {
    ...attempts.values(ordered),
    shard: lease?.shard ?? null,
    fence: lease?.fence ?? null,
    ...rules,
    failuresToOpen: FAILURES_TO_OPEN,
  };
  const { rows } = failed.length === 0 ? { rows: [] } : await pool.query<SettledRow>(statement(values));
  const idsOf = (...what: SettledRow['what'][]): number[] =>
    rows.filter((row) => what.includes(row.what)).map(({ id }) => id);
  return {
    movedIds: new Set(idsOf('moved')),
    waitingIds: new Set(idsOf('waiting')),
    failingDestinationIds: idsOf('failing', 'disabled'),
    disabledDestinationIds: idsOf('disabled'),
  };
}

const statusBefore: Readonly<Record<AttemptKind, DeliveryStatus | null>> = {
  pumped: 'pending',
  scheduled: 'retrying',
  probe: null,
};
const toDate = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));

const attempts = attemptParameters<FailedAttempt>({
  kind: { type: 'text', of: ({ kind }) => kind },
  status_before: { type: 'text', of: ({ kind }) => statusBefore[kind] },
  next: { type: 'text', of: ({ after }) => after.next },
  next_attempt_at: { type: 'timestamptz', of: ({ after }) => toDate(after.nextAttemptAtMs) },
  pause_ms: { type: 'int', of: ({ after }) => after.pauseMs },
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
      where before.delivery_id = s.id and before.number = s.number - 1 and before.status = ${GONE_STATUS}
        and before.started_at >= l.standing_since
        and (l.last_delivered_at is null or before.started_at >= l.last_delivered_at))`;

/**
 * `valid` holds failures of rows that are still as they were, under this lease. The rules of a destination are here and
 * nowhere else, because they need its lock.
 */
const statement = namedStatement<Record<string, unknown>>(
  'settle-failed',
  `
${attempts.sql} do nothing
),
valid as materialized (
  select s.*,
    l.circuit = 'closed' and s.next <> 'wait' and (s.kind <> 'pumped'
      or l.consecutive_failures + row_number() over (partition by l.id order by s.id) <= :failuresToOpen) as is_counted,
    s.may_be_gone and ${goneConfirmedSql} as is_gone
  from settled s
  join locked l on l.id = s.destination_id
  join deliveries d on d.id = s.id
  where d.id = any (:id::bigint[]) and coalesce(d.status = s.status_before, true) and d.attempt_count = s.number - 1
    and (:fence::bigint is null or ${underFenceSql({ shard: ':shard', fence: ':fence::bigint' })})
),
${moveDeliveriesSql({
  source: 'valid v',
  id: 'v.id',
  transition: [
    { transition: 'wait', when: 'not v.is_counted' },
    { transition: 'exhaust', when: "v.next = 'exhaust'" },
    { transition: 'retry' },
  ],
  where: `d.id = any (:id::bigint[]) and coalesce(d.status = v.status_before, true) and d.attempt_count = v.number - 1`,
  nextAttemptAt: 'v.next_attempt_at',
  set: 'attempt_count = v.number, failed_in_schedule = d.failed_in_schedule + v.is_counted::int',
  returning: 'v.is_counted',
  notify: 'released',
})},
held as (
  insert into conversation_holds (destination_id, conversation_key, delivery_id, until_at)
  select v.destination_id, v.conversation_key, v.id, v.until_at
  from moved m join valid v using (id)
  where m.is_counted and v.next = 'retry' and v.conversation_key is not null
  on conflict (destination_id, conversation_key, delivery_id) do update set until_at = excluded.until_at
),
tally as (
  select destination_id, count(*) filter (where kind = 'pumped') as pumped_count,
    min(id) as first_id, max(id) as last_id, to_timestamp(min(started_at_ms) / 1000.0) as first_at,
    max(pause_ms) filter (where kind <> 'probe') as pause_ms, max(pause_ms) filter (where kind = 'probe') as probe_ms,
    bool_or(is_gone) as is_gone
  from valid group by destination_id
),
compared as (
  select l.id, l.enabled, l.circuit, l.consecutive_failures, l.failing_since, l.standing_since, t.*, latest.ended_at,
    t.destination_id is not null as has_failed,
    l.failed_several or t.first_id <> t.last_id or coalesce(t.last_id <> l.failing_delivery_id, false) as is_several
  from locked l
  join latest on latest.destination_id = l.id
  left join tally t on t.destination_id = l.id
),
verdict as materialized (
  select c.*,
    c.has_failed and c.enabled and c.circuit = 'closed' and (c.pause_ms is not null
      or c.pumped_count > 0 and c.consecutive_failures + c.pumped_count >= :failuresToOpen) as opens,
    case when not c.has_failed or not c.enabled then null
         when c.is_gone then 'gone'
         when c.is_several and c.failing_since < now() - :disableAfterMs * interval '1 millisecond' then 'failing'
         end as disabled_as
  from compared c
),
touched as (
  update destinations dest
  set last_failure_at = greatest(dest.last_failure_at, v.ended_at),
    consecutive_failures = dest.consecutive_failures + coalesce(v.pumped_count, 0),
    failing_since = coalesce(dest.failing_since, v.first_at),
    failing_delivery_id = coalesce(dest.failing_delivery_id, v.first_id),
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
select id, case when is_counted then 'moved' else 'waiting' end as what from moved where ${isNotified}
union all
select id, case when disabled_as is not null then 'disabled' else 'failing' end from verdict
where opens or disabled_as is not null
`,
);
