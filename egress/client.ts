import type { Cidr } from '../contract/addresses/classify-address.ts';
import { ipLiteral } from '../contract/addresses/check-url.ts';
import type { BlockedError } from '../contract/deliveries/egress-errors.ts';
import { createConnector, createTrust } from './connector.ts';
import { Exchange } from './exchange.ts';
import { EgressFailure } from './failure.ts';
import { type ConnectionStats, createConnections } from './connections.ts';
import { createLookup, type Lookup } from './look-up.ts';
import { createResolver } from './resolve.ts';
import type { EgressRequest, EgressResult, GroupOwner, NotSentReason } from './result.ts';
import { createTargets } from './target.ts';
import { createUnansweredNames } from './unanswered-names.ts';

export type { EgressRequest, EgressResult } from './result.ts';

export interface EgressOptions {
  readonly allowCidrs: readonly Cidr[];
  readonly allowHttp: boolean;
  /** Optional. From the grant of a connection (DNS lookup, TCP and TLS included) to the end of the body. Default: 10 s. */
  readonly timeoutMs?: number;
  readonly dnsTimeoutMs?: number;
  readonly connectTimeoutMs?: number;
  /** Optional. Short, because a checked address can change. Default: 5 s. */
  readonly dnsCacheMs?: number;
  /** Optional. Default: 30 s. */
  readonly dnsFailureCacheMs?: number;
  /** Optional. A name that fails for this long while others resolve is blamed. Default: 10 min. */
  readonly blameNameAfterMs?: number;
  /** Optional. Its name tests the resolver. */
  readonly referenceUrl?: string | undefined;
  /** Optional. For each origin and group. Default: 64. */
  readonly maxConnectionsPerGroup?: number;
  /** Optional. Requests under way of one workspace. Default: 1,024. */
  readonly maxConnectionsPerWorkspace?: number;
  /** Optional. Includes idle connections. Default: 4,096. */
  readonly maxConnections?: number;
  /** Optional. Requests without a connection; further ones are not sent. A workspace may have a quarter. Default: 16,384. */
  readonly maxWaiting?: number;
  /** Optional. Bytes of their bodies. Default: 256 MiB. */
  readonly maxWaitingBytes?: number;
  readonly idleConnectionMs?: number;
  readonly meter?: EgressMeter | undefined;
  /** Optional. Additional trusted certificates in PEM. */
  readonly extraCa?: string;
  /** Optional. Default: the hosts file, then queries of the name servers. */
  readonly lookup?: Lookup;
}

export interface EgressMeter {
  /** A request got a connection after a wait. */
  waited(waitedMs: number): void;
  notSent(reason: NotSentReason): void;
}

export interface Egress {
  /** Never rejects. */
  send(request: EgressRequest): Promise<EgressResult>;
  /** Ignores failed lookups. */
  judge(url: string, owner?: Pick<GroupOwner, 'workspaceId'>): Promise<BlockedError | undefined>;
  stats(): ConnectionStats;
  /** Drops waiting requests and waits for those under way. */
  close(): Promise<void>;
}

/** Longer than a usual name server outage. */
const BLAME_NAME_AFTER_MS = 10 * 60_000;

/** Callers can't set these: they could change the framing or the host. */
const ownedHeaders = new Set(
  [
    'host',
    'connection',
    'keep-alive',
    'transfer-encoding',
    'content-length',
    'te',
    'trailer',
    'upgrade',
    'expect',
  ].concat(['accept-encoding', 'proxy-connection', 'proxy-authorization']),
);

/**
 * The only client for URLs that users supply. Connects only to checked addresses, follows no redirects, never retries,
 * and reads a bounded response without decompressing it.
 */
