import type { Cidr } from '../contract/addresses/classify-address.ts';
import { ipLiteral } from '../contract/addresses/check-url.ts';
import type { BlockedError } from '../contract/deliveries/egress-errors.ts';
import { createConnector } from './connector.ts';
import { Exchange } from './exchange.ts';
import { EgressFailure } from './failure.ts';
import { createOrigins } from './origins.ts';
import { createResolver, type Lookup } from './resolve.ts';
import type { EgressRequest, EgressResult } from './result.ts';
import { createTargets } from './target.ts';
import { createUnansweredNames } from './unanswered-names.ts';

export type { EgressRequest, EgressResult } from './result.ts';

export interface EgressOptions {
  readonly allowCidrs: readonly Cidr[];
  readonly allowHttp: boolean;
  /** Optional. From the DNS lookup to the end of the body. Default: 10 s. */
  readonly timeoutMs?: number;
  readonly dnsTimeoutMs?: number;
  readonly connectTimeoutMs?: number;
  /** Optional. Short, because a checked address can change. Default: 5 s. */
  readonly dnsCacheMs?: number;
  /** Optional. A name that fails for this long while others resolve is blamed. Default: 10 min. */
  readonly blameNameAfterMs?: number;
  /** Optional. Its name tests the resolver. */
  readonly referenceUrl?: string | undefined;
  readonly maxConnectionsPerOrigin?: number;
  readonly maxOrigins?: number;
  readonly idleOriginMs?: number;
  /** Optional. Additional trusted certificates in PEM. */
  readonly extraCa?: string;
  readonly lookup?: Lookup;
}

export interface Egress {
  /** Never rejects. */
  send(request: EgressRequest): Promise<EgressResult>;
  /** Ignores failed lookups. */
  judge(url: string): Promise<BlockedError | undefined>;
  readonly originCount: number;
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
  const { allowCidrs, allowHttp, timeoutMs = 10_000, dnsTimeoutMs = 3_000, connectTimeoutMs = 5_000 } = options;
  const resolver = createResolver({
    allowCidrs,
    lookup: options.lookup,
    timeoutMs: dnsTimeoutMs,
    cacheMs: options.dnsCacheMs ?? 5_000,
    unanswered: createUnansweredNames({
      blameAfterMs: options.blameNameAfterMs ?? BLAME_NAME_AFTER_MS,
      now: () => performance.now(),
    }),
    referenceName: referenceNameOf(options.referenceUrl),
  });
  const origins = createOrigins({
    connect: createConnector({ resolver, allowCidrs, connectTimeoutMs, extraCa: options.extraCa }),
    maxConnectionsPerOrigin: options.maxConnectionsPerOrigin ?? 64,
    maxOrigins: options.maxOrigins ?? 1_000,
    idleMs: options.idleOriginMs ?? 60_000,
  });
  const targetOf = createTargets({ allowHttp, allow: allowCidrs });
  const underWay = createCounter();
  let isClosed = false;

  function send(request: EgressRequest): Promise<EgressResult> {
    const target = targetOf(request.url);
    const unsent = { startedAtMs: Date.now(), durationMs: 0 };
    if (!target.isAllowed) {
      return Promise.resolve({ outcome: 'blocked', error: target.error, detail: target.detail, ...unsent });
    }
    if (isClosed || request.signal?.aborted) {
      const detail = isClosed ? 'the client is closed' : 'aborted by the sender';
      return Promise.resolve({ outcome: 'no_response', error: 'aborted', detail, ...unsent });
    }
    underWay.add();
    return new Promise((resolve) => {
      const onSettled = (result: EgressResult) => {
        underWay.remove();
        resolve(result);
      };
      const exchange = new Exchange({ timeoutMs: request.timeoutMs ?? timeoutMs, signal: request.signal, onSettled });
      const { method, body = null } = request;
      const headers = headerList(request.headers);
      // Otherwise undici repeats the request after a lost connection.
      origins.dispatch(target.origin, { path: target.path, method, headers, body, idempotent: false }, exchange);
    });
  }

  async function judge(url: string): Promise<BlockedError | undefined> {
    const target = targetOf(url);
    if (!target.isAllowed) return target.error;
    if (target.name === undefined) return undefined;
    try {
      await resolver.resolve(target.name);
      return undefined;
    } catch (thrown) {
      if (thrown instanceof EgressFailure) return thrown.error === 'address_not_allowed' ? thrown.error : undefined;
      throw thrown;
    }
  }

  return {
    send,
    judge,
    get originCount() {
      return origins.size;
    },
    async close() {
      isClosed = true;
      await underWay.drained();
      await origins.close();
    },
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
