import { createHmac } from 'node:crypto';

export const proofParameter = 'appsecret_proof';

export function proofOf(token: string, appSecret: string): string {
  return createHmac('sha256', appSecret).update(token).digest('hex');
}
