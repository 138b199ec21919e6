import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { parseSha256Header } from '../../contract/deliveries/signature.ts';

export interface VerifyPlatformSignature {
  /** The bytes as received. Reserialized JSON does not verify. */
  readonly body: Uint8Array;
  readonly header: string | undefined;
  /** Of which any may have signed. A KeyObject is faster: a string is converted on every request. */
  readonly appSecrets: readonly (KeyObject | string)[];
}

/** How long it takes says at most which secret has signed. */
export function verifyPlatformSignature({ body, header, appSecrets }: VerifyPlatformSignature): boolean {
  const digest = parseSha256Header(header);
  if (digest === undefined) return false;
  const given = Buffer.from(digest, 'hex');
  return appSecrets.some((secret) => {
    if (secret === '') return false; // An unset secret must not verify anything.
    return timingSafeEqual(createHmac('sha256', secret).update(body).digest(), given);
  });
}
