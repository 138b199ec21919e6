import { hash } from 'node:crypto';
import { BATCH_END, batchIdOf, beforeItem } from '../../contract/deliveries/batch.ts';
import { sequencedId, type IdKey } from '../../contract/ids.ts';
import type { SignableDelivery } from '../../contract/deliveries/signable-delivery.ts';
import { batchHeaders, deliveryHeaders } from '../../contract/deliveries/signature.ts';
import { hmacSha256, type OpenSecret } from './open-secret.ts';

export type SignDelivery = (delivery: SignableDelivery, number: number) => Record<string, string>;

export interface SignDeps {
  readonly idKey: IdKey;
  readonly openSecret: OpenSecret;
}

export function createSignDelivery({ idKey, openSecret }: SignDeps): SignDelivery {
  return (delivery, number) =>
    deliveryHeaders(
      {
        ...namesOf(delivery, idKey),
        attempt: number,
        atMs: Date.now(),
        body: delivery.body,
        secrets: delivery.sealedSecrets.map((sealed) => openSecret(sealed, delivery.channelId)),
      },
      hmacSha256,
    );
}

export interface BatchPart extends Pick<SignableDelivery, 'id' | 'eventId' | 'eventType' | 'eventFlags' | 'body'> {
  /** Of the attempt. */
  readonly number: number;
}

export interface SignedBatch {
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

/** Builds and signs the array of the events in one request. */
export type SignBatch = (
  owner: Pick<SignableDelivery, 'sealedSecrets' | 'channelId'>,
  parts: readonly BatchPart[],
) => SignedBatch;

export function createSignBatch({ idKey, openSecret }: SignDeps): SignBatch {
  return ({ sealedSecrets, channelId }, parts) => {
    const items = parts.map((part) => ({ ...namesOf(part, idKey), attempt: part.number }));
    const chunks = items.flatMap((item, index) => [Buffer.from(beforeItem(item, index)), parts[index]!.body]);
    const body = Buffer.concat([...chunks, Buffer.from(BATCH_END)]);
    const deliveryIds = items.map(({ deliveryId }) => deliveryId);
    const id = batchIdOf(deliveryIds, sha256Hex);
    const secrets = sealedSecrets.map((sealed) => openSecret(sealed, channelId));
    const headers = batchHeaders({ id, eventCount: items.length, atMs: Date.now(), body, secrets }, hmacSha256);
    return { headers, body };
  };
}

const sha256Hex = (text: string): string => hash('sha256', text, 'hex');

type NamedDelivery = Pick<SignableDelivery, 'id' | 'eventId' | 'eventType' | 'eventFlags'>;

function namesOf({ id, eventId, eventType, eventFlags }: NamedDelivery, idKey: IdKey) {
  return {
    deliveryId: sequencedId(idKey, 'delivery', id),
    eventId: sequencedId(idKey, 'event', eventId),
    eventType,
    eventFlags: eventFlags ?? null,
  };
}
