import { createHmac, hash } from 'node:crypto';
import type { Knex } from 'knex';
import { packSent } from '../../../activities/deliveries/send-delivery.ts';
import { sequencedId } from '../../../contract/ids.ts';
import { batchIdOf, batchText } from '../../../contract/deliveries/batch.ts';
import {
  batchHeaders,
  deliveryHeaders,
  type HmacSha256,
  webhookSecretBase64,
} from '../../../contract/deliveries/signature.ts';
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
      attempt: number,
      atMs: Date.now(),
      body,
      secrets: secretsOf(secret),
    },
    hmac,
  );
  const request = packSent({ url, body, signed, own });
  await db('attempts').insert({ ...acceptedNow(), delivery_id: deliveryId, number, request });
}

export interface SentBatch extends Pick<SentAttempt, 'url' | 'secret'> {
  readonly deliveryIds: readonly number[];
}

/** As `aSentAttempt`, for the first attempt of some deliveries in one request. Returns its body. */
export async function aSentBatch(db: Knex, { deliveryIds, url, secret }: SentBatch): Promise<string> {
  const { idKey } = await readInstallation(db);
  const rows = await db('deliveries')
    .join('events', 'events.id', 'deliveries.event_id')
    .whereIn('deliveries.id', deliveryIds)
    .orderBy('deliveries.id')
    .select('deliveries.id', 'event_id', 'deliveries.event_type', 'body');
  const items = rows.map(({ id, event_id, event_type, body }) => ({
    deliveryId: sequencedId(idKey, 'delivery', id),
    eventId: sequencedId(idKey, 'event', event_id),
    eventType: event_type,
    attempt: 1,
    payload: String(body),
  }));
  const text = batchText(items);
  const body = Buffer.from(text);
  const batchId = batchIdOf(
    items.map(({ deliveryId }) => deliveryId),
    (ids) => hash('sha256', ids, 'hex'),
  );
  const signed = batchHeaders<string | Buffer>(
    { id: batchId, eventCount: items.length, atMs: Date.now(), body, secrets: secretsOf(secret) },
    hmac,
  );
  const attempt = { ...acceptedNow(), number: 1, request: packSent({ url, body, signed }), batch: deliveryIds };
  await db('attempts').insert(deliveryIds.map((id) => ({ ...attempt, delivery_id: id })));
  return text;
}

const secretsOf = (secret: string) => [{ shown: secret, decoded: Buffer.from(webhookSecretBase64(secret), 'base64') }];

const acceptedNow = () => ({ started_at: new Date(), duration_ms: 1, outcome: 'accepted', status: 200 });
