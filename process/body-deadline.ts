import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isIncomplete } from './lingering-close.ts';

/** How long a body may take, from the head of its request to its last byte. */
export const BODY_MS = 30_000;
/** What a file must come at, on average, to take longer. A client on a poor mobile connection is faster. */
const MIN_BYTES_PER_SECOND = 16 * 1024;

/** Requests whose body is a file, with the longest that it may take. */
const slowBodies = new WeakMap<IncomingMessage, number>();

/** One request and its answer, as a listener of ours follows them. */
export interface Exchange {
  /** The request's own; a request that was destroyed has none any more. */
  readonly socket: Socket;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Set when the request is first found waiting for its body. */
  waiting?: { readonly sinceMs: number; readonly bytesBefore: number };
}

/**
 * Lets the body of a request take longer than 30 s, up to `maxMs`, for as long as it keeps coming at 16 KiB a second.
 * Only for files, and only after their sender was authenticated.
 */
export function allowSlowBody(request: IncomingMessage, maxMs: number): void {
  slowBodies.set(request, maxMs);
}

interface Moment {
  readonly nowMs: number;
  readonly bodyMs: number;
}

/**
 * Whether the client took too long for its body. Time counts only while we wait for the client: not while bytes wait for
 * us, and not after the answer began. Called for every connection about once a second, which costs nothing per request.
 */
export function isBodyOverdue(exchange: Exchange, { nowMs, bodyMs }: Moment): boolean {
  const { socket, request, response } = exchange;
  if (!isIncomplete(request) || response.headersSent || request.readableLength > 0) return false;
  const { sinceMs, bytesBefore } = (exchange.waiting ??= { sinceMs: nowMs, bytesBefore: socket.bytesRead });
  const maxMs = slowBodies.get(request);
  const earnedMs = maxMs === undefined ? 0 : ((socket.bytesRead - bytesBefore) / MIN_BYTES_PER_SECOND) * 1000;
  return nowMs - sinceMs > Math.min(bodyMs + earnedMs, maxMs ?? bodyMs);
}
