import { createHmac } from 'node:crypto';
import { type Answer, call } from './http-call.ts';
import type { World } from './world.ts';

export const INGEST = 'POST /platform/webhooks';
export const SIGNATURE = 'x-hub-signature-256';

export function sign(bytes: Uint8Array, secret: string, algorithm = 'sha256'): string {
  return `${algorithm}=${createHmac(algorithm, secret).update(bytes).digest('hex')}`;
}

export function envelopeOf(resourceId: unknown, messages: readonly unknown[]) {
  const value = { messaging_product: 'chatapp', metadata: { phone_number_id: resourceId }, messages };
  return { object: 'chatapp', entry: [{ id: 'account', changes: [{ field: 'messages', value }] }] };
}

/** Posts as the platform does. Objects are sent as JSON. */
export async function postSigned(
  { baseUrl, platformSecret = '' }: World,
  event: string | Uint8Array | object,
): Promise<Answer> {
  const isRaw = typeof event === 'string' || event instanceof Uint8Array;
  const body = Buffer.from(isRaw ? event : JSON.stringify(event));
  const headers = { 'content-type': 'application/json', [SIGNATURE]: sign(body, platformSecret) };
  return await call(baseUrl, INGEST, { body, headers });
}
