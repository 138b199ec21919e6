/** SQL over a failed attempt `s` and its locked destination `l`. */

/**
 * Whether a 410 confirms the previous attempt's 410. A 2xx in between, a new URL or re-enabling voids the first one.
 */
export const goneConfirmedSql = `exists (
      select from attempts before
      where before.delivery_id = s.id and before.number = s.number - 1 and before.status = 410
        and before.started_at >= l.standing_since
        and (l.last_delivered_at is null or before.started_at >= l.last_delivered_at))`;
