/**
 * SQL fragments over a destination `dest` and its channel `c`, shared by all senders: the pump for first attempts and
 * the workflow for later ones.
 */

/**
 * How to end a waiting delivery without an attempt because its channel or destination changed; null if it may be sent.
 */
export const voidAsSql = `
    case when dest.deleted_at is not null or c.disconnected_at is not null then 'cancelled'
         when not c.forwarding_enabled then 'forwarding_disabled'
         when not dest.enabled then 'destination_disabled' end`;

/** The channel's valid encrypted webhook secrets, newest first. */
export const validSecretsSql = `
    array(select s.secret_encrypted from webhook_secrets s
          where s.channel_id = c.id and (s.expires_at is null or s.expires_at > now()) order by s.id desc)`;
