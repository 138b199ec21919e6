import type { IncomingMessage, ServerResponse } from 'node:http';
import { listen, sendJson, type RunningServer } from '../servers/http-server.ts';
import { ArrivalLog } from './arrival-log.ts';

/**
 * A minimal receiver for benches. It answers 200 and records the id and time of deliveries. `GET /stats` returns the
 * counts; any other GET is a verification probe.
 */
export interface SinkOptions {
  readonly port: number;
  /** The body requires `readBodies`. */
  readonly onRequest?: (arrival: SinkArrival) => void;
  readonly readBodies?: boolean;
  /** The body requires `readBodies`. */
  readonly answerTo?: (path: string, request: SinkArrival) => SinkAnswer | undefined;
}

/** A request with a scripted status other than 200 does not count as an arrival. */
export interface SinkAnswer {
  readonly status?: number;
  readonly delayMs?: number;
}

export interface SinkArrival {
  readonly deliveryId: string;
  readonly path: string;
  readonly arrivedAtMs: number;
  readonly body?: Buffer;
}

export interface Sink extends RunningServer {
  readonly arrivals: ArrivalLog;
}

export async function startSink({ port, onRequest, readBodies = false, answerTo }: SinkOptions): Promise<Sink> {
  const arrivals = new ArrivalLog();

  function receive(request: IncomingMessage, response: ServerResponse): void {
    if (request.method !== 'POST') return answerGet(request, response, arrivals);
    const arrivedAtMs = performance.timeOrigin + performance.now();
    const deliveryId = rawHeader(request, 'webhook-id');
    if (deliveryId === undefined) return answerProbe(request, response); // An empty probe is no delivery.
    const chunks: Buffer[] = [];
    if (readBodies) request.on('data', (chunk: Buffer) => chunks.push(chunk));
    else request.resume();
    // Answered after the last byte, because a truncated delivery has not arrived.
    request.on('end', () => {
      const body = readBodies && { body: Buffer.concat(chunks) };
      const arrival = { deliveryId, path: request.url ?? '', arrivedAtMs, ...body };
      const { status = 200, delayMs = 0 } = answerTo?.(arrival.path, arrival) ?? {};
      if (status === 200) {
        arrivals.add(deliveryId, arrivedAtMs);
        onRequest?.(arrival);
      }
      if (delayMs === 0) answerEmpty(response, status);
      else setTimeout(answerEmpty, delayMs, response, status);
    });
  }

  const server = await listen({ port, onRequest: receive });
  return { ...server, arrivals };
}

const EMPTY_HEADERS = ['content-length', '0'];

function answerEmpty(response: ServerResponse, status: number): void {
  response.sendDate = false;
  response.writeHead(status, EMPTY_HEADERS);
  response.end();
}

function answerProbe(request: IncomingMessage, response: ServerResponse): void {
  request.resume();
  answerEmpty(response, 200);
}

function answerGet(request: IncomingMessage, response: ServerResponse, arrivals: ArrivalLog): void {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://sink');
  if (pathname === '/stats') return sendJson(response, 200, arrivals.stats);
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
