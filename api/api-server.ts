import { createServer, type RequestListener, type Server } from 'node:http';

/** Longer than the idle time-outs of load balancers, so that it is never us who closes a connection just as it is used. */
const KEEP_ALIVE_MS = 75_000;

/**
 * A connection on which nothing moves for so long is dropped: a client that stops reading would keep its answer, which may
 * be megabytes, in memory for good. Above the longest that an answer takes to begin, which is a file's on its way to the
 * platform (300 s); all else answers within 90 s, and streams beat every 15 s.
 */
const SILENCE_MS = 330_000;

/** The server of the API; tests make its silences shorter. */
export function createApiServer(listener: RequestListener, { silenceMs = SILENCE_MS } = {}): Server {
  const server = createServer(listener);
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.setTimeout(silenceMs);
  return server;
}
