/** SQL fragments over a failed attempt `s` and its locked destination `l`, shared by the writers of attempts. */

/**
 * Whether a 410 confirms the 410 of the delivery's previous attempt. A 2xx to any delivery since then voids the first
 * one; so does a new URL, or enabling the destination again.
 */
export const goneConfirmedSql = `exists (
      select from attempts before
      where before.delivery_id = s.id and before.number = s.number - 1 and before.status = 410
        and before.started_at >= l.standing_since
        and (l.last_delivered_at is null or before.started_at >= l.last_delivered_at))`;
