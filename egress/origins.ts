import { Client, type buildConnector, type Dispatcher } from 'undici';
import type { Exchange } from './exchange.ts';

export interface OriginsOptions {
  readonly connect: buildConnector.connector;
  readonly maxConnectionsPerOrigin: number;
  /** Exceeded only while all origins are busy. */
  readonly maxOrigins: number;
  readonly idleMs: number;
}

export interface Origins {
  dispatch(origin: string, options: Dispatcher.DispatchOptions, exchange: Exchange): void;
  readonly size: number;
  close(): Promise<void>;
}

interface Waiting {
  readonly options: Dispatcher.DispatchOptions;
  readonly exchange: Exchange;
}

interface Origin {
  readonly name: string;
  readonly clients: Client[];
  /** Most recently used last. */
  readonly free: Client[];
  readonly waiting: Waiting[];
  /** If false, a late request is a connect timeout. */
  isReached: boolean;
  idleSinceMs: number;
}

/** Servers close idle connections after five seconds or more. */
const KEEP_ALIVE_MS = 4_000;
const KEEP_ALIVE_MAX_MS = 30_000;
const MAX_HEADER_BYTES = 16 * 1024;

/** Undici's pool opens another connection when a request directly follows a response. */
export function createOrigins(options: OriginsOptions): Origins {
  const { maxConnectionsPerOrigin, maxOrigins, idleMs } = options;
  const origins = new Map<string, Origin>();
  /** Longest idle first. */
  const idle = new Map<string, Origin>();
  const sweep = setInterval(() => forgetIdleSince(performance.now() - idleMs), idleMs).unref();

  function forgetIdleSince(cutoffMs: number): void {
    for (const origin of idle.values()) {
      if (origins.size <= maxOrigins && origin.idleSinceMs > cutoffMs) return;
      idle.delete(origin.name);
      origins.delete(origin.name);
      void destroyAll(origin);
    }
  }

  function start(origin: Origin, client: Client, { options, exchange }: Waiting): void {
    exchange.onReleased = () => released(origin, client);
    exchange.lateError = () => (origin.isReached ? 'timeout' : 'connect_timeout');
    client.dispatch(options, exchange);
  }

  function released(origin: Origin, client: Client): void {
    const next = nextWaiting(origin);
    if (next) return start(origin, client, next);
    origin.free.push(client);
    if (origin.free.length < origin.clients.length) return;
    origin.idleSinceMs = performance.now();
    idle.set(origin.name, origin);
    if (origins.size > maxOrigins) forgetIdleSince(-Infinity);
  }

  return {
    dispatch(name, dispatchOptions, exchange) {
      const origin = origins.get(name) ?? openOrigin(name);
      origins.set(name, origin);
      idle.delete(name);
      const request = { options: dispatchOptions, exchange };
      const isFull = origin.clients.length >= maxConnectionsPerOrigin;
      const client = origin.free.pop() ?? (isFull ? undefined : openClient(origin, options.connect));
      if (client) start(origin, client, request);
      else origin.waiting.push(request);
    },
    get size() {
      return origins.size;
    },
    async close() {
      clearInterval(sweep);
      await Promise.all(Array.from(origins.values(), destroyAll));
      origins.clear();
      idle.clear();
    },
  };
}

function openOrigin(name: string): Origin {
  return { name, clients: [], free: [], waiting: [], isReached: false, idleSinceMs: 0 };
}

function nextWaiting(origin: Origin): Waiting | undefined {
  let next = origin.waiting.shift();
  while (next?.exchange.isSettled) next = origin.waiting.shift();
  return next;
}

async function destroyAll({ clients }: Origin): Promise<void> {
  await Promise.all(clients.map((client) => client.destroy()));
}

function openClient(origin: Origin, connect: buildConnector.connector): Client {
  const client = new Client(origin.name, {
    connect,
    pipelining: 1,
    allowH2: false,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MAX_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    // Disabled, because each exchange has one absolute deadline.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  client.on('connect', () => (origin.isReached = true));
  client.on('connectionError', () => (origin.isReached = false));
  origin.clients.push(client);
  return client;
}
