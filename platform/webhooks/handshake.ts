import { createHash, timingSafeEqual } from 'node:crypto';

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
