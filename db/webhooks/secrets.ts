import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { raw } from 'objection';
import { webhookSecretText } from '../../contract/deliveries/signature.ts';
import { type AuditContext, recordAudit } from '../audit/record-audit.ts';
import { notifyChanged } from '../core/notify-changed.ts';
import { sealedContexts } from '../core/sealed-columns.ts';
import type { SecretBox } from '../core/secret-box.ts';
import { ChannelModel } from '../models/channel.ts';
import { DestinationModel } from '../models/destination.ts';
import { WebhookSecretModel } from '../models/webhook-config.ts';

/** The digest's length; Standard Webhooks recommends 24 to 64 bytes. */
const SECRET_BYTES = 32;

interface ChannelKey {
  readonly channelId: number;
  readonly channelPublicId: string;
}

export async function insertWebhookSecret(
  db: Knex,
  secretBox: SecretBox,
  { channelId, channelPublicId }: ChannelKey,
): Promise<void> {
  const sealed = secretBox.seal(freshSecret(), sealedContexts.webhookSecret(channelPublicId));
  await WebhookSecretModel.query(db).insert({ channelId, secretEncrypted: sealed });
}

export interface WebhookSecret {
  readonly id: number;
  readonly secret: string;
}

export async function readWebhookSecret(
  db: Knex,
  secretBox: SecretBox,
  { channelId, channelPublicId }: ChannelKey,
): Promise<WebhookSecret> {
  const current = await WebhookSecretModel.query(db)
    .select('id', 'secret_encrypted')
    .findOne({ channel_id: channelId })
    .whereNull('expires_at');
  if (!current) throw new Error(`Channel ${channelPublicId} has no webhook secret`);
  const secret = secretBox.open(current.secretEncrypted, sealedContexts.webhookSecret(channelPublicId));
  return { id: current.id, secret };
}

export interface SecretRotation extends ChannelKey {
  readonly overlapSeconds: number;
  readonly idempotencyKeyHash: Buffer | null;
  readonly audit: AuditContext;
}

export interface RotatedSecret extends WebhookSecret {
  readonly previousExpiresAt: Date | null;
}

/**
 * An earlier overlap ends now. A repeated idempotency key returns the same secret, or undefined if the overlap differs.
 */
export async function rotateWebhookSecret(
  db: Knex,
  secretBox: SecretBox,
  rotation: SecretRotation,
): Promise<RotatedSecret | undefined> {
  const { channelId, channelPublicId, overlapSeconds, idempotencyKeyHash, audit } = rotation;
  return await db.transaction(async (trx) => {
    // Serializes the changes of the channel's secrets.
    await ChannelModel.query(trx).select('id').findById(channelId).forNoKeyUpdate();
    const made = await findByKey(trx, rotation);
    if (made && made.overlapSeconds !== overlapSeconds) return undefined;
    if (made) {
      const secret = secretBox.open(made.secretEncrypted, sealedContexts.webhookSecret(channelPublicId));
      return { id: made.id, secret, previousExpiresAt: made.previousExpiresAt };
    }
    const previousExpiresAt = await endCurrent(trx, rotation);
    const secret = freshSecret();
    const { id } = await WebhookSecretModel.query(trx).insert({
      channelId,
      idempotencyKeyHash,
      overlapSeconds,
      previousExpiresAt,
      secretEncrypted: secretBox.seal(secret, sealedContexts.webhookSecret(channelPublicId)),
    });
    if (overlapSeconds === 0) {
      const live = await DestinationModel.query(trx)
        .select('id')
        .where({ channel_id: channelId })
        .whereNull('deleted_at');
      await notifyChanged(
        trx,
        live.map((destination) => destination.id),
      );
    }
    await recordAudit(trx, { ...audit, action: 'webhookSecret.rotated', targetId: channelPublicId });
    return { id, secret, previousExpiresAt };
  });
}

async function findByKey(
  trx: Knex,
  { channelId, idempotencyKeyHash }: SecretRotation,
): Promise<WebhookSecretModel | undefined> {
  if (idempotencyKeyHash === null) return undefined;
  return await WebhookSecretModel.query(trx)
    .select('id', 'secret_encrypted', 'overlap_seconds', 'previous_expires_at')
    .findOne({ channel_id: channelId, idempotency_key_hash: idempotencyKeyHash });
}

async function endCurrent(trx: Knex, { channelId, overlapSeconds }: SecretRotation): Promise<Date | null> {
  await WebhookSecretModel.query(trx)
    .where({ channel_id: channelId })
    .where('expires_at', '>', raw('now()'))
    .patch({ expiresAt: raw('now()') });
  const [ended] = await WebhookSecretModel.query(trx)
    .where({ channel_id: channelId })
    .whereNull('expires_at')
    .patch({ expiresAt: raw(`now() + ? * interval '1 second'`, [overlapSeconds]) })
    .returning('expires_at');
  return overlapSeconds === 0 ? null : (ended?.expiresAt ?? null);
}

function freshSecret(): string {
  return webhookSecretText(randomBytes(SECRET_BYTES).toString('base64'));
}
