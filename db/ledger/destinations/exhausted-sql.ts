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
