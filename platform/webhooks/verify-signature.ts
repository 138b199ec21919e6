import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { parseSha256Header } from '../../contract/deliveries/signature.ts';

export interface VerifyPlatformSignature {
  /** The bytes as received. Reserialized JSON does not verify. */
  readonly body: Uint8Array;
  readonly header: string | undefined;
  /** A KeyObject is faster: a string is converted on every request. */
  readonly appSecret: KeyObject | string;
}

/** Takes constant time for every well-formed header. */
export function verifyPlatformSignature({ body, header, appSecret }: VerifyPlatformSignature): boolean {
  const digest = parseSha256Header(header);
  if (digest === undefined || appSecret === '') return false; // An unset secret must not verify anything.
  return timingSafeEqual(createHmac('sha256', appSecret).update(body).digest(), Buffer.from(digest, 'hex'));
}
