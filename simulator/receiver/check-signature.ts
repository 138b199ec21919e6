import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** Follows the public documentation and shares no code with the sender, so that mistakes become visible. */
export interface SignedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array;
  readonly secret: string;
}

const TOLERANCE_MS = 5 * 60 * 1000;

/** A rotation sends several `sha256=<hex>` values; one must match. */
export function isServiceSignatureValid({ headers, body, secret }: SignedRequest): boolean {
  const expected = `sha256=${createHmac('sha256', Buffer.from(secret, 'utf8')).update(body).digest('hex')}`;
  const signatures = headers['x-service-signature-256'];
  if (typeof signatures !== 'string') return false;
  return signatures.split(',').some((signature) => isSame(signature.trim(), expected));
}

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

function isSame(signature: string, expected: string): boolean {
  const left = Buffer.from(signature);
  const right = Buffer.from(expected);
  return left.length === right.length && timingSafeEqual(left, right);
}
