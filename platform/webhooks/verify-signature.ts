import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { parseSha256Header } from '../../contract/deliveries/signature.ts';

export interface VerifyPlatformSignature {
  /** The raw bytes as received. Reserialized JSON has other bytes and does not verify. */
  readonly body: Uint8Array;
  /** The value of `X-Hub-Signature-256`. */
  readonly header: string | undefined;
  /** A KeyObject is faster, because a string is converted for every request. */
  readonly appSecret: KeyObject | string;
}

/** Returns true if the platform signed these bytes. Takes constant time for every well-formed header. */
export function verifyPlatformSignature({ body, header, appSecret }: VerifyPlatformSignature): boolean {
  const digest = parseSha256Header(header);
  if (digest === undefined || appSecret === '') return false; // An unset secret must not verify anything.
  return timingSafeEqual(createHmac('sha256', appSecret).update(body).digest(), Buffer.from(digest, 'hex'));
}
