import { senderUserAgent } from './user-agents.ts';

/**
 * The two signatures that every delivery carries, and the platform's own on the way in.
 *
 * `X-Service-Signature-256` is HMAC-SHA256 over the raw body, keyed on the UTF-8 bytes of the whole secret as shown
 * (specification 6.1). `webhook-signature` follows the Standard Webhooks specification: HMAC-SHA256 over
 * `id.timestamp.body`, keyed on the decoded part behind `whsec_`. While a secret rotates, both carry one signature
 * for each valid secret, newest first.
 */
export const signatureHeader = 'x-service-signature-256';
const SIGNATURE_PREFIX = 'sha256=';
const SECRET_PREFIX = 'whsec_';

/** HMAC-SHA256 over the chunks, one after the other: injected, because this folder knows no crypto library. */
export type HmacSha256<Key> = (
  key: Key,
  chunks: readonly (Uint8Array | string)[],
  encoding: 'hex' | 'base64',
) => string;

/** A webhook secret, ready for both signatures; the keys are of whatever kind the HMAC takes. */
export interface SigningSecret<Key> {
  /** The UTF-8 bytes of the whole text as shown to the user; keys `X-Service-Signature-256`. */
  readonly shown: Key;
  /** The decoded part behind the prefix; keys `webhook-signature`. */
  readonly decoded: Key;
}

export interface DeliveryHeadersInput<Key> {
  readonly deliveryId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly attempt: number;
  /** When this attempt is made: each attempt is signed anew, under the same id. */
  readonly atMs: number;
  readonly body: Uint8Array;
  /** Valid secrets, newest first, at least one. */
  readonly secrets: readonly SigningSecret<Key>[];
}

/** All headers of one delivery attempt, names in lower case. */
export function deliveryHeaders<Key>(input: DeliveryHeadersInput<Key>, hmac: HmacSha256<Key>): Record<string, string> {
  const timestamp = String(Math.floor(input.atMs / 1000));
  const signed = `${input.deliveryId}.${timestamp}.`;
  return {
    'content-type': 'application/json',
    'user-agent': senderUserAgent,
    [signatureHeader]: input.secrets.map(({ shown }) => SIGNATURE_PREFIX + hmac(shown, [input.body], 'hex')).join(','),
    'x-service-delivery-id': input.deliveryId,
    'x-service-event-id': input.eventId,
    'x-service-event-type': input.eventType,
    'x-service-attempt': String(input.attempt),
    'webhook-id': input.deliveryId,
    'webhook-timestamp': timestamp,
    'webhook-signature': input.secrets
      .map(({ decoded }) => `v1,${hmac(decoded, [signed, input.body], 'base64')}`)
      .join(' '),
  };
}

/** The text of a webhook secret around 32 random bytes in base64. */
export function webhookSecretText(base64: string): string {
  return SECRET_PREFIX + base64;
}

/** The base64 part of a secret's text; throws on a text without the prefix. */
export function webhookSecretBase64(text: string): string {
  if (!text.startsWith(SECRET_PREFIX)) throw new Error(`A webhook secret begins with ${SECRET_PREFIX}`);
  return text.slice(SECRET_PREFIX.length);
}

/** The hex digest in a `sha256=<hex>` header; undefined for any other form. */
export function parseSha256Header(value: string | undefined): string | undefined {
  return /^sha256=([0-9a-f]{64})$/.exec(value ?? '')?.[1];
}
