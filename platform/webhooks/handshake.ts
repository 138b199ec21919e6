import { createHash, timingSafeEqual, createHmac, type KeyObject } from 'node:crypto';
import { parseSha256Header } from '../../contract/deliveries/signature.ts';

export type HandshakeQuery = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The platform's challenges are short numbers. */
const MAX_CHALLENGE_LENGTH = 256;

/** Returns the challenge to send back as plain text, or undefined if the handshake fails. */
export function answerHandshake(query: HandshakeQuery, verifyToken: string): string | undefined {
  const { 'hub.mode': mode, 'hub.verify_token': token, 'hub.challenge': challenge } = query;
  if (mode !== 'subscribe' || typeof token !== 'string' || typeof challenge !== 'string') return undefined;
  if (challenge === '' || challenge.length > MAX_CHALLENGE_LENGTH) return undefined;
  return verifyToken !== '' && isSameText(token, verifyToken) ? challenge : undefined;
}

/** Compares digests, so that the duration does not reveal the token or its length. */
function isSameText(left: string, right: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}

interface VerifyPlatformSignature {
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
