import { createHash, timingSafeEqual } from 'node:crypto';

export type HandshakeQuery = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The platform's challenges are short numbers; a long one is nobody's handshake. */
const MAX_CHALLENGE_LENGTH = 256;

/**
 * The answer to the platform's handshake: its challenge, to be sent back as the whole plain-text body. Undefined when
 * this is no handshake, or one by somebody who doesn't know the verify token.
 */
export function answerHandshake(query: HandshakeQuery, verifyToken: string): string | undefined {
  const { 'hub.mode': mode, 'hub.verify_token': token, 'hub.challenge': challenge } = query;
  if (mode !== 'subscribe' || typeof token !== 'string' || typeof challenge !== 'string') return undefined;
  if (challenge === '' || challenge.length > MAX_CHALLENGE_LENGTH) return undefined;
  return verifyToken !== '' && isSameText(token, verifyToken) ? challenge : undefined;
}

/** Compares digests, so that neither the time nor the length tells anything about the token. */
function isSameText(left: string, right: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}
