import type { IncomingMessage } from 'node:http';
import { canonicalAddress } from '../contract/addresses/classify-address.ts';

/** As an address with zone, brackets, port and the form of RFC 7239. */
const MAX_ENTRY_LENGTH = 128;

/**
 * Returns the client's address in its one spelling, because limits, allowed blocks and the audit log compare it. Only
 * the last entry of X-Forwarded-For can't be forged. Some proxies write it with a port or in the form of RFC 7239.
 * Without an address in it, the peer counts as the client.
 */
export function clientAddressOf({ headers, socket }: Addressed, trustProxy: boolean): string {
  const peer = socket.remoteAddress ?? '';
  const forwarded = trustProxy ? headers['x-forwarded-for'] : undefined;
  return addressOfEntry(lastEntry(forwarded)) ?? canonicalAddress(peer) ?? peer;
}

type Addressed = Pick<IncomingMessage, 'headers'> & {
  readonly socket: { readonly remoteAddress?: string | undefined };
};

function lastEntry(forwarded: string | string[] | undefined): string {
  const text = (Array.isArray(forwarded) ? forwarded.at(-1) : forwarded) ?? '';
  return text.slice(text.lastIndexOf(',') + 1).trim();
}

function addressOfEntry(entry: string): string | undefined {
  if (entry.length > MAX_ENTRY_LENGTH) return undefined;
  const named = /^for=/i.test(entry) ? entry.slice('for='.length).split(';', 1)[0]!.trim() : entry;
  const node = /^"([^"]*)"$/.exec(named)?.[1] ?? named;
  const [, bracketed] = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(node) ?? [];
  if (bracketed !== undefined) return bracketed.includes(':') ? canonicalAddress(bracketed) : undefined;
  return canonicalAddress(/^([\d.]+):\d{1,5}$/.exec(node)?.[1] ?? node);
}
