import { createHmac } from 'node:crypto';
import type { Knex } from 'knex';
import { packSent } from '../../../activities/deliveries/pack-sent.ts';
import { sequencedId } from '../../../contract/ids.ts';
import { deliveryHeaders, type HmacSha256, webhookSecretBase64 } from '../../../contract/deliveries/signature.ts';
import { readInstallation } from '../../../db/core/installation.ts';

const hmac: HmacSha256<string | Buffer> = (key, chunks, encoding) => {
  const mac = createHmac('sha256', key);
  for (const chunk of chunks) mac.update(chunk);
  return mac.digest(encoding);
};

export interface SentAttempt {
  readonly deliveryId: number;
  readonly url: string;
  readonly body: string;
  readonly secret: string;
  /** Optional. Default: 1. */
  readonly number?: number;
  /** Optional. Static headers and the authorization. */
  readonly own?: Readonly<Record<string, string>>;
}

/** Inserts an accepted attempt with its request, as if it had been sent now. */
export async function aSentAttempt(db: Knex, sent: SentAttempt): Promise<void> {
  const { deliveryId, url, secret, number = 1, own } = sent;
  const { idKey } = await readInstallation(db);
  const { event_id, event_type } = await db('deliveries').where({ id: deliveryId }).first('event_id', 'event_type');
  const body = Buffer.from(sent.body);
  const signed = deliveryHeaders<string | Buffer>(
    {
      deliveryId: sequencedId(idKey, 'delivery', deliveryId),
      eventId: sequencedId(idKey, 'event', event_id),
      eventType: event_type,
      ...{ attempt: number, atMs: Date.now(), body },
      secrets: [{ shown: secret, decoded: Buffer.from(webhookSecretBase64(secret), 'base64') }],
    },
    hmac,
  );
  const request = packSent({ url, body, signed, own });
  const attempt = { number, started_at: new Date(), duration_ms: 1, outcome: 'accepted', status: 200 };
  await db('attempts').insert({ delivery_id: deliveryId, ...attempt, request });
}
