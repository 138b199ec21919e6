import { setTimeout as sleep } from 'node:timers/promises';
import { createHttpServer } from '../process/http-server.ts';
import type { Shares } from '../process/shares.ts';
import { listen, stopTimes } from '../process/stop-signals.ts';
import { createGateway } from './create-gateway.ts';
import { defaultLimits, type GatewayDeps } from './calls/deps.ts';

export interface StartGateway extends Omit<GatewayDeps, 'gatewayUrl' | 'isStopping'> {
  readonly port: number;
  readonly host: string;
  /** Optional. Default: the listening address. */
  readonly gatewayUrl?: string;
}

export interface RunningGateway {
  readonly url: string;
  readonly callShares: Shares;
  /** Both default to 0. */
  stop(options?: { readonly delayMs?: number; readonly graceMs?: number }): Promise<void>;
}

/** Exceeds the idle timeouts of load balancers, so that the gateway never closes a connection in use. */
const KEEP_ALIVE_MS = 75_000;
const MAX_HEADER_BYTES = 32 * 1024;

export async function startGateway({ port, host, gatewayUrl, ...deps }: StartGateway): Promise<RunningGateway> {
  const { callMs, answerMarginMs } = { ...defaultLimits, ...deps.limits };
  // A call that times out still gets a response.
  const connectionMs = callMs + answerMarginMs;
  const server = createHttpServer({
    listener: (request, response) => gateway.handle(request, response),
    onUnreadable: (refused) => deps.log.info('request.rejected', { ...refused }),
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
  });
  server.setTimeout(connectionMs);
  await listen(server, { port, host, setting: 'GATEWAY_PORT' });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server does not listen on a TCP port');
  const url = gatewayUrl ?? `http://${host}:${address.port}`;
  let isStopping = false;
  const gateway = createGateway({ ...deps, gatewayUrl: url, isStopping: () => isStopping });
  return {
    url,
    callShares: gateway.callShares,
    async stop({ delayMs = 0, graceMs = 0 } = {}) {
      isStopping = true;
      await sleep(delayMs);
      const callsEndAtMs = performance.now() + stopTimes(graceMs).lastAnswersMs;
      await server.stop({ graceMs, onAnswersDue: gateway.endCalls });
      await gateway.close({ withinMs: callsEndAtMs - performance.now() });
    },
  };
}
