import type { AuditContext } from '../../db/audit/record-audit.ts';
import type { ChannelRecord } from '../../db/channels/records.ts';
import { rotateWebhookSecret, type RotatedSecret } from '../../db/webhooks/secrets.ts';
import { keyHash } from '../routing/request-hash.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { Conflict } from '../requests/errors.ts';

export interface HmacRotation {
  readonly channel: ChannelRecord;
  readonly overlapSeconds: number;
  readonly idempotencyKey: string | null;
  readonly requestedBy: AuditContext;
}

export async function rotateHmac({ db, secretBox }: ApiDeps, rotation: HmacRotation): Promise<RotatedSecret> {
  const { channel, overlapSeconds, idempotencyKey, requestedBy } = rotation;
  const rotated = await rotateWebhookSecret(db, secretBox, {
    channelId: channel.id,
    channelPublicId: channel.publicId,
    overlapSeconds,
    idempotencyKeyHash: idempotencyKey === null ? null : keyHash(idempotencyKey),
    audit: requestedBy,
  });
  if (rotated) return rotated;
  const message = 'This Idempotency-Key was used with another overlapSeconds. Use a new key.';
  throw new Conflict('IDEMPOTENCY_KEY_REUSED', message);
}
