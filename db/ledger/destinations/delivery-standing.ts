/**
 * Fragments of SQL over a destination `dest` and its channel `c` that whoever sends a delivery has to agree on, the pump
 * with a first attempt and the workflow with a later one.
 */

/** How a waiting delivery must end without an attempt, because what it was for has changed; null when it may go. */
export const voidAsSql = `
    case when dest.deleted_at is not null or c.disconnected_at is not null then 'cancelled'
         when not c.forwarding_enabled then 'forwarding_disabled'
         when not dest.enabled then 'destination_disabled' end`;

/** The channel's encrypted webhook secrets that are valid now, newest first. */
export const validSecretsSql = `
    array(select s.secret_encrypted from webhook_secrets s
          where s.channel_id = c.id and (s.expires_at is null or s.expires_at > now()) order by s.id desc)`;
