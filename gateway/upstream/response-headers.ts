import { forwardedResponseHeaders } from '../../platform/forwarding/gateway-headers.ts';
import type { UpstreamAnswer } from './upstream.ts';

/** Omits values that contain a secret. */
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

/** Text is read whole and searched for secrets; the rest is streamed. */
export function isText({ headers }: UpstreamAnswer, maxBytes: number): boolean {
  const type = headers['content-type'];
  if (typeof type !== 'string') return true;
  if (TEXT.test(type)) return true;
  return !FILE.test(type) && !(Number(headers['content-length']) > maxBytes);
}
