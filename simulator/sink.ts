import type { IncomingMessage, ServerResponse } from 'node:http';
import { listen, type RunningServer } from './servers/http-server.ts';

/** A minimal receiver for benches and loads. It answers 200 and reports deliveries. Any GET is a verification probe. */
export interface SinkOptions {
  readonly port: number;
  readonly onRequest?: (arrival: SinkArrival) => void;
  readonly answerTo?: (path: string, request: SinkArrival) => SinkAnswer | undefined;
}

/** A request with a scripted status other than 200 is not reported. */
export interface SinkAnswer {
  readonly status?: number;
  readonly delayMs?: number;
}

export interface SinkArrival {
  readonly deliveryId: string;
  readonly path: string;
  readonly arrivedAtMs: number;
  readonly body: Buffer;
}

export async function startSink({ port, onRequest, answerTo }: SinkOptions): Promise<RunningServer> {
  function receive(request: IncomingMessage, response: ServerResponse): void {
    if (request.method !== 'POST') return answerGet(request, response);
    const arrivedAtMs = performance.timeOrigin + performance.now();
    const deliveryId = rawHeader(request, 'webhook-id');
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    // Answered after the last byte, because a truncated delivery has not arrived.
    request.on('end', () => {
      if (deliveryId === undefined) return answerEmpty(response, 200); // An empty probe is no delivery.
      const arrival = { deliveryId, path: request.url ?? '', arrivedAtMs, body: Buffer.concat(chunks) };
      const { status = 200, delayMs = 0 } = answerTo?.(arrival.path, arrival) ?? {};
      if (status === 200) onRequest?.(arrival);
      if (delayMs === 0) answerEmpty(response, status);
      else setTimeout(answerEmpty, delayMs, response, status);
    });
  }

  return await listen({ port, onRequest: receive });
}

const EMPTY_HEADERS = ['content-length', '0'];

function answerEmpty(response: ServerResponse, status: number): void {
  response.sendDate = false;
  response.writeHead(status, EMPTY_HEADERS);
  response.end();
}

function answerGet(request: IncomingMessage, response: ServerResponse): void {
  const { searchParams } = new URL(request.url ?? '/', 'http://sink');
  const challenge = searchParams.get('hub.challenge') ?? '';
  response.writeHead(200, { 'content-length': Buffer.byteLength(challenge) });
  response.end(challenge);
}

/** Parsing the headers would cost more than the rest of the request. */
function rawHeader({ rawHeaders }: IncomingMessage, name: string): string | undefined {
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const key = rawHeaders[index];
    if (key?.length === name.length && key.toLowerCase() === name) return rawHeaders[index + 1];
  }
  return undefined;
}
