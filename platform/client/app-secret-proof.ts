import { createHmac } from 'node:crypto';

/** The parameter that the proof stands in. */
export const proofParameter = 'appsecret_proof';

/** Shows the platform that whoever holds the token also knows the app's secret. */
export function proofOf(token: string, appSecret: string): string {
  return createHmac('sha256', appSecret).update(token).digest('hex');
}