export function createEgress(options: EgressOptions): Egress {
  const { allowCidrs, allowHttp, timeoutMs = 10_000, dnsTimeoutMs = 3_000, connectTimeoutMs = 5_000, meter } = options;
  // With the wait for its turn, a slow look-up must fail before the deadlines that are charged to the receiver.
  const lookupMs = Math.min(dnsTimeoutMs, Math.ceil(timeoutMs / 2));
  const resolver = createResolver({
    allowCidrs,
    lookup: options.lookup ?? createLookup(),
    timeoutMs: lookupMs,
    cacheMs: options.dnsCacheMs ?? 5_000,
    failureCacheMs: options.dnsFailureCacheMs ?? 30_000,
    unanswered: createUnansweredNames({
      blameAfterMs: options.blameNameAfterMs ?? BLAME_NAME_AFTER_MS,
      now: () => performance.now(),
    }),
    referenceName: referenceNameOf(options.referenceUrl),
  });
  const secureContext = createTrust(options.extraCa);
  const connections = createConnections({
    connectorOf: (workspaceId) =>
      createConnector({ workspaceId, resolver, allowCidrs, connectTimeoutMs, secureContext }),
    ...connectionLimits(options),
    onWaited: (waitedMs) => meter?.waited(waitedMs),
  });
  const targetOf = createTargets({ allowHttp, allow: allowCidrs });
  const underWay = createCounter();
  let isClosed = false;

  function send(request: EgressRequest): Promise<EgressResult> {
    const target = targetOf(request.url);
    if (!target.isAllowed) {
      const { error, detail } = target;
      return Promise.resolve({ outcome: 'blocked', error, detail, startedAtMs: Date.now(), durationMs: 0 });
    }
    if (isClosed || request.signal?.aborted) {
      const reason = isClosed ? 'client_closed' : 'aborted';
      meter?.notSent(reason);
      return Promise.resolve({ outcome: 'not_sent', reason });
    }
    underWay.add();
    return new Promise((resolve) => {
      const onSettled = (result: EgressResult) => {
        underWay.remove();
        if (result.outcome === 'not_sent') meter?.notSent(result.reason);
        resolve(result);
      };
      const { method, body = null } = request;
      const headers = headerList(request.headers);
      // Otherwise undici repeats the request after a lost connection.
      const dispatch = { path: target.path, method, headers, body, idempotent: false };
      const exchange = new Exchange({ request, dispatch, timeoutMs: request.timeoutMs ?? timeoutMs, onSettled });
      connections.send(target.origin, exchange);
    });
  }

  async function judge(
    url: string,
    { workspaceId }: Pick<GroupOwner, 'workspaceId'> = {},
  ): Promise<BlockedError | undefined> {
    const target = targetOf(url);
    if (!target.isAllowed) return target.error;
    if (target.name === undefined) return undefined;
    try {
      await resolver.resolve(target.name, workspaceId);
      return undefined;
    } catch (thrown) {
      if (thrown instanceof EgressFailure) return thrown.error === 'address_not_allowed' ? thrown.error : undefined;
      throw thrown;
    }
  }

  return {
    send,
    judge,
    stats: connections.stats,
    async close() {
      isClosed = true;
      connections.refuseWaiting('client_closed');
      await underWay.drained();
      await connections.close();
    },
  };
}

function connectionLimits(options: EgressOptions) {
  return {
    maxPerGroup: options.maxConnectionsPerGroup ?? 64,
    maxPerWorkspace: options.maxConnectionsPerWorkspace ?? 1_024,
    max: options.maxConnections ?? 4_096,
    maxWaiting: options.maxWaiting ?? 16_384,
    maxWaitingBytes: options.maxWaitingBytes ?? 256 * 1024 * 1024,
    idleMs: options.idleConnectionMs ?? 60_000,
  };
}

/** IP addresses and localhost don't test the resolver. */
function referenceNameOf(url: string | undefined): string | undefined {
  const hostname = url === undefined ? undefined : URL.parse(url)?.hostname;
  return hostname === undefined || hostname === 'localhost' || ipLiteral(hostname) !== undefined ? undefined : hostname;
}

function headerList(headers: Readonly<Record<string, string>>): string[] {
  const list = ['accept-encoding', 'identity'];
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined || ownedHeaders.has(name) || ownedHeaders.has(name.toLowerCase())) continue;
    list.push(name, value);
  }
  return list;
}

function createCounter(): { add(): void; remove(): void; drained(): Promise<void> } {
  let count = 0;
  let onDrained: (() => void) | undefined;
  return {
    add() {
      count++;
    },
    remove() {
      if (--count === 0) onDrained?.();
    },
    drained() {
      if (count === 0) return Promise.resolve();
      return new Promise((resolve) => (onDrained = resolve));
    },
  };
}
