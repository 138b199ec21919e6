import { lookup as systemLookup } from 'node:dns/promises';
import type { LookupAddress } from 'node:dns';
import { classifyAddress, isAllowed, type Cidr } from '../contract/addresses/classify-address.ts';
import { EgressFailure } from './failure.ts';
import type { UnansweredNames } from './unanswered-names.ts';

export type Lookup = (hostname: string) => Promise<readonly LookupAddress[]>;

export interface ResolverOptions {
  readonly allowCidrs: readonly Cidr[];
  readonly lookup?: Lookup | undefined;
  readonly timeoutMs: number;
  readonly cacheMs: number;
  /** Optional. Omit to blame no names. */
  readonly unanswered?: UnansweredNames | undefined;
  /** Optional. Resolved when another name fails, to test the resolver. */
  readonly referenceName?: string | undefined;
}

export interface Resolver {
  /** Rejects with an `EgressFailure`. */
  resolve(hostname: string): Promise<readonly LookupAddress[]>;
}

interface CacheEntry {
  readonly addresses: Promise<readonly LookupAddress[]>;
  freshUntilMs: number;
}

const MAX_CACHED_NAMES = 1_000;

export function createResolver(options: ResolverOptions): Resolver {
  const { allowCidrs, lookup = lookupAll, timeoutMs, cacheMs, unanswered, referenceName } = options;
  const cache = new Map<string, CacheEntry>();

  async function lookUp(hostname: string): Promise<readonly LookupAddress[]> {
    const addresses = await withDeadline(lookup(hostname), timeoutMs).catch((error: unknown) => {
      throw blamed(hostname, lookupFailure(error));
    });
    unanswered?.resolved(hostname);
    return checked(addresses, allowCidrs);
  }

  function blamed(hostname: string, failure: EgressFailure): EgressFailure {
    if (failure.error !== 'dns_failed' && failure.error !== 'dns_timeout') return failure;
    const isToBlame = unanswered?.failed(hostname) ?? false;
    if (referenceName !== undefined && referenceName !== hostname) resolve(referenceName).catch(() => undefined);
    return isToBlame ? new EgressFailure('dns_name_failed', failure.message) : failure;
  }

  function resolve(hostname: string): Promise<readonly LookupAddress[]> {
    const cached = cache.get(hostname);
    if (cached && cached.freshUntilMs > performance.now()) return cached.addresses;
    const entry: CacheEntry = { addresses: lookUp(hostname), freshUntilMs: Infinity };
    if (cache.size >= MAX_CACHED_NAMES) cache.clear();
    cache.set(hostname, entry);
    entry.addresses.then(
      () => (entry.freshUntilMs = performance.now() + cacheMs),
      () => cache.get(hostname) === entry && cache.delete(hostname),
    );
    return entry.addresses;
  }

  return { resolve };
}

/** Using only the allowed addresses would succeed at random. */
function checked(addresses: readonly LookupAddress[], allow: readonly Cidr[]): readonly LookupAddress[] {
  if (addresses.length === 0) throw new EgressFailure('dns_not_found', 'no addresses');
  const bad = addresses.find(({ address }) => !isReachable(address, allow));
  if (bad) throw new EgressFailure('address_not_allowed', bad.address);
  return addresses;
}

export function isReachable(ip: string, allow: readonly Cidr[]): boolean {
  return classifyAddress(ip) === 'public' || isAllowed(ip, allow);
}

function lookupAll(hostname: string): Promise<readonly LookupAddress[]> {
  return systemLookup(hostname, { all: true, order: 'verbatim' });
}

function lookupFailure(error: unknown): EgressFailure {
  if (error instanceof EgressFailure) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  const isNotFound = code === 'ENOTFOUND' || code === 'ENODATA';
  return new EgressFailure(isNotFound ? 'dns_not_found' : 'dns_failed', code);
}

/** A system lookup can't be cancelled. */
async function withDeadline<T>(promise: Promise<T>, timeoutMs: number): Promise<T> {
  const { promise: deadline, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new EgressFailure('dns_timeout', `${timeoutMs} ms`)), timeoutMs);
  try {
    return await Promise.race([promise, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
