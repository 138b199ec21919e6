/**
 * Fragments of SQL over an attempt `s` that was answered with 410 Gone, and its locked destination `l`. Like those of
 * delivery-standing they are what several writers have to agree on.
 */

/**
 * Whether a 410 confirms the one that the same delivery's attempt before was answered with. A 2xx to anything since
 * voids that one, and so does another URL or a person who has enabled the destination again.
 */
export const goneConfirmedSql = `exists (
      select from attempts before
      where before.delivery_id = s.id and before.number = s.number - 1 and before.status = 410
        and before.started_at >= l.standing_since
        and (l.last_delivered_at is null or before.started_at >= l.last_delivered_at))`;
