import type { RequestListener, Server } from 'node:http';
import { createHttpServer } from '../../process/http-server.ts';
import type { Log } from '../../process/log.ts';

/** Longer than the idle time-outs of load balancers, so that it is never us who closes a connection just as it is used. */
const KEEP_ALIVE_MS = 75_000;

/**
 * A connection on which nothing moves for so long is dropped: a client that stops reading would keep its answer, which may
 * be megabytes, in memory for good. Above the longest that an answer takes to begin, which is a file's on its way to the
 * platform (300 s); all else answers within 90 s, and streams beat every 15 s.
 */
const SILENCE_MS = 330_000;

export interface ApiServer {
  readonly listener: RequestListener;
  readonly log: Log;
  /** Tests make it shorter. */
  readonly silenceMs?: number;
}

/** The server of the API. */
export function createApiServer({ listener, log, silenceMs = SILENCE_MS }: ApiServer): Server {
  const server = createHttpServer({
    listener,
    onUnreadable: (refused) => log.info('request.rejected', { ...refused }),
    keepAliveTimeout: KEEP_ALIVE_MS,
  });
  server.setTimeout(silenceMs);
  return server;
}
