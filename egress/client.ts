import type { Cidr } from '../contract/addresses/classify-address.ts';
import { ipLiteral } from '../contract/addresses/judge-url.ts';
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
  /** Blocks of addresses that may be called although they are not public. */
  readonly allowCidrs: readonly Cidr[];
  readonly allowHttp: boolean;
  /** Over everything, from look-up to the last byte of the response's body; a request may set its own. */
  readonly timeoutMs?: number;
  readonly dnsTimeoutMs?: number;
  readonly connectTimeoutMs?: number;
  /** A burst to many destinations asks once for each name; short, because a vetted answer ages. */
  readonly dnsCacheMs?: number;
  /** A name whose look-ups have failed for so long, while others were resolved, is the destination's fault. */
  readonly blameNameAfterMs?: number;
  /** Something that we trust to have a name: whether it is resolved shows whose fault it is that another name is not. */
  readonly referenceUrl?: string | undefined;
  readonly maxConnectionsPerOrigin?: number;
  readonly maxOrigins?: number;
  readonly idleOriginMs?: number;
  /** Certificates to trust besides the usual roots, PEM. */
  readonly extraCa?: string;
  readonly lookup?: Lookup;
}

export interface Egress {
  /** Makes one request, once. Never rejects: whatever happens to it is a result. */
  send(request: EgressRequest): Promise<EgressResult>;
  /**
   * Why a request to the URL would be blocked now; undefined if it would be made. A name that can't be resolved is no
   * reason: the resolver may be at fault.
   */
  judge(url: string): Promise<BlockedError | undefined>;
  /** Origins whose connections are kept at the moment. */
  readonly originCount: number;
  /** Refuses new requests, waits for those under way, then closes all connections. */
  close(): Promise<void>;
}

/** Longer than name servers are away while they are moved or restarted. */
const BLAME_NAME_AFTER_MS = 10 * 60_000;

/** Written by this client or the HTTP library; a caller's own would change what is sent, or to whom it seems to be. */
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
 * The only way to an address that a user gave. A request goes to a vetted address or nowhere, follows no redirect, is
 * never repeated, ends by its deadline and reads a bounded answer without ever decompressing it.
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
      // Not idempotent, whatever the method: nothing is sent twice on account of a lost connection.
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

/** An address, or this machine, is found without asking anybody. */
function referenceNameOf(url: string | undefined): string | undefined {
  const hostname = url === undefined ? undefined : URL.parse(url)?.hostname;
  return hostname === undefined || hostname === 'localhost' || ipLiteral(hostname) !== undefined ? undefined : hostname;
}

/** The flat list of names and values that the HTTP library takes without a copy. */
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
