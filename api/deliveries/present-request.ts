import { REDACTED } from '../../contract/deliveries/curl-command.ts';
import { signedHeaders } from '../../contract/deliveries/signature.ts';
import type { RecordedRequest } from '../../db/deliveries/sent-requests.ts';
import type { SentRequestBody } from '../../openapi/deliveries/schema.ts';

/** The ids of a delivery or a test event, as their headers have them. */
export interface RequestIds {
  readonly deliveryId: string;
  readonly eventId: string;
  readonly eventType: string;
}

/** Restores the headers that follow from the delivery. */
export function presentRequest({ number, request }: RecordedRequest, ids: RequestIds): SentRequestBody {
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
      ...signedHeaders({ ...ids, attempt: number, ...signed }),
      ...(traceParent !== null && { traceparent: traceParent }),
    },
    bodySha256: Buffer.from(bodySha256).toString('hex'),
  };
}
