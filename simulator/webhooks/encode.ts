import type { Envelope } from './envelope.ts';

/** Escapes as the platform does before signing: `\uXXXX` in lower-case hex. */
export function escapeNonAscii(json: string): string {
  return json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

export function encodeWebhook(webhook: Envelope): Buffer {
  return Buffer.from(escapeNonAscii(JSON.stringify(webhook)), 'latin1');
}
