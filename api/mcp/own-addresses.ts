import { isIP } from 'node:net';
import { localhostAllowedHostnames, validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server';
import { Forbidden } from '../requests/errors.ts';
import type { ApiContext } from '../requests/state.ts';

/** Prevents DNS rebinding. IP addresses and loopback names can't be rebound. */
export function refuseForeignAddresses(ctx: ApiContext, { baseUrl }: { readonly baseUrl: string }): void {
  const { hostname } = new URL(baseUrl);
  const host = validateHostHeader(ctx.host, [hostname, ...localhostAllowedHostnames()]);
  if (!host.ok && !isAddress(host.hostname)) {
    throw new Forbidden('The Host header does not name this service.');
  }
  if (!validateOriginHeader(ctx.get('origin'), [hostname]).ok) {
    throw new Forbidden('The Origin header names another site. Only pages of this service can call it.');
  }
}

function isAddress(hostname = ''): boolean {
  return isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0;
}
