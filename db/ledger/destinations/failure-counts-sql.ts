import {
  FAILURES_TO_OPEN,
  MAX_FAILURES_TO_OPEN,
  OPEN_MIN_ATTEMPTS,
  OPEN_SHARE,
  RECENT_MS,
  UNLIKELY,
} from '../../../contract/destinations/circuit.ts';

/** SQL over a locked destination `l`. See `contract/destinations/circuit.ts`. */

/** Bounds the exponent of one step. The clock of a new primary can be behind that of the last one. */
const MAX_AGES = 50;
const agesSql = `least(greatest(extract(epoch from now() - coalesce(l.recent_at, now()))::float8 * ${1_000 / RECENT_MS}, 0), ${MAX_AGES})`;

/**
 * Counts are whole millionths of an attempt, so that they end at zero. Otherwise each settlement would multiply them again
 * until their type has no smaller number, and PostgreSQL would refuse every settlement of the destination.
 */
const COUNTED_PARTS = 1_000_000;
const decayed = (column: string): string => `
    (floor(l.${column} * exp(-${agesSql}) * ${COUNTED_PARTS}) / ${COUNTED_PARTS})`;

export const recentAcceptedSql = decayed('recent_accepted');
export const recentFailedSql = decayed('recent_failed');

/** How many failures in a row open the circuit. */
export const failuresToOpenSql = `
    case when ${recentAcceptedSql} + ${recentFailedSql} < 1 then ${FAILURES_TO_OPEN} else
      least(${MAX_FAILURES_TO_OPEN}, greatest(${FAILURES_TO_OPEN}, ceil(${Math.log(UNLIKELY)}
        / ln((${recentFailedSql} + 1) / (${recentAcceptedSql} + ${recentFailedSql} + 2))))) end`;

export const mostlyFailsSql = (failed: string, accepted: string): string =>
  `(${failed} + ${accepted} >= ${OPEN_MIN_ATTEMPTS} and ${failed} >= ${OPEN_SHARE} * (${failed} + ${accepted}))`;

const lockSql = (condition: string): string =>
  `select * from destinations where ${condition} and id = any (:destination_id::bigint[]) order by id for no key update`;

/**
 * Locks the destinations in id order, as all who record attempts do. Without `:waits`, those that another transaction has
 * locked are left out.
 */
export const locksSql = `awaited as materialized (${lockSql(':waits::boolean')}),
unlocked as materialized (${lockSql('not :waits::boolean')} skip locked),
locked as materialized (select * from awaited union all select * from unlocked),
left_out as materialized (
  select id from destinations
  where not :waits::boolean and id = any (:destination_id::bigint[]) and id not in (select id from locked)
)`;

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

/**
 * Whether exhausted deliveries of a destination still need attention: within an hour, or within a day unless the
 * destination has accepted a delivery since. SQL over a destination.
 */
export const exhaustedLastsSql = (
  destination: string,
): string => `(${destination}.last_exhausted_at > now() - interval '24 hours'
  and (${destination}.last_exhausted_at > now() - interval '1 hour'
    or coalesce(${destination}.last_delivered_at < ${destination}.last_exhausted_at, true)))`;

/** Assignments to a destination `dest`. The count starts again after a quiet time. */
export const countExhaustedSql = (count: string): string => `
    exhausted_count = case when ${count} > 0
      then ${count} + case when ${exhaustedLastsSql('dest')} then dest.exhausted_count else 0 end
      else dest.exhausted_count end,
    last_exhausted_at = case when ${count} > 0 then now() else dest.last_exhausted_at end`;

/** Counts the exhausted deliveries of `moved`. The destinations must be locked before their deliveries. */
export const exhaustedSql = `
exhausted as (
  update destinations dest set ${countExhaustedSql('m.count')}
  from (select destination_id, count(*) as count from moved where status = 'exhausted' group by 1) m
  where dest.id = m.destination_id
)`;
