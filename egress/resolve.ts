import type { LookupAddress } from 'node:dns';
import { classifyAddress, isAllowed, type Cidr } from '../contract/addresses/classify-address.ts';
import { BoundedMap } from '../process/bounded-map.ts';
import { createTurns } from '../process/turns.ts';
import { EgressFailure } from './failure.ts';
import { isAbsence, type Lookup } from './look-up.ts';
import type { UnansweredNames } from './unanswered-names.ts';

export interface ResolverOptions {
  readonly allowCidrs: readonly Cidr[];
  readonly lookup: Lookup;
  /** The deadline of one look-up. Before it, a request waits a third as long for others of its workspace. */
  readonly timeoutMs: number;
  /** How long addresses are fresh. For six times as long they are used while they are looked up again. */
  readonly cacheMs: number;
  /** How long a failure is the answer of a name. */
  readonly failureCacheMs: number;
  /** Optional. Omit to blame no names. */
  readonly unanswered?: UnansweredNames | undefined;
  /** Optional. Resolved when another name fails, to test the resolver. */
  readonly referenceName?: string | undefined;
  /** Optional. Look-ups that are under way. Default: 256. */
  readonly maxLookups?: number;
  /** Optional. Look-ups of one workspace that are under way. Default: 32. */
  readonly maxLookupsPerWorkspace?: number;
  /** Optional. Monotonic milliseconds. Default: `performance.now`. */
  readonly now?: () => number;
}

export interface Resolver {
  /** Rejects with an `EgressFailure`. The look-up counts for the workspace whose request starts it. */
  resolve(hostname: string, workspaceId?: string): Promise<readonly LookupAddress[]>;
}

interface KnownName {
  good?: { readonly addresses: readonly LookupAddress[]; readonly atMs: number } | undefined;
  failure?: { readonly error: EgressFailure; readonly atMs: number } | undefined;
  /** The look-up that has its turn. Requests of all workspaces wait for it. */
  running?: Promise<readonly LookupAddress[]> | undefined;
  /** Requests of one workspace that wait for its turn. Those of others don't, because they may have theirs at once. */
  readonly waiting: Map<string, Promise<readonly LookupAddress[]>>;
}

interface Asked {
  readonly name: KnownName;
  readonly workspaceId: string;
}

const MAX_KNOWN_NAMES = 10_000;
/** Times `cacheMs`: 30 s by default. */
const REFRESHED_AHEAD = 6;
/** Times `cacheMs`: 10 min by default, longer than a usual name server outage. */
const KEPT_THROUGH_FAILURES = 120;

/**
 * Remembers the checked addresses and the failures of names, so that a name whose servers don't answer costs one look-up
 * in half a minute, and an outage of the name server does not stop deliveries to names that were in use.
 */
export function createResolver(options: ResolverOptions): Resolver {
  const { allowCidrs, lookup, timeoutMs, cacheMs, failureCacheMs, unanswered, referenceName } = options;
  const { maxLookups: inAll = 256, maxLookupsPerWorkspace = 32 } = options;
  const { now = () => performance.now() } = options;
  const turns = createTurns({ inAll, perTenant: () => maxLookupsPerWorkspace });
  const names = new BoundedMap<string, KnownName>(MAX_KNOWN_NAMES);
  return { resolve };

  async function resolve(hostname: string, workspaceId = ''): Promise<readonly LookupAddress[]> {
    const name = knownName(hostname);
    const { good } = name;
    const ageMs = good ? now() - good.atMs : Infinity;
    if (good && ageMs < cacheMs) return good.addresses;
    const found = find(hostname, { name, workspaceId });
    if (good && ageMs < cacheMs * REFRESHED_AHEAD) {
      found.catch(() => undefined);
      return good.addresses;
    }
    try {
      return await found;
    } catch (error) {
      if (good && ageMs < cacheMs * KEPT_THROUGH_FAILURES && isTemporary(error)) return good.addresses;
      throw error;
    }
  }

  function find(hostname: string, asked: Asked): Promise<readonly LookupAddress[]> {
    const { failure, running, waiting } = asked.name;
    if (failure && now() - failure.atMs < failureCacheMs) return Promise.reject(failure.error);
    return running ?? waiting.get(asked.workspaceId) ?? inTurn(hostname, asked);
  }

  function knownName(hostname: string): KnownName {
    const name = names.get(hostname) ?? { waiting: new Map() };
    names.set(hostname, name); // also if it is known: the least recently used one is forgotten first
    return name;
  }

  function inTurn(hostname: string, { name, workspaceId }: Asked): Promise<readonly LookupAddress[]> {
    const endOfWait = () => AbortSignal.timeout(Math.ceil(timeoutMs / 3));
    const found = turns.enter({ tenant: workspaceId }, endOfWait).then(async (hasBegun) => {
      if (!hasBegun) throw new EgressFailure('dns_timeout', 'other names of the workspace take all its look-ups');
      name.running ??= lookUp(hostname, name).finally(() => (name.running = undefined));
      return await name.running.finally(() => turns.leave({ tenant: workspaceId }));
    });
    name.waiting.set(workspaceId, found);
    return found.finally(() => name.waiting.delete(workspaceId));
  }

  async function lookUp(hostname: string, name: KnownName): Promise<readonly LookupAddress[]> {
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const addresses = checked(await unlessAborted(lookup(hostname, signal), signal), allowCidrs);
      unanswered?.answered(hostname);
      name.good = { addresses, atMs: now() };
      name.failure = undefined;
      return addresses;
    } catch (thrown) {
      const error = blamed(hostname, signal.aborted ? deadlinePassed(timeoutMs) : lookupFailure(thrown));
      name.failure = { error, atMs: now() };
      if (!isTemporary(error)) name.good = undefined;
      throw error;
    }
  }

  function blamed(hostname: string, failure: EgressFailure): EgressFailure {
    if (!isTemporary(failure)) {
      unanswered?.answered(hostname);
      return failure;
    }
    const isToBlame = unanswered?.failed(hostname) ?? false;
    if (referenceName !== undefined && referenceName !== hostname) resolve(referenceName).catch(() => undefined);
    return isToBlame ? new EgressFailure('dns_name_failed', failure.message) : failure;
  }
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

/** The name may have addresses that could not be read. */
function isTemporary(error: unknown): boolean {
  return error instanceof EgressFailure && ['dns_failed', 'dns_timeout', 'dns_name_failed'].includes(error.error);
}

function lookupFailure(error: unknown): EgressFailure {
  if (error instanceof EgressFailure) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  if (isAbsence(error)) return new EgressFailure('dns_not_found', code);
  return new EgressFailure(code === 'ETIMEOUT' ? 'dns_timeout' : 'dns_failed', code);
}

const deadlinePassed = (timeoutMs: number): EgressFailure => new EgressFailure('dns_timeout', `${timeoutMs} ms`);

/** A look-up that ignores the signal is left alone. */
async function unlessAborted<Result>(result: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort);
  try {
    return await Promise.race([result, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
