import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';

/** Returns the addresses of a name. Ends soon after the signal is aborted. */
export type Lookup = (hostname: string, signal: AbortSignal) => Promise<readonly LookupAddress[]>;

export interface LookupOptions {
  /** Optional. `address:port` of name servers. Default: those of the system. */
  readonly nameServers?: readonly string[] | undefined;
  /** Optional. How often each name server is asked. Default: 3, of which the last has what is left of the time. */
  readonly tries?: number;
}

/** After this time without an answer, a query is sent again, to the next name server. The time doubles. */
const FIRST_TRY_MS = 1_000;
const DEFAULT_TRIES = 3;
/** How long IPv4 addresses wait for those of IPv6. RFC 8305, section 3, gives 50 ms, for a name server near by. */
const IPV6_MS = 200;
const HOSTS_FILE = '/etc/hosts';
const HOSTS_FRESH_MS = 5_000;
const LOOPBACK: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/**
 * Looks names up in the hosts file, then by queries of its own. `dns.lookup` waits in libuv's pool instead, which runs two
 * look-ups at a time for the whole process and can't cancel them: two names whose servers don't answer stop all others.
 *
 * Names are taken as they are, without the search domains of `resolv.conf`.
 */
export function createLookup({ nameServers, tries = DEFAULT_TRIES }: LookupOptions = {}): Lookup {
  const hosts = createHosts();
  return async (hostname, signal) => {
    const name = hostname.toLowerCase().replace(/\.$/, '');
    const known = (await hosts(name)) ?? (isLocalhost(name) ? LOOPBACK : undefined);
    if (known) return known;
    // The library asks another server after silence or a refused connection, but not after a failure that one reports.
    const servers = nameServers ?? new Resolver().getServers();
    for (let first = 0; ; first++) {
      try {
        return await ask(name, { servers: servers.slice(first), tries, signal });
      } catch (error) {
        if (signal.aborted || first + 1 >= servers.length || !isServerFailure(error)) throw error;
      }
    }
  };
}

interface Asking {
  readonly servers: readonly string[];
  readonly tries: number;
  readonly signal: AbortSignal;
}

async function ask(name: string, { servers, tries, signal }: Asking): Promise<LookupAddress[]> {
  signal.throwIfAborted();
  const resolver = new Resolver({ timeout: FIRST_TRY_MS, tries });
  if (servers.length > 0) resolver.setServers(servers);
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel);
  try {
    return await queryBoth(resolver, name);
  } finally {
    signal.removeEventListener('abort', cancel);
    cancel();
  }
}

/** Always the loopback (RFC 6761, section 6.3). */
function isLocalhost(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost');
}

/** IPv4 first, which more machines can reach: IPv6 alone is the answer only for a name without IPv4 addresses. */
async function queryBoth(resolver: Resolver, name: string): Promise<LookupAddress[]> {
  const ipv6 = addressesOf(resolver, name, 6);
  ipv6.catch(() => undefined); // while IPv4 is awaited
  try {
    const ipv4 = await addressesOf(resolver, name, 4);
    return [...ipv4, ...(await soon(ipv6).catch(() => []))];
  } catch (error) {
    if (isUnknownName(error)) throw error;
    return await ipv6.catch((other: unknown) => {
      throw isAbsence(error) ? other : error;
    });
  }
}

/** Returns no addresses if they take too long. */
async function soon(addresses: Promise<LookupAddress[]>): Promise<LookupAddress[]> {
  const enough = Promise.withResolvers<LookupAddress[]>();
  const timer = setTimeout(() => enough.resolve([]), IPV6_MS);
  try {
    return await Promise.race([addresses, enough.promise]);
  } finally {
    clearTimeout(timer);
  }
}

async function addressesOf(resolver: Resolver, name: string, family: 4 | 6): Promise<LookupAddress[]> {
  const addresses = await (family === 4 ? resolver.resolve4(name) : resolver.resolve6(name));
  return addresses.map((address) => ({ address, family }));
}

/** No such name, or no valid one. It has no address of any family (RFC 8020). */
const unknownNames: ReadonlySet<string> = new Set(['ENOTFOUND', 'EBADNAME']);
/** What a name server reports of itself. */
const serverFailures: ReadonlySet<string> = new Set(['ESERVFAIL', 'EREFUSED', 'ENOTIMP', 'EFORMERR']);

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function isUnknownName(error: unknown): boolean {
  return unknownNames.has(codeOf(error));
}

function isServerFailure(error: unknown): boolean {
  return serverFailures.has(codeOf(error));
}

/** Returns whether an error says that a name has no address, or none of one family. */
export function isAbsence(error: unknown): boolean {
  return isUnknownName(error) || codeOf(error) === 'ENODATA';
}

/** Returns a function that finds names in the hosts file, which is read again after some seconds. */
function createHosts(): (name: string) => Promise<readonly LookupAddress[] | undefined> {
  let readAtMs = -Infinity;
  let names: Promise<ReadonlyMap<string, LookupAddress[]>> | undefined;
  return async (name) => {
    if (!names || performance.now() - readAtMs > HOSTS_FRESH_MS) {
      readAtMs = performance.now();
      names = readFile(HOSTS_FILE, 'utf8').then(parseHosts, () => new Map());
    }
    return (await names).get(name);
  };
}

/** Parses `address name…` lines (hosts(5)). */
export function parseHosts(text: string): ReadonlyMap<string, LookupAddress[]> {
  const names = new Map<string, LookupAddress[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...aliases] = line.split('#', 1)[0]!.trim().split(/\s+/);
    const family = isIP(address);
    if (family === 0 || address.includes('%')) continue; // no zones: the guard takes addresses alone
    for (const alias of aliases) {
      const name = alias.toLowerCase();
      names.set(name, [...(names.get(name) ?? []), { address, family }]);
    }
  }
  return names;
}
