import { forwardedResponseHeaders } from '../../platform/forwarding/gateway-headers.ts';
import type { UpstreamAnswer } from './upstream.ts';

/** Returns the headers of the platform that the caller receives; values that contain a secret are left out. */
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

/** Whether the body must be read whole and searched for secrets. Files, and large bodies of unknown type, are streamed. */
export function isText({ headers }: UpstreamAnswer, maxBytes: number): boolean {
  const type = headers['content-type'];
  if (typeof type !== 'string') return true;
  if (TEXT.test(type)) return true;
  return !FILE.test(type) && !(Number(headers['content-length']) > maxBytes);
}
