import { createHttpServer } from '../process/http-server.ts';
import { createGateway } from './create-gateway.ts';
import { defaultLimits, type GatewayDeps } from './calls/deps.ts';

export interface StartGateway extends Omit<GatewayDeps, 'gatewayUrl'> {
  /** 0 takes a free one. */
  readonly port: number;
  readonly host: string;
  /** Where callers reach it, if not at the address that it listens on. */
  readonly gatewayUrl?: string;
}

export interface RunningGateway {
  readonly url: string;
  /** Takes no more connections, finishes what has begun, and drops what is not finished in time. */
  stop(options?: { readonly graceMs?: number }): Promise<void>;
}

/** Longer than the idle time-outs of load balancers, so that it is never us who closes a connection just as it is used. */
const KEEP_ALIVE_MS = 75_000;
const MAX_HEADER_BYTES = 32 * 1024;

/** Listens for calls with channel tokens. */
export async function startGateway({ port, host, gatewayUrl, ...deps }: StartGateway): Promise<RunningGateway> {
  const { callMs, answerMarginMs } = { ...defaultLimits, ...deps.limits };
  // Above the time for a call, which has an answer of its own.
  const connectionMs = callMs + answerMarginMs;
  const server = createHttpServer({
    listener: (request, response) => gateway.handle(request, response),
    onUnreadable: (refused) => deps.log.info('request.rejected', { ...refused }),
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
  });
  server.setTimeout(connectionMs);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('A TCP server has an address with a port');
  const url = gatewayUrl ?? `http://${host}:${address.port}`;
  const gateway = createGateway({ ...deps, gatewayUrl: url });
  return {
    url,
    async stop({ graceMs = 0 } = {}) {
      const overdue = setTimeout(() => server.closeAllConnections(), graceMs);
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeIdleConnections();
      });
      clearTimeout(overdue);
      await gateway.close();
    },
  };
}
