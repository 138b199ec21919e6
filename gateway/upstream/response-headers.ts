import { forwardedResponseHeaders } from '../../platform/forwarding/gateway-headers.ts';
import type { UpstreamAnswer } from './upstream.ts';

/** The platform's headers that the caller gets, without secrets. */
export function answerHeaders({ headers }: UpstreamAnswer, secrets: readonly string[]): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const name of forwardedResponseHeaders) {
    const value = headers[name];
    if (typeof value === 'string' && !secrets.some((secret) => value.includes(secret))) passed[name] = value;
  }
  return passed;
}

const FILE = /^\s*(?:(?:image|audio|video|font)\/|application\/(?:octet-stream|pdf|zip|vnd\.|msword))/i;
const TEXT = /^\s*(?:text\/|application\/(?:[\w.+-]*json|[\w.+-]*javascript|xml|[\w.+-]*\+xml|x-www-form-urlencoded))/i;

/** Texts are read whole and cleaned, as is what may be one and is small; files are passed on as they come. */
export function isText({ headers }: UpstreamAnswer, maxBytes: number): boolean {
  const type = headers['content-type'];
  if (typeof type !== 'string') return true;
  if (TEXT.test(type)) return true;
  return !FILE.test(type) && !(Number(headers['content-length']) > maxBytes);
}
