import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { webhookSecretText } from '../../contract/deliveries/signature.ts';
import { type AuditContext, recordAudit } from '../audit/record-audit.ts';
import { notifyChanged } from '../core/notify-changed.ts';
import { sealedContexts } from '../core/sealed-columns.ts';
import type { SecretBox } from '../core/secret-box.ts';

/** The decoded length that Standard Webhooks recommends at most times, and the digest's own. */
const SECRET_BYTES = 32;

interface ChannelKey {
  readonly channelId: number;
  readonly channelPublicId: string;
}

/** Draws the channel's first webhook secret. */
export async function insertWebhookSecret(
  db: Knex,
  secretBox: SecretBox,
  { channelId, channelPublicId }: ChannelKey,
): Promise<void> {
  const sealed = secretBox.seal(freshSecret(), sealedContexts.webhookSecret(channelPublicId));
  await db('webhook_secrets').insert({ channel_id: channelId, secret_encrypted: sealed });
}

/** A secret, and its row. */
export interface WebhookSecret {
  readonly id: number;
  readonly secret: string;
}

/** Returns the secret that signs the channel's deliveries now. */
export async function readWebhookSecret(
  db: Knex,
  secretBox: SecretBox,
  { channelId, channelPublicId }: ChannelKey,
): Promise<WebhookSecret> {
  const row = await db<{ id: number; secret_encrypted: string; channel_id: number; expires_at: Date | null }>(
    'webhook_secrets',
  )
    .where({ channel_id: channelId })
    .whereNull('expires_at')
    .first('id', 'secret_encrypted');
  if (!row) throw new Error(`Channel ${channelPublicId} has no webhook secret`);
  return { id: row.id, secret: secretBox.open(row.secret_encrypted, sealedContexts.webhookSecret(channelPublicId)) };
}

export interface SecretRotation extends ChannelKey {
  /** How long the present secret goes on besides the new one. */
  readonly overlapSeconds: number;
  /** Null where the caller gives no key: each such request is a rotation of its own. */
  readonly idempotencyKeyHash: Buffer | null;
  readonly audit: AuditContext;
}

export interface RotatedSecret extends WebhookSecret {
  /** When the secret before it ends or ended; null where it was cut at once. */
  readonly previousExpiresAt: Date | null;
}

/**
 * Draws a new secret. The one so far goes on for the overlap, an older overlap ends at once; expired ones are passed
 * over by time, so that no timer is needed. A repeat with the same idempotency key gets the same secret again;
 * undefined where that key came with another overlap.
 */
export async function rotateWebhookSecret(
  db: Knex,
  secretBox: SecretBox,
  rotation: SecretRotation,
): Promise<RotatedSecret | undefined> {
  const { channelId, channelPublicId, overlapSeconds, idempotencyKeyHash, audit } = rotation;
  return await db.transaction(async (trx) => {
    // The channel's row is the lock under which its secrets change.
    await trx.raw('select from channels where id = ? for no key update', [channelId]);
    const made = await findByKey(trx, rotation);
    if (made && made.overlap_seconds !== overlapSeconds) return undefined;
    if (made) {
      const secret = secretBox.open(made.secret_encrypted, sealedContexts.webhookSecret(channelPublicId));
      return { id: made.id, secret, previousExpiresAt: made.previous_expires_at };
    }
    const previousExpiresAt = await endCurrent(trx, rotation);
    const secret = freshSecret();
    const sealed = secretBox.seal(secret, sealedContexts.webhookSecret(channelPublicId));
    const { rows } = await trx.raw<{ rows: { id: number }[] }>(
      `insert into webhook_secrets (channel_id, secret_encrypted, idempotency_key_hash, overlap_seconds, previous_expires_at)
       values (?, ?, ?, ?, ?) returning id`,
      [channelId, sealed, idempotencyKeyHash, overlapSeconds, previousExpiresAt],
    );
    const [inserted] = rows;
    if (!inserted) throw new Error('An insert returned no row');
    if (overlapSeconds === 0) {
      const live = trx('destinations').where({ channel_id: channelId }).whereNull('deleted_at');
      await notifyChanged(trx, await live.pluck('id'));
    }
    await recordAudit(trx, { ...audit, action: 'webhookSecret.rotated', targetId: channelPublicId });
    return { id: inserted.id, secret, previousExpiresAt };
  });
}

interface MadeSecret {
  id: number;
  secret_encrypted: string;
  overlap_seconds: number;
  previous_expires_at: Date | null;
}

async function findByKey(
  trx: Knex,
  { channelId, idempotencyKeyHash }: SecretRotation,
): Promise<MadeSecret | undefined> {
  if (idempotencyKeyHash === null) return undefined;
  const { rows } = await trx.raw<{ rows: MadeSecret[] }>(
    `select id, secret_encrypted, overlap_seconds, previous_expires_at from webhook_secrets
     where channel_id = ? and idempotency_key_hash = ?`,
    [channelId, idempotencyKeyHash],
  );
  return rows[0];
}

/** Ends an older overlap now, and the present secret when the new overlap is over; returns that end. */
async function endCurrent(trx: Knex, { channelId, overlapSeconds }: SecretRotation): Promise<Date | null> {
  await trx.raw('update webhook_secrets set expires_at = now() where channel_id = ? and expires_at > now()', [
    channelId,
  ]);
  const { rows } = await trx.raw<{ rows: { expires_at: Date }[] }>(
    `update webhook_secrets set expires_at = now() + ? * interval '1 second'
     where channel_id = ? and expires_at is null returning expires_at`,
    [overlapSeconds, channelId],
  );
  return overlapSeconds === 0 ? null : (rows[0]?.expires_at ?? null);
}

function freshSecret(): string {
  return webhookSecretText(randomBytes(SECRET_BYTES).toString('base64'));
}
