import { createHmac } from 'node:crypto';

export const platformSignatureHeader = 'x-hub-signature-256';

export function signWebhook(bytes: Uint8Array, appSecret: string): string {
  return `sha256=${createHmac('sha256', appSecret).update(bytes).digest('hex')}`;
}
