import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { statusByErrorCode, type ErrorCode } from '../contract/errors.ts';
import { ClosingResponse, closeLingering, isClosing, isIncomplete } from './lingering-close.ts';
import { stopTimes } from './stop-signals.ts';
import { errorBody, UNAVAILABLE_RETRY_SECONDS } from './http-errors.ts';
import { answeredRequestId, type RequestIds, requestIdsOf } from './request-id.ts';
import { securityHeaders } from './security-headers.ts';

export interface HttpServer extends Omit<ServerOptions, 'requireHostHeader' | 'requestTimeout' | 'ServerResponse'> {
  readonly listener: RequestListener;
  readonly onUnreadable: (rejected: UnreadableRequest) => void;
  /** Optional. Default: 30 s. */
  readonly bodyMs?: number;
}

const HEADERS_MS = 10_000;
const CHECK_MS = 1_000;
/** Responses sent before the stop leave keep-alive connections. */
const CLOSE_IDLE_EVERY_MS = 100;

export interface StopServer {
  readonly graceMs: number;
  /** Optional. Called when requests that wait for others must be answered. */
  readonly onAnswersDue?: () => void;
}

export interface StoppableServer extends Server {
  /**
   * Accepts no further request and resolves when all connections are closed. Running requests may finish. Those that
   * are still arriving or have no answer in time are refused before their connection is closed (ADR 34).
   */
  stop(stop: StopServer): Promise<void>;
}

/**
 * Rejects malformed, oversized and slow requests with the Error object and a request id; Node would send only a
 * status. A response that begins before its request is complete closes the connection.
 */
export function createHttpServer({
  listener,
  onUnreadable,
  bodyMs = BODY_MS,
  ...options
}: HttpServer): StoppableServer {
  let isStopping = false;
  const server = createServer({
    headersTimeout: HEADERS_MS,
    connectionsCheckingInterval: CHECK_MS,
    ...options,
    // Disabled, because files need a longer timeout than other requests.
    requestTimeout: 0,
    requireHostHeader: false,
    ServerResponse: ClosingResponse,
  });
  const latest = new Map<Duplex, Exchange>();
  /** Node does not count connections without a request as idle. */
  const unused = new Set<Socket>();
  server.on('connection', (socket) => {
    const { destroySoon } = socket;
    unused.add(socket);
    // Called after the last response of a connection.
    socket.destroySoon = () => {
      const exchange = latest.get(socket);
      if (exchange && isIncomplete(exchange.request)) closeLingering(socket);
      else destroySoon.call(socket);
    };
    socket.once('close', () => {
      latest.delete(socket);
      unused.delete(socket);
    });
  });
  server.on('request', (request, response) => {
    unused.delete(request.socket);
    latest.set(request.socket, { socket: request.socket, request, response });
    if (!isStopping && !lacksHost(request)) return listener(request, response);
    const rejected = rejectionOf(isStopping ? reasons.stopping : reasons.noHost, request);
    onUnreadable(rejected);
    const { head, body } = responseTo(rejected);
    response.writeHead(statusByErrorCode[rejected.code], head).end(body);
  });
  server.on('checkContinue', (request, response) => {
    continueWhenRead(request, response);
    server.emit('request', request, response);
  });
  // Node would reject other expectations with a bare 417.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!isClosing(socket)) rejectUnread(socket, error.code ?? 'UNKNOWN');
  });
  checkBodies();
  return Object.assign(server, { stop });

  async function stop({ graceMs, onAnswersDue }: StopServer): Promise<void> {
    isStopping = true;
    const { answersDueMs, lastAnswersMs, endMs } = stopTimes(graceMs);
    for (const { response } of latest.values()) response.shouldKeepAlive = false;
    const answersDue = setTimeout(() => {
      for (const socket of unused) socket.destroy();
      rejectUnanswered(reasons.stopping, ({ request }) => isIncomplete(request));
      onAnswersDue?.();
    }, answersDueMs);
    const lastAnswers = setTimeout(() => rejectUnanswered(reasons.stopped, () => true), lastAnswersMs);
    const end = setTimeout(() => server.closeAllConnections(), endMs);
    const closingIdle = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS);
    await new Promise((resolve) => {
      server.close(resolve);
      server.closeIdleConnections();
      for (const socket of unused) if (socket.bytesRead === 0) socket.destroy();
    });
    for (const timer of [answersDue, lastAnswers, end, closingIdle]) clearTimeout(timer);
  }

  function rejectUnanswered(reason: string, isDue: (exchange: Exchange) => boolean): void {
    for (const [socket, exchange] of latest) {
      if (!isClosing(socket) && !exchange.response.headersSent && isDue(exchange)) rejectUnread(socket, reason);
    }
  }

  function rejectUnread(socket: Duplex, reason: string): void {
    const { request, response } = latest.get(socket) ?? {};
    // The client would take these bytes for a part of another response.
    if (reason === 'ECONNRESET' || !socket.writable || isUnderWay(response)) return void socket.destroy();
    const rejected = rejectionOf(reason, response?.headersSent ? undefined : request);
    onUnreadable(rejected);
    socket.write(responseText(rejected));
    closeLingering(socket);
  }

  function checkBodies(): void {
    const check = (): void => {
      const moment = { nowMs: performance.now(), bodyMs };
      for (const [socket, exchange] of latest) {
        if (!isClosing(socket) && isBodyOverdue(exchange, moment)) rejectUnread(socket, reasons.late);
      }
    };
    const checkMs = options.connectionsCheckingInterval ?? CHECK_MS;
    server.on('listening', () => {
      const checking = setInterval(check, checkMs).unref();
      server.once('close', () => clearInterval(checking));
    });
  }
}

