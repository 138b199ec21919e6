import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isIncomplete } from './lingering-close.ts';

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
