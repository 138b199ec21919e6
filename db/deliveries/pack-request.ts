/**
 * What an attempt sent, beside what its delivery already says. Packed as
 *
 *     version (1) | Unix seconds of the signatures (4) | count of secrets (1) | SHA-256 of the body (32)
 *     | for each secret: X-Service-Signature-256 (32), webhook-signature (32) | JSON of the rest
 *
 * about 150 bytes. The values of static headers and the authorization are secrets, so only their names are kept.
 */
export interface SentRequest {
  readonly url: string;
  /** The header `webhook-timestamp`. */
  readonly atSeconds: number;
  readonly bodySha256: Uint8Array;
  /** One of each scheme for each secret, newest first. */
  readonly signatures: readonly SentSignatures[];
  /** In lower case, with `authorization`. */
  readonly redactedHeaders: readonly string[];
  /** The header `traceparent`, or null. */
  readonly traceParent: string | null;
}

export interface SentSignatures {
  readonly service: Uint8Array;
  readonly standard: Uint8Array;
}

const VERSION = 1;
const DIGEST_BYTES = 32;
const HEAD_BYTES = 6;

/** `u`: the URL; `h`: names of redacted headers; `t`: the trace header. */
interface Rest {
  readonly u: string;
  readonly h?: readonly string[];
  readonly t?: string;
}

export function packRequest(sent: SentRequest): Buffer {
  const { url, atSeconds, bodySha256, signatures, redactedHeaders, traceParent } = sent;
  const head = Buffer.allocUnsafe(HEAD_BYTES);
  head.writeUInt8(VERSION, 0);
  head.writeUInt32BE(atSeconds, 1);
  head.writeUInt8(signatures.length, HEAD_BYTES - 1);
  const rest: Rest = {
    u: url,
    ...(redactedHeaders.length > 0 && { h: redactedHeaders }),
    ...(traceParent !== null && { t: traceParent }),
  };
  const digests = signatures.flatMap(({ service, standard }) => [service, standard]);
  return Buffer.concat([head, bodySha256, ...digests, Buffer.from(JSON.stringify(rest))]);
}

/** Returns null for attempts that sent nothing, and of erased events. */
export function urlOf(request: Buffer | null): string | null {
  return (request && unpackRequest(request)?.url) ?? null;
}

/** Returns null for a later version. */
export function unpackRequest(packed: Buffer): SentRequest | null {
  if (packed[0] !== VERSION) return null;
  const digest = (index: number): Buffer => {
    const at = HEAD_BYTES + index * DIGEST_BYTES;
    return packed.subarray(at, at + DIGEST_BYTES);
  };
  const secretCount = packed.readUInt8(HEAD_BYTES - 1);
  const rest = JSON.parse(packed.subarray(HEAD_BYTES + (1 + 2 * secretCount) * DIGEST_BYTES).toString('utf8')) as Rest;
  return {
    url: rest.u,
    atSeconds: packed.readUInt32BE(1),
    bodySha256: digest(0),
    signatures: Array.from({ length: secretCount }, (_, index) => ({
      service: digest(1 + 2 * index),
      standard: digest(2 + 2 * index),
    })),
    redactedHeaders: rest.h ?? [],
    traceParent: rest.t ?? null,
  };
}
