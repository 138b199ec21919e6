import { goneConfirmedSql } from './destinations/gone-confirmed-sql.ts';
import type { HotPool } from '../core/hot-pool.ts';
import type { Attempt, DestinationHealthRules } from './settle.ts';

export interface SingleFailure {
  readonly id: number;
  readonly destinationId: number;
  readonly attempt: Attempt;
  /** A scheduled attempt counts while the circuit is closed; a probe never counts. */
  readonly kind: 'scheduled' | 'probe';
  /** Null if exhausted. */
  readonly nextAttemptAtMs: number | null;
  /** The requested pause or, after a probe, the wait until the next one. */
  readonly pauseMs: number | null;
  readonly rules: Pick<DestinationHealthRules, 'disableAfterMs'>;
}

export interface RecordedFailure {
  /** False if the attempt was already recorded or the delivery has ended. */
  readonly isMoved: boolean;
  readonly isCounted: boolean;
  /** The destination's workflow must be signalled. */
  readonly isTroubled: boolean;
  readonly isDisabled: boolean;
}

export async function recordSingleFailure(pool: HotPool, failure: SingleFailure): Promise<RecordedFailure> {
  const { id, destinationId, attempt, kind, nextAttemptAtMs, pauseMs, rules } = failure;
  const { rows } = await pool.query<RecordedFailure>({
    name: 'single-failure',
    text: failedSql,
    values: [
      id,
      attempt.number,
      attempt.startedAtMs,
      attempt.durationMs,
      attempt.outcome,
      attempt.status,
      attempt.responseHeaders && JSON.stringify(attempt.responseHeaders),
      attempt.responseBody === null ? null : Buffer.from(attempt.responseBody),
      attempt.error,
      nextAttemptAtMs === null ? null : new Date(nextAttemptAtMs),
      destinationId,
      kind === 'scheduled',
      pauseMs,
      rules.disableAfterMs,
      attempt.responseBodyKeyId ?? null,
    ],
  });
  return rows[0] ?? { isMoved: false, isCounted: false, isTroubled: false, isDisabled: false };
}

/** Locks the destination before the delivery. */
const failedSql = `
with l as materialized (
  select * from destinations where id = $11 for no key update
),
s as (
  select $1::bigint as id, $2::int as number, to_timestamp($3::bigint / 1000.0) as started_at,
    to_timestamp(($3::bigint + $4::int) / 1000.0) as ended_at, $12::boolean and l.circuit = 'closed' as counts
  from l
),
logged as (
  insert into attempts
    (delivery_id, number, started_at, duration_ms, outcome, status, response_headers, response_body, error,
      response_body_key_id)
  select id, number, started_at, $4, $5, $6::smallint, $7::jsonb, $8, $9, $15::text from s
  on conflict (delivery_id, number) do nothing
),
moved as (
  update deliveries d
  set status = case when s.counts and $10::timestamptz is null then 'exhausted' else d.status end,
    attempt_count = s.number, failed_in_schedule = d.failed_in_schedule + s.counts::int,
    next_attempt_at = case when s.counts then $10::timestamptz else d.next_attempt_at end, xid = pg_current_xact_id()
  from s
  where d.id = $1 and (d.status = 'retrying' or (d.status = 'pending' and not $12)) and d.attempt_count = s.number - 1
  returning d.id
),
verdict as materialized (
  select l.id, s.ended_at, s.counts, s.started_at,
    l.failed_several or coalesce(l.failing_delivery_id <> s.id, false) as several,
    case when not l.enabled then null
         when $6 = 410 and ${goneConfirmedSql} then 'gone'
         when l.failing_since < now() - $14 * interval '1 millisecond'
           and (l.failed_several or l.failing_delivery_id <> s.id) then 'failing' end as disabled_as,
    l.enabled and l.circuit = 'closed' and $12 and $13::int is not null as opens
  from l, s, moved
),
touched as (
  update destinations dest
  set last_failure_at = v.ended_at, failing_since = coalesce(dest.failing_since, v.started_at),
    failing_delivery_id = coalesce(dest.failing_delivery_id, $1), failed_several = v.several,
    enabled = dest.enabled and v.disabled_as is null, disabled_reason = coalesce(v.disabled_as, dest.disabled_reason),
    circuit = case when v.disabled_as is not null then 'closed' when v.opens then 'open' else dest.circuit end,
    circuit_reason = case when v.disabled_as is not null then null when v.opens then 'retry_after' else dest.circuit_reason end,
    circuit_opened_at = case when v.disabled_as is not null then null when v.opens then now() else dest.circuit_opened_at end,
    circuit_probe_at = case when v.disabled_as is not null then null
      when v.opens then now() + $13 * interval '1 millisecond'
      when dest.circuit = 'open' and not $12 and v.started_at < dest.standing_since then dest.circuit_probe_at
      when dest.circuit = 'open' and not $12 then now() + $13 * interval '1 millisecond'
      when dest.circuit = 'open' then greatest(dest.circuit_probe_at, now() + coalesce($13, 0) * interval '1 millisecond')
      else dest.circuit_probe_at end
  from verdict v
  where dest.id = v.id
)
select true as "isMoved", counts as "isCounted", opens or disabled_as is not null as "isTroubled",
  disabled_as is not null as "isDisabled"
from verdict`;
