import type { RequestListener } from 'node:http';
import { createHttpServer, type StoppableServer } from '../../process/http-server.ts';
import type { Log } from '../../process/log.ts';

/** Exceeds the idle timeouts of load balancers, so that the server never closes a connection in use. */
const KEEP_ALIVE_MS = 75_000;

/**
 * Clients that stop reading keep their responses in memory. Exceeds the slowest response, an upload to the platform
 * (300 s); streams send a heartbeat every 15 s.
 */
const SILENCE_MS = 330_000;

export interface ApiServer {
  readonly listener: RequestListener;
  readonly log: Log;
  /** Optional. Default: 330 s. */
  readonly silenceMs?: number;
}

export function createApiServer({ listener, log, silenceMs = SILENCE_MS }: ApiServer): StoppableServer {
  const server = createHttpServer({
    listener,
    onUnreadable: (refused) => log.info('request.rejected', { ...refused }),
    keepAliveTimeout: KEEP_ALIVE_MS,
  });
  server.setTimeout(silenceMs);
  return server;
}
