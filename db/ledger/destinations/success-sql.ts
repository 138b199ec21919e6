import { recentAcceptedSql, recentFailedSql } from './failure-counts-sql.ts';

/**
 * Builds `verdict` and `touched`: what accepted attempts mean for their destination, from `locked` and `latest`. Failures
 * that began later stay in a row.
 *
 * @param closesSql Whether the circuit closes, over the destination `l` and `latest`.
 */
export const successSql = (closesSql: string): string => `verdict as materialized (
  select l.id, latest.ended_at, ${closesSql} as closes,
    l.circuit_opened_at < now() - interval '1 second' as was_away, row.is_later,
    ${recentAcceptedSql} + latest.count as accepted,
    ${recentFailedSql} + case when row.is_later then 0 else l.consecutive_failures end as failed
  from locked l join latest on latest.destination_id = l.id
  cross join lateral (select coalesce(l.consecutive_since > latest.ended_at, false) as is_later) row
),
touched as (
  update destinations dest
  set last_delivered_at = greatest(dest.last_delivered_at, v.ended_at), failing_since = null,
    failing_delivery_id = null, failed_several = false,
    consecutive_failures = case when v.is_later then dest.consecutive_failures else 0 end,
    consecutive_since = case when v.is_later then dest.consecutive_since end,
    recent_accepted = v.accepted, recent_failed = v.failed, recent_at = now(),
    circuit = case when v.closes then 'closed' else dest.circuit end,
    circuit_reason = case when not v.closes then dest.circuit_reason end,
    circuit_opened_at = case when not v.closes then dest.circuit_opened_at end,
    circuit_probe_at = case when not v.closes then dest.circuit_probe_at end,
    circuit_closed_at = case when v.closes and v.was_away then now() else dest.circuit_closed_at end
  from verdict v
  where dest.id = v.id
)`;
