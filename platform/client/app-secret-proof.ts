import { createHmac } from 'node:crypto';

export const proofParameter = 'appsecret_proof';

/** Returns the proof that the holder of the token also knows the app secret. */
export function proofOf(token: string, appSecret: string): string {
  return createHmac('sha256', appSecret).update(token).digest('hex');
}
