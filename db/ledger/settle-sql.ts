import { goneConfirmedSql } from './destinations/gone-confirmed-sql.ts';
import { underFenceSql } from './hand-over.ts';

/**
 * Locks destinations, then deliveries, each in id order: the two settlers of a pump, and an old and a new pump, write
 * the same rows. Counting `locked` makes the other parts wait for the locks.
 */
const settledCtes = `
with locked as materialized (
  select * from destinations where id = any ($2::bigint[]) order by id for no key update
),
settled as materialized (
  select s.* from unnest($1::bigint[], $2::bigint[], $3::int[], $4::bigint[], $5::int[], $6::text[], $7::smallint[],
    $8::jsonb[], $9::text[], $10::int[], $11::int[], $13::text[])
    as s (id, destination_id, number, started_at_ms, duration_ms, outcome, http_status, headers, error, body_at, body_length,
      body_key_id)
  where (select count(*) from locked) >= 0
),
latest as (
  select destination_id, to_timestamp(max(started_at_ms + duration_ms) / 1000.0) as ended_at,
    to_timestamp(max(started_at_ms) / 1000.0) as started_at
  from settled group by destination_id
),
logged as (
  insert into attempts
    (delivery_id, number, started_at, duration_ms, outcome, status, response_headers, response_body,
      response_body_key_id, error)
  select id, number, to_timestamp(started_at_ms / 1000.0), duration_ms, outcome, http_status, headers,
    substring($12::bytea from body_at for body_length), body_key_id, error
  from settled
  on conflict (delivery_id, number)`;

/**
 * Overwrites a failure that another pump logged for the same attempt. When a circuit closes, due heads hold their
 * conversations for at least 30 seconds, so that they are sent first. A circuit open for less than a second starts no
 * recovery ramp.
 */
export const acceptedSql = `
${settledCtes} do update set started_at = excluded.started_at, duration_ms = excluded.duration_ms,
    outcome = excluded.outcome, status = excluded.status, response_headers = excluded.response_headers,
    response_body = excluded.response_body, response_body_key_id = excluded.response_body_key_id, error = excluded.error
  where attempts.outcome <> 'accepted'
),
moved as (
  update deliveries d
  set status = 'delivered', attempt_count = greatest(d.attempt_count, s.number), next_attempt_at = null,
    skip_reason = null, xid = pg_current_xact_id()
  from settled s
  where d.id = any ($1::bigint[]) and d.id = s.id and d.status <> 'delivered'
),
verdict as materialized (
  select l.id, latest.ended_at,
    l.circuit = 'open' and (l.circuit_reason = 'failures' or latest.started_at >= l.circuit_opened_at or $14) as closes,
    l.circuit_opened_at < now() - interval '1 second' as was_away
  from locked l join latest on latest.destination_id = l.id
),
touched as (
  update destinations dest
  set last_delivered_at = greatest(dest.last_delivered_at, v.ended_at), consecutive_failures = 0, failing_since = null,
    failing_delivery_id = null, failed_several = false,
    circuit = case when v.closes then 'closed' else dest.circuit end,
    circuit_reason = case when not v.closes then dest.circuit_reason end,
    circuit_opened_at = case when not v.closes then dest.circuit_opened_at end,
    circuit_probe_at = case when not v.closes then dest.circuit_probe_at end,
    circuit_closed_at = case when v.closes and v.was_away then now() else dest.circuit_closed_at end
  from verdict v
  where dest.id = v.id
),
closed as materialized (
  select l.id, l.shard, v.was_away from verdict v join locked l using (id) where v.closes
),
held as (
  update conversation_holds h set until_at = greatest(h.until_at, now() + interval '30 seconds')
  from closed, deliveries d
  where closed.was_away and h.destination_id = closed.id
    and d.id = h.delivery_id and d.status = 'retrying' and d.next_attempt_at <= now()
)
select id, pg_notify('deliveries', shard::text) from closed
`;

/**
 * `valid` holds failures of rows still pending under this lease. Promotes a destination's first consecutive failures,
 * none while its circuit is open. A first attempt whose response requests a pause is not promoted.
 */
