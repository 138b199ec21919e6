import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { onLoopback } from '../../harness/connections/loopback.ts';

export interface Arrival {
  readonly path: string;
  readonly deliveryId: string;
  readonly body: string;
  readonly atMs: number;
}

/** A receiver of this process: the victim's, which answers at once, or the attacker's, which may never answer. */
export interface FairnessReceiver {
  readonly url: string;
  /** Resolves to the first delivery that matches, also if it arrived before. Rejects after a minute. */
  arrival(isIt: (arrival: Arrival) => boolean): Promise<Arrival>;
  readonly arrivals: readonly Arrival[];
  /** Closes all connections, so that what hangs ends. */
  hangUp(): void;
  stop(): Promise<void>;
}

const VERIFY_TOKEN = 'fairness';
export const webhookAt = (receiver: FairnessReceiver, path: string) => ({
  webhookUrl: `${receiver.url}${path}`,
  verifyToken: VERIFY_TOKEN,
});
const ARRIVAL_DEADLINE_MS = 60_000;

/** `statusOf` returns undefined for a request that is never answered. */
export async function startFairnessReceiver(
  statusOf: (arrival: Arrival) => number | undefined,
): Promise<FairnessReceiver> {
  const arrivals: Arrival[] = [];
  const waiting = new Set<(arrival: Arrival) => void>();
  const server = createServer((request, response) => void receive(request, response));
  // More connections than any service opens to one receiver.
  server.maxConnections = 10_000;
  const { url, stop } = await onLoopback(server);

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => undefined);
    await once(request, 'end').catch(() => undefined);
    const deliveryId = String(request.headers['x-service-delivery-id'] ?? '');
    const path = request.url ?? '';
    const arrival = { path, deliveryId, body: Buffer.concat(chunks).toString(), atMs: performance.now() };
    const status = statusOf(arrival);
    if (deliveryId !== '') {
      arrivals.push(arrival);
      for (const tell of waiting) tell(arrival);
    }
    if (status !== undefined) response.writeHead(status).end(request.method === 'GET' ? VERIFY_TOKEN : '');
  }

  return {
    url,
    arrivals,
    hangUp: () => server.closeAllConnections(),
    arrival: (isIt) =>
      new Promise((resolve, reject) => {
        const known = arrivals.find(isIt);
        if (known !== undefined) return resolve(known);
        const end = (): void => (clearTimeout(timer), void waiting.delete(tell));
        const timer = setTimeout(
          () => (end(), reject(new Error('nothing arrived within a minute'))),
          ARRIVAL_DEADLINE_MS,
        );
        const tell = (arrival: Arrival): void => {
          if (isIt(arrival)) (end(), resolve(arrival));
        };
        waiting.add(tell);
      }),
    stop,
  };
}
