import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createHttpServer } from '../process/http-server.ts';
import type { Log } from '../process/log.ts';
import { securityHeaders } from '../process/security-headers.ts';
import type { MetricRegistry } from './registry.ts';

export interface MetricsServer {
  readonly url: string;
  close(): Promise<void>;
}

export interface StartMetrics {
  readonly port: number;
  readonly host: string;
  readonly register: Pick<MetricRegistry, 'expose'>;
  /** Optional. Answers health checks here, for processes without another server. */
  readonly health?: {
    /** Whether a restart would not help. */
    readonly isAlive: () => Promise<boolean>;
    readonly isReady: () => boolean;
    /** Whether it answers and has the right namespace. Without an answer, the process may be ready. */
    readonly temporalState: () => Promise<string>;
  };
  readonly log: Log;
}

const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

interface Health {
  readonly isGood: boolean;
  readonly status: string;
  readonly temporal?: string;
}

const readyStates: ReadonlySet<string> = new Set(['ok', 'unreachable']);

async function healthOf(path: string, health: NonNullable<StartMetrics['health']>): Promise<Health> {
  const { isAlive, isReady, temporalState } = health;
  if (path === '/healthz')
    return (await isAlive()) ? { isGood: true, status: 'ok' } : { isGood: false, status: 'hung' };
  const temporal = await temporalState();
  const isGood = isReady() && readyStates.has(temporal);
  return { isGood, status: isGood ? 'ready' : 'not_ready', temporal };
}

async function answerHealth(response: ServerResponse, asked: Promise<Health>): Promise<void> {
  const { isGood, ...body } = await asked;
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };
  response.writeHead(isGood ? 200 : 503, headers).end(JSON.stringify(body));
}

function answer(request: IncomingMessage, response: ServerResponse, start: StartMetrics): void {
  for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value);
  const path = request.method === 'GET' ? request.url?.split('?')[0] : undefined;
  if (start.health && (path === '/healthz' || path === '/readyz')) {
    void answerHealth(response, healthOf(path, start.health));
    return;
  }
  if (path !== '/metrics') {
    response.writeHead(404).end();
    return;
  }
  start.register.expose().then(
    (text) => response.writeHead(200, { 'content-type': CONTENT_TYPE, 'cache-control': 'no-store' }).end(text),
    (error: unknown) => {
      start.log.error('metrics.exposeFailed', { error });
      response.writeHead(500).end();
    },
  );
}

/**
 * Requires no authentication, for internal networks. A port in use is logged, because metrics must not stop the
 * process.
 */
export async function startMetrics(start: StartMetrics): Promise<MetricsServer | undefined> {
  const { port, host, log } = start;
  const server = createHttpServer({
    listener: (request, response) => answer(request, response, start),
    onUnreadable: (refused) => log.debug('request.rejected', { ...refused }),
  });
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    log.error('metrics.listenFailed', { error, port });
    return undefined;
  }
  server.unref(); // must not keep the process alive
  const address = server.address();
  const url = `http://${host}:${typeof address === 'object' ? address?.port : port}/metrics`;
  log.info('metrics.started', { url });
  return {
    url,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Port 0 disables metrics. */
export async function startMetricsIfEnabled(start: StartMetrics): Promise<MetricsServer | undefined> {
  return start.port === 0 ? undefined : await startMetrics(start);
}
