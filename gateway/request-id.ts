import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const CALLERS_OWN = /^[A-Za-z0-9._-]{1,128}$/;

/** The caller's own id of the request where it is well-formed, else a fresh one. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const own = headers['x-request-id'];
  if (typeof own === 'string' && CALLERS_OWN.test(own)) return own;
  return `req_${randomBytes(12).toString('base64url')}`;
}
