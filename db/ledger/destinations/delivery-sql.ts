/** An instant as whole milliseconds since 1970. */
export const msSql = (instant: string): string => `floor(extract(epoch from ${instant}) * 1000)::float8`;

/** SQL over a destination `dest` and its channel `c`. */

/** How to end a delivery without an attempt; null if it may be sent. */
export const voidAsSql = `
    case when dest.deleted_at is not null or c.disconnected_at is not null then 'cancelled'
         when not c.forwarding_enabled then 'forwarding_disabled'
         when not dest.enabled then 'destination_disabled' end`;

export const validSecretsSql = `
    array(select s.secret_encrypted from webhook_secrets s
          where s.channel_id = c.id and (s.expires_at is null or s.expires_at > now()) order by s.id desc)`;

/** Whether deliveries of the destination in this row wait. */
export const hasWaitingSql = (row: string): string => `(
  exists (
    select from deliveries x where x.shard = ${row}.shard and x.destination_id = ${row}.id and x.status = 'pending')
  or exists (select from deliveries x where x.destination_id = ${row}.id and x.status = 'retrying'))`;

/** Seconds, whose sum over a destination and its channel differs after a change of either. */
export const versionSql = (row: string): string => `extract(epoch from ${row}.updated_at)::float8`;
