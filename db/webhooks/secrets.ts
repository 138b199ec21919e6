import type { Knex } from 'knex';
import { type AuditContext, recordAudit } from '../audit/record-audit.ts';
import { notifyChannelChanged } from '../core/notify-changed.ts';
import { sealedContexts } from '../core/sealed-columns.ts';
import type { SecretBox } from '../core/secret-box.ts';
import {
  insertSecret,
  type RotatedSecret,
  rotateSecret,
  type SecretRotation,
  type SigningSecret,
} from '../core/signing-secrets.ts';
import { ChannelModel } from '../models/channel.ts';
import { WebhookSecretModel } from '../models/signing-secret.ts';

interface ChannelKey {
  readonly channelId: number;
  readonly channelPublicId: string;
}

function secretsOf(secretBox: SecretBox, { channelId, channelPublicId }: ChannelKey) {
  const context = sealedContexts.webhookSecret(channelPublicId);
  return { model: WebhookSecretModel, owner: { channel_id: channelId }, secretBox, context };
}

export async function insertWebhookSecret(db: Knex, secretBox: SecretBox, key: ChannelKey): Promise<void> {
  await insertSecret(db, secretsOf(secretBox, key));
}

export async function readWebhookSecret(
  db: Knex,
  secretBox: SecretBox,
  { channelId, channelPublicId }: ChannelKey,
): Promise<SigningSecret> {
  const current = await WebhookSecretModel.query(db)
    .select('id', 'secret_encrypted')
    .findOne({ channel_id: channelId })
    .whereNull('expires_at');
  if (!current) throw new Error(`Channel ${channelPublicId} has no webhook secret`);
  const secret = secretBox.open(current.secretEncrypted, sealedContexts.webhookSecret(channelPublicId));
  return { id: current.id, secret };
}

/** As `rotateSecret`. */
export async function rotateWebhookSecret(
  db: Knex,
  secretBox: SecretBox,
  { audit, channelId, channelPublicId, ...rotation }: ChannelKey & SecretRotation & { readonly audit: AuditContext },
): Promise<RotatedSecret | undefined> {
  return await db.transaction(async (trx) => {
    // Serializes the changes of the channel's secrets.
    await ChannelModel.query(trx).select('id').findById(channelId).forNoKeyUpdate();
    const rotated = await rotateSecret(trx, secretsOf(secretBox, { channelId, channelPublicId }), rotation);
    if (!rotated || rotated.isRepeated) return rotated;
    if (rotation.overlapSeconds === 0) await notifyChannelChanged(trx, channelId);
    await recordAudit(trx, { ...audit, action: 'webhookSecret.rotated', targetId: channelPublicId });
    return rotated;
  });
}