/** Sends 100 Continue when the body is first read, so that requests rejected by their headers send no body. */
function continueWhenRead(request: IncomingMessage, response: ServerResponse): void {
  const { _read: read } = request;
  request._read = (size) => {
    request._read = read;
    if (!response.headersSent) response.writeContinue();
    read.call(request, size);
  };
}

function isUnderWay(response: ServerResponse | undefined): boolean {
  if (response === undefined || response.writableFinished) return false;
  const waitsForAnother = response.socket === null;
  return waitsForAnother || (response.headersSent && !response.writableEnded);
}

/** HTTP/1.0 requests need no Host header. */
function lacksHost({ headers, httpVersion }: IncomingMessage): boolean {
  return headers.host === undefined && httpVersion === '1.1';
}

/** `reason` is Node's error code, or one of `reasons`. */
export interface UnreadableRequest extends RequestIds {
  readonly code: ErrorCode;
  readonly reason: string;
}

const reasons = {
  /** Node's code for late headers, also used for late bodies. */
  late: 'ERR_HTTP_REQUEST_TIMEOUT',
  noHost: 'NO_HOST',
  stopping: 'SERVER_STOPPING',
  stopped: 'SERVER_STOPPED',
} as const;

interface Rejection {
  readonly code: ErrorCode;
  readonly message: string;
}

const malformed: Rejection = { code: 'VALIDATION_ERROR', message: 'This is not a well-formed HTTP request.' };

const rejections: Readonly<Record<string, Rejection>> = {
  HPE_HEADER_OVERFLOW: { code: 'HEADERS_TOO_LARGE', message: 'The headers of the request are too large.' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    code: 'PAYLOAD_TOO_LARGE',
    message: 'The chunk extensions of the request are too large.',
  },
  [reasons.late]: { code: 'REQUEST_TIMEOUT', message: 'The request took too long to arrive.' },
  [reasons.noHost]: { code: 'VALIDATION_ERROR', message: 'The request has no Host header.' },
  [reasons.stopping]: {
    code: 'SERVICE_UNAVAILABLE',
    message: 'The server is stopping. Nothing was done. Try again shortly.',
  },
  [reasons.stopped]: {
    code: 'SERVICE_UNAVAILABLE',
    message: 'The server stopped before the request was complete. A change may have been made.',
  },
};

function rejectionOf(reason: string, request: IncomingMessage | undefined): UnreadableRequest {
  const { code } = rejections[reason] ?? malformed;
  return { ...requestIdsOf(request?.headers['x-request-id']), code, reason };
}

function responseTo(rejected: UnreadableRequest) {
  const { code, reason } = rejected;
  const { message } = rejections[reason] ?? malformed;
  const body = JSON.stringify(errorBody({ code, message }, answeredRequestId(rejected)));
  const head = {
    ...securityHeaders,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-request-id': answeredRequestId(rejected),
    ...(code === 'SERVICE_UNAVAILABLE' && { 'retry-after': String(UNAVAILABLE_RETRY_SECONDS) }),
    connection: 'close',
  };
  return { head, body };
}

function responseText(rejected: UnreadableRequest): string {
  const { head, body } = responseTo(rejected);
  const status = statusByErrorCode[rejected.code];
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}

export const BODY_MS = 30_000;
/** Even a poor mobile connection is faster. */
const MIN_BYTES_PER_SECOND = 16 * 1024;

const slowBodies = new WeakMap<IncomingMessage, number>();

export interface Exchange {
  /** Kept because a destroyed request has no socket. */
  readonly socket: Socket;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  waiting?: { readonly sinceMs: number; readonly bytesBefore: number };
}

/** Extends the deadline while the body arrives at 16 KiB a second. Only for files of authenticated senders. */
export function allowSlowBody(request: IncomingMessage, maxMs: number): void {
  slowBodies.set(request, maxMs);
}

interface Moment {
  readonly nowMs: number;
  readonly bodyMs: number;
}

/**
 * Counts only time spent waiting for the client, and none after the response started. Polled, so that requests cost
 * nothing.
 */
export function isBodyOverdue(exchange: Exchange, { nowMs, bodyMs }: Moment): boolean {
  const { socket, request, response } = exchange;
  if (!isIncomplete(request) || response.headersSent || request.readableLength > 0) return false;
  const { sinceMs, bytesBefore } = (exchange.waiting ??= { sinceMs: nowMs, bytesBefore: socket.bytesRead });
  const maxMs = slowBodies.get(request);
  const earnedMs = maxMs === undefined ? 0 : ((socket.bytesRead - bytesBefore) / MIN_BYTES_PER_SECOND) * 1000;
  return nowMs - sinceMs > Math.min(bodyMs + earnedMs, maxMs ?? bodyMs);
}
