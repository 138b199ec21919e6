import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { webhookSecretText } from '../contract/signature.ts';
import { sealedContexts } from './sealed-columns.ts';
import type { SecretBox } from './secrets.ts';

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
  const secret = webhookSecretText(randomBytes(SECRET_BYTES).toString('base64'));
  const sealed = secretBox.seal(secret, sealedContexts.webhookSecret(channelPublicId));
  await db('webhook_secrets').insert({ channel_id: channelId, secret_encrypted: sealed });
}

/** The secret that signs the channel's deliveries now. */
export async function readWebhookSecret(
  db: Knex,
  secretBox: SecretBox,
  { channelId, channelPublicId }: ChannelKey,
): Promise<string> {
  const row = await db<{ secret_encrypted: string; channel_id: number; expires_at: Date | null }>('webhook_secrets')
    .where({ channel_id: channelId })
    .whereNull('expires_at')
    .first('secret_encrypted');
  if (!row) throw new Error(`Channel ${channelPublicId} has no webhook secret`);
  return secretBox.open(row.secret_encrypted, sealedContexts.webhookSecret(channelPublicId));
}
