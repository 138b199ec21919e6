import { forwardedResponseHeaders } from '../platform/gateway-headers.ts';
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

/** Texts are read whole and cleaned; files are passed on as they come. */
export function isText({ headers }: UpstreamAnswer): boolean {
  const type = headers['content-type'];
  if (typeof type !== 'string') return true;
  return /^\s*(?:text\/|application\/(?:[\w.+-]*json|[\w.+-]*javascript|xml|[\w.+-]*\+xml))/i.test(type);
}
