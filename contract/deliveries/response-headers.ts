/**
 * Responses of receivers are kept for debugging and shown to everyone who may read deliveries, also to customers in
 * portals. What a receiver hands out for one client is not kept: credentials, and the addresses of a redirect, which often
 * carry one.
 */

export const REDACTED_HEADER = '[redacted]';

/** Takes names in lower case. */
const secretName =
  /cookie|token|secret|passw|session|credential|signature|authoriz|authentic|api[-_]?key|access[-_]?key|(?:^|[-_])(?:auth|csrf|xsrf|jwt|otp)(?:[-_]|$)/;
const addressName =
  /^(?:(?:content-|x-)?location|refresh|link|x-redirect|x-accel-redirect|x-original-url|x-rewrite-url)$/;
const origin = /^https?:\/\/[a-z0-9._:[\]-]{1,260}(?=[/?#]|$)/i;

/** Of a redirect, the origin stays, which tells where it leads. */
export function keptHeaderValue(name: string, value: string): string {
  if (addressName.test(name)) return origin.exec(value)?.[0] ?? REDACTED_HEADER;
  return secretName.test(name) ? REDACTED_HEADER : value;
}
