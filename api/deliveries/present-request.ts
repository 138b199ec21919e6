import { hash } from 'node:crypto';
import { batchIdOf } from '../../contract/deliveries/batch.ts';
import { REDACTED } from '../../contract/deliveries/curl-command.ts';
import { signedBatchHeaders, signedHeaders } from '../../contract/deliveries/signature.ts';
import { type IdKey, sequencedId } from '../../contract/ids.ts';
import type { BatchedEvent, RecordedRequest } from '../../db/deliveries/sent-requests.ts';
import type { SentRequestBody } from '../../openapi/deliveries/attempt-schema.ts';

/** The ids of a delivery or a test event, as their headers have them. */
export interface RequestIds {
  readonly deliveryId: string;
  readonly eventId: string;
  readonly eventType: string;
  /** Optional. Default: null. */
  readonly eventFlags?: string | null;
}

export interface NamedRequest extends Omit<RecordedRequest, 'batch' | 'events'> {
  /** The deliveries of the array, or null if it had a single event in another form than an array. */
  readonly batch: readonly string[] | null;
  readonly events: SentRequestBody['events'];
}

export function nameEvents({ batch, events, ...recorded }: RecordedRequest, idKey: IdKey): NamedRequest {
  const named = ({ deliveryNumber, eventNumber, eventType, eventFlags, attempt }: BatchedEvent) => {
    const deliveryId = sequencedId(idKey, 'delivery', deliveryNumber);
    return { deliveryId, eventId: sequencedId(idKey, 'event', eventNumber), eventType, eventFlags, attempt };
  };
  const deliveryIds = batch && batch.map((number) => sequencedId(idKey, 'delivery', number));
  return { ...recorded, batch: deliveryIds, events: events && events.map(named) };
}

/** Restores the headers that follow from the delivery. */
export function presentRequest({ number, request, batch, events }: NamedRequest, ids: RequestIds): SentRequestBody {
  const { url, atSeconds, bodySha256, signatures, redactedHeaders, traceParent } = request;
  const signed = {
    timestamp: String(atSeconds),
    service: signatures.map(({ service }) => Buffer.from(service).toString('hex')),
    standard: signatures.map(({ standard }) => Buffer.from(standard).toString('base64')),
  };
  return {
    attempt: number,
    url,
    headers: {
      ...Object.fromEntries(redactedHeaders.map((name) => [name, REDACTED])),
      ...(batch ? batchHeadersOf(batch, signed) : signedHeaders({ ...ids, attempt: number, ...signed })),
      ...(traceParent !== null && { traceparent: traceParent }),
    },
    bodySha256: Buffer.from(bodySha256).toString('hex'),
    events,
  };
}

type Signed = Omit<Parameters<typeof signedBatchHeaders>[0], 'id' | 'eventCount'>;

/** From the recorded ids: the events may be deleted one by one. */
function batchHeadersOf(deliveryIds: readonly string[], signed: Signed): Record<string, string> {
  const id = batchIdOf(deliveryIds, (text) => hash('sha256', text, 'hex'));
  return signedBatchHeaders({ id, eventCount: deliveryIds.length, ...signed });
}
