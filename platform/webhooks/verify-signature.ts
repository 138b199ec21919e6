import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { parseSha256Header } from '../../contract/deliveries/signature.ts';

export interface VerifyPlatformSignature {
  /** The raw bytes as received; a parsed and re-serialised body has other bytes and never verifies. */
  readonly body: Uint8Array;
  /** The value of `X-Hub-Signature-256`. */
  readonly header: string | undefined;
  /** A key object is quicker than a text, which is made one for every request. */
  readonly appSecret: KeyObject | string;
}

/** Tells whether the platform signed these bytes, in constant time for every well-formed header. */
export function verifyPlatformSignature({ body, header, appSecret }: VerifyPlatformSignature): boolean {
  const digest = parseSha256Header(header);
  if (digest === undefined || appSecret === '') return false; // an unset secret must not verify anything
  return timingSafeEqual(createHmac('sha256', appSecret).update(body).digest(), Buffer.from(digest, 'hex'));
}
