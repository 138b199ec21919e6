/**
 * A destination is overdue if its oldest delivery has waited for two minutes although nothing holds it back. Deliveries
 * behind an open circuit or a held conversation wait by design, as do those of a listener and of a destination with a
 * rate. The window of a debounced destination does not count.
 *
 * The lowest id is a destination's oldest delivery, except after a restart.
 */
const LASTS = `interval '2 minutes'`;

/** Since when the oldest delivery waits. Null unless the destination is overdue. SQL over a destination with this alias. */
export const overdueSinceSql = (destination: string): string => `(
  select oldest.since from (
    select coalesce(x.restarted_at, x.created_at)
      + coalesce((${destination}.options #>> '{debounce,seconds}')::int, 0) * interval '1 second' as since
    from deliveries x
    where x.shard = ${destination}.shard and x.destination_id = ${destination}.id and x.status = 'pending'
      and x.next_attempt_at is null
    order by x.id limit 1
  ) oldest
  where ${destination}.enabled and ${destination}.circuit = 'closed' and ${destination}.type <> 'listener'
    and ${destination}.options -> 'requestsPerSecond' is null and ${destination}.options -> 'concurrency' is null
    and oldest.since < now() - ${LASTS})`;

/** Why an overdue destination is. SQL over a destination with this alias. */
export const overdueReasonSql = (destination: string): string => `case
    when greatest(${destination}.last_delivered_at, ${destination}.last_failure_at) > now() - ${LASTS} then 'behind'
    else 'not_sent' end`;

/** The ids of destinations with pending deliveries: one look-up in an index for each, however many wait. */
export const busyDestinationsSql = `
with recursive busy (shard, destination_id) as (
  (select shard, destination_id from deliveries
   where status = 'pending' and next_attempt_at is null and shard >= 0 order by shard, destination_id limit 1)
  union all
  select next.* from busy b cross join lateral (
    select d.shard, d.destination_id from deliveries d
    where d.status = 'pending' and d.next_attempt_at is null and (d.shard, d.destination_id) > (b.shard, b.destination_id)
    order by d.shard, d.destination_id limit 1) next
)
select destination_id from busy`;