export const failedSql = `
${settledCtes} do nothing
),
plan as (
  select * from unnest($1::bigint[], $14::timestamptz[], $15::bigint[], $16::timestamptz[], $19::int[])
    as p (id, next_attempt_at, conversation_key, until_at, pause_ms)
),
valid as materialized (
  select s.id, s.destination_id, s.number, s.started_at_ms, p.next_attempt_at, p.conversation_key, p.until_at, p.pause_ms,
    l.circuit = 'closed' and (p.pause_ms is null or s.number > 1)
      and l.consecutive_failures + row_number() over (partition by l.id order by s.id) <= $22 as promoted,
    coalesce(s.http_status = 410 and ${goneConfirmedSql}, false) as gone
  from settled s
  join plan p using (id)
  join locked l on l.id = s.destination_id
  join deliveries d on d.id = s.id
  where d.id = any ($1::bigint[]) and d.status = 'pending' and d.attempt_count = s.number - 1
    and ${underFenceSql({ shard: '$17', fence: '$18' })}
),
moved as (
  update deliveries d
  set status = case when not v.promoted then 'pending' when v.next_attempt_at is null then 'exhausted' else 'retrying' end,
    attempt_count = v.number, failed_in_schedule = d.failed_in_schedule + v.promoted::int,
    next_attempt_at = case when v.promoted then v.next_attempt_at end, xid = pg_current_xact_id()
  from valid v
  where d.id = any ($1::bigint[]) and d.id = v.id and d.status = 'pending' and d.attempt_count = v.number - 1
  returning d.id, v.promoted
),
held as (
  insert into conversation_holds (destination_id, conversation_key, delivery_id, until_at)
  select v.destination_id, v.conversation_key, v.id, v.until_at
  from moved m join valid v using (id)
  where m.promoted and v.conversation_key is not null and v.next_attempt_at is not null
  on conflict (destination_id, conversation_key, delivery_id) do update set until_at = excluded.until_at
),
tally as (
  select destination_id, count(*)::int as failed, min(id) as first_id, max(pause_ms) as pause_ms, bool_or(gone) as gone,
    to_timestamp(min(started_at_ms) / 1000.0) as first_at, max(id) as last_id
  from valid group by destination_id
),
verdict as materialized (
  select l.id, t.*, latest.ended_at,
    l.circuit = 'closed' and (t.pause_ms is not null or l.consecutive_failures + t.failed >= $22) as opens,
    l.failed_several or t.first_id <> t.last_id or t.last_id <> l.failing_delivery_id as several,
    case when not l.enabled then null when t.gone then 'gone'
         when l.failing_since < now() - $21 * interval '1 millisecond'
           and (l.failed_several or t.first_id <> t.last_id or t.last_id <> l.failing_delivery_id) then 'failing'
         end as disabled_as
  from locked l
  join latest on latest.destination_id = l.id
  left join tally t on t.destination_id = l.id
),
touched as (
  update destinations dest
  set last_failure_at = v.ended_at,
    consecutive_failures = dest.consecutive_failures + coalesce(v.failed, 0),
    failing_since = coalesce(dest.failing_since, v.first_at),
    failing_delivery_id = coalesce(dest.failing_delivery_id, v.first_id),
    failed_several = coalesce(v.several, dest.failed_several),
    enabled = dest.enabled and v.disabled_as is null,
    disabled_reason = coalesce(v.disabled_as, dest.disabled_reason),
    circuit = case when v.disabled_as is not null then 'closed' when v.opens then 'open' else dest.circuit end,
    circuit_reason = case when v.disabled_as is not null then null
      when v.opens and v.pause_ms is not null then 'retry_after'
      when v.opens then 'failures' else dest.circuit_reason end,
    circuit_opened_at = case when v.disabled_as is not null then null when v.opens then now() else dest.circuit_opened_at end,
    circuit_probe_at = case when v.disabled_as is not null then null
      when v.opens then now() + coalesce(v.pause_ms, $20) * interval '1 millisecond'
      when dest.circuit = 'open' and v.failed > 0
        then greatest(dest.circuit_probe_at, now() + coalesce(v.pause_ms, 0) * interval '1 millisecond')
      else dest.circuit_probe_at end
  from verdict v
  where dest.id = v.id
)
select id, case when promoted then 'moved' else 'waiting' end as what from moved
union all
select id, 'troubled' from verdict where opens or disabled_as is not null
`;
