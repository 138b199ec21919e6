import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/**
 * The receiver's own check of what it gets, written from the public rules alone as a user's receiver would be: it
 * shares no code with the sender, so that a mistake there shows here.
 */
export interface SignedRequest {
  readonly headers: IncomingHttpHeaders;
  /** The raw bytes. */
  readonly body: Uint8Array;
  /** The secret as shown to the user. */
  readonly secret: string;
}

const TOLERANCE_MS = 5 * 60 * 1000;

/** `X-Service-Signature-256`: one or, while a secret rotates, several `sha256=<hex>`, of which one must fit. */
export function isServiceSignatureValid({ headers, body, secret }: SignedRequest): boolean {
  const expected = `sha256=${createHmac('sha256', Buffer.from(secret, 'utf8')).update(body).digest('hex')}`;
  const given = headers['x-service-signature-256'];
  if (typeof given !== 'string') return false;
  return given.split(',').some((signature) => isSame(signature.trim(), expected));
}

/** The three headers of Standard Webhooks: the id, the time and the bytes are signed together. */
export function isStandardSignatureValid({ headers, body, secret, atMs }: SignedRequest & { atMs: number }): boolean {
  const id = headers['webhook-id'];
  const timestamp = headers['webhook-timestamp'];
  const signatures = headers['webhook-signature'];
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string') return false;
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(atMs - Number(timestamp) * 1000) > TOLERANCE_MS) return false;
  if (!secret.startsWith('whsec_')) return false;

  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
  return signatures.split(' ').some((signature) => isSame(signature, `v1,${expected}`));
}

function isSame(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}
