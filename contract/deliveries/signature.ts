import { eventCountHeader } from './batch.ts';
import { eventFlagsHeader } from './event-flags.ts';
import { senderUserAgent } from './user-agents.ts';

/**
 * The two signatures of a delivery.
 *
 * `X-Service-Signature-256` is the HMAC-SHA256 of the raw body. Its key is the UTF-8 bytes of the whole secret text.
 * `webhook-signature` follows the Standard Webhooks specification: the HMAC-SHA256 of `id.timestamp.body`. Its key is the
 * decoded part after `whsec_`. During a rotation, both headers have one signature per valid secret, newest first.
 */
export const signatureHeader = 'x-service-signature-256';
const SIGNATURE_PREFIX = 'sha256=';
const STANDARD_PREFIX = 'v1,';
const SECRET_PREFIX = 'whsec_';

/** Injected, because contract/ imports no crypto library. */
export type HmacSha256<Key> = (
  key: Key,
  chunks: readonly (Uint8Array | string)[],
  encoding: 'hex' | 'base64',
) => string;

export interface SigningSecret<Key> {
  readonly shown: Key;
  readonly decoded: Key;
}

export interface DeliveryHeadersInput<Key> {
  readonly deliveryId: string;
  readonly eventId: string;
  readonly eventType: string;
  /** Optional. See `eventFlagsText`. Default: null. */
  readonly eventFlags?: string | null;
  readonly attempt: number;
  readonly atMs: number;
  readonly body: Uint8Array;
  /** Newest first; at least one. */
  readonly secrets: readonly SigningSecret<Key>[];
}

export interface StandardHeadersInput<Key> {
  readonly id: string;
  readonly atMs: number;
  readonly body: Uint8Array;
  /** Newest first; at least one. */
  readonly secrets: readonly SigningSecret<Key>[];
}

/** The headers of the Standard Webhooks specification. */
export function standardHeaders<Key>(
  { id, atMs, body, secrets }: StandardHeadersInput<Key>,
  hmac: HmacSha256<Key>,
): Record<string, string> {
  const timestamp = String(Math.floor(atMs / 1000));
  const signed = `${id}.${timestamp}.`;
  return standardHeaderTexts({
    id,
    timestamp,
    standard: secrets.map(({ decoded }) => hmac(decoded, [signed, body], 'base64')),
  });
}

function standardHeaderTexts({
  id,
  timestamp,
  standard,
}: Pick<SignedHeadersInput, 'timestamp' | 'standard'> & { id: string }) {
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': standard.map((base64) => STANDARD_PREFIX + base64).join(' '),
  };
}

export function deliveryHeaders<Key>(input: DeliveryHeadersInput<Key>, hmac: HmacSha256<Key>): Record<string, string> {
  const timestamp = String(Math.floor(input.atMs / 1000));
  const signed = `${input.deliveryId}.${timestamp}.`;
  const service = input.secrets.map(({ shown }) => hmac(shown, [input.body], 'hex'));
  const standard = input.secrets.map(({ decoded }) => hmac(decoded, [signed, input.body], 'base64'));
  return signedHeaders({ ...input, timestamp, service, standard });
}

export interface SignedHeadersInput {
  readonly deliveryId: string;
  readonly eventId: string;
  readonly eventType: string;
  /** Optional. See `eventFlagsText`. Default: null. */
  readonly eventFlags?: string | null;
  readonly attempt: number;
  /** Unix seconds. */
  readonly timestamp: string;
  /** Hex digits of each `X-Service-Signature-256`. */
  readonly service: readonly string[];
  /** Base64 of each `webhook-signature`. */
  readonly standard: readonly string[];
}

/** The headers of a delivery with signatures that exist already. */
export function signedHeaders(input: SignedHeadersInput): Record<string, string> {
  return {
    ...bodyHeaders(input),
    'x-service-delivery-id': input.deliveryId,
    'x-service-event-id': input.eventId,
    'x-service-event-type': input.eventType,
    ...(typeof input.eventFlags === 'string' && { [eventFlagsHeader]: input.eventFlags }),
    'x-service-attempt': String(input.attempt),
    ...standardHeaderTexts({ id: input.deliveryId, ...input }),
  };
}

export interface ParsedSignatures {
  /** Hex digits. */
  readonly service: readonly string[];
  /** Base64. */
  readonly standard: readonly string[];
}

/** The inverse of `signedHeaders` for the signatures. Values without their prefix are returned whole. */
export function parseSignatures(headers: Readonly<Record<string, string>>): ParsedSignatures {
  const valuesOf = (name: string, separator: RegExp, prefix: string): string[] =>
    (headers[name] ?? '')
      .split(separator)
      .filter((value) => value !== '')
      .map((value) => (value.startsWith(prefix) ? value.slice(prefix.length) : value));
  return {
    service: valuesOf(signatureHeader, /[,\s]+/, SIGNATURE_PREFIX),
    standard: valuesOf('webhook-signature', /\s+/, STANDARD_PREFIX),
  };
}

/** Ignores other lines, such as the request line of a copied request. */
export function parseHeaderLines(lines: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {};
  for (const line of lines) {
    const [, name, value] = /^\s*([\w-]+)\s*:(.*)$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) found[name.toLowerCase()] = value.trim();
  }
  return found;
}

/** The headers of a request with an array of events. The elements have the ids. */
export function batchHeaders<Key>(
  { id, eventCount, atMs, body, secrets }: StandardHeadersInput<Key> & { readonly eventCount: number },
  hmac: HmacSha256<Key>,
): Record<string, string> {
  const timestamp = String(Math.floor(atMs / 1000));
  const service = secrets.map(({ shown }) => hmac(shown, [body], 'hex'));
  const standard = secrets.map(({ decoded }) => hmac(decoded, [`${id}.${timestamp}.`, body], 'base64'));
  return signedBatchHeaders({ id, eventCount, timestamp, service, standard });
}

type SignedBatchInput = Pick<SignedHeadersInput, 'timestamp' | 'service' | 'standard'> & {
  readonly id: string;
  readonly eventCount: number;
};

/** The headers of an array with signatures that exist already. */
export function signedBatchHeaders({ eventCount, ...input }: SignedBatchInput): Record<string, string> {
  return {
    ...bodyHeaders(input),
    [eventCountHeader]: String(eventCount),
    ...standardHeaderTexts(input),
  };
}

function bodyHeaders({ service }: Pick<SignedHeadersInput, 'service'>): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': senderUserAgent,
    [signatureHeader]: service.map((hex) => SIGNATURE_PREFIX + hex).join(','),
  };
}

/** @param base64 32 random bytes */
export function webhookSecretText(base64: string): string {
  return SECRET_PREFIX + base64;
}

export function webhookSecretBase64(text: string): string {
  if (!text.startsWith(SECRET_PREFIX)) throw new Error(`A webhook secret must begin with ${SECRET_PREFIX}`);
  return text.slice(SECRET_PREFIX.length);
}

export function parseSha256Header(value: string | undefined): string | undefined {
  return /^sha256=([0-9a-f]{64})$/.exec(value ?? '')?.[1];
}
