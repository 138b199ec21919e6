import type { RequestListener, Server } from 'node:http';
import { createHttpServer } from '../../process/http-server.ts';
import type { Log } from '../../process/log.ts';

/**
 * Exceeds the idle timeouts of load balancers. Otherwise the server could close a connection that the balancer is about
 * to reuse.
 */
const KEEP_ALIVE_MS = 75_000;

/**
 * Drops connections without traffic: a client that stops reading keeps its response, possibly megabytes, in memory.
 * Must exceed the slowest response, an upload to the platform (300 s). Others take at most 90 s; streams send a
 * heartbeat every 15 s.
 */
const SILENCE_MS = 330_000;

export interface ApiServer {
  readonly listener: RequestListener;
  readonly log: Log;
  /** Optional. Default: 330 s. */
  readonly silenceMs?: number;
}

export function createApiServer({ listener, log, silenceMs = SILENCE_MS }: ApiServer): Server {
  const server = createHttpServer({
    listener,
    onUnreadable: (refused) => log.info('request.rejected', { ...refused }),
    keepAliveTimeout: KEEP_ALIVE_MS,
  });
  server.setTimeout(silenceMs);
  return server;
}
