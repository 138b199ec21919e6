import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { z } from 'zod';
import type { DelayedAnswers } from '../servers/delayed-answers.ts';

export const answerSchema = z.strictObject({
  status: z.int().min(200).max(599).optional(),
  headers: z.record(z.string(), z.string()).optional(),
  body: z.string().optional(),
  delayMs: z.int().min(0).max(600_000).optional(),
  mode: z.enum(['drip', 'reset', 'redirect', 'hang', 'raw']).optional(),
  /** For `raw`: these bytes as Latin-1, each in a write of its own, instead of a response by the rules of HTTP. */
  raw: z.array(z.string()).optional(),
  /** For `raw`: what follows the last byte. Default: `close`. */
  rawEnd: z.enum(['close', 'reset', 'keep']).optional(),
  dripMs: z.int().min(1).max(60_000).optional(),
  location: z.string().optional(),
});

export type Answer = z.output<typeof answerSchema>;

/** Longer than any sender's deadline, but finite. */
const DRIP_TOTAL_MS = 60_000;
const DEFAULT_DRIP_MS = 500;

/**
 * `onAnswered` receives the status when the status line is sent. A reset, a hang, raw bytes or a disconnected sender do
 * not call it.
 */
export function performAnswer(
  response: ServerResponse,
  answer: Answer,
  { delayed, onAnswered }: { readonly delayed: DelayedAnswers; readonly onAnswered: (status: number) => void },
): void {
  const send = (): void => answerNow(response, answer, onAnswered);
  if (answer.delayMs) response.once('close', delayed.after(answer.delayMs, send));
  else send();
}

function answerNow(response: ServerResponse, answer: Answer, onAnswered: (status: number) => void): void {
  const { mode, headers = {}, body = '', status = mode === 'redirect' ? 302 : 200 } = answer;
  if (mode === 'hang') return;
  if (mode === 'reset') {
    response.socket?.resetAndDestroy();
    return;
  }
  if (mode === 'raw') {
    if (response.socket) sendRaw(response.socket, answer);
    return;
  }
  onAnswered(status);
  switch (mode) {
    case 'drip':
      response.writeHead(status, headers);
      return drip(response, { body, dripMs: answer.dripMs ?? DEFAULT_DRIP_MS });
    case 'redirect':
      response.writeHead(status, { ...headers, location: answer.location ?? '/', 'content-length': 0 });
      response.end();
      return;
    case undefined:
      response.writeHead(status, withLength(status, headers, body));
      response.end(body);
  }
}

/** Each write waits for the one before, so that the pieces are not joined. */
function sendRaw(socket: Socket, { raw = [], rawEnd = 'close' }: Answer): void {
  const [piece, ...rest] = raw;
  if (piece !== undefined) socket.write(piece, 'latin1', () => sendRaw(socket, { raw: rest, rawEnd }));
  else if (rawEnd === 'reset') socket.resetAndDestroy();
  else if (rawEnd === 'close') socket.end();
}

/** 204 and 304 must not announce a body. */
function withLength(status: number, headers: Readonly<Record<string, string>>, body: string): Record<string, string> {
  if (status === 204 || status === 304) return headers;
  return { 'content-length': String(Buffer.byteLength(body)), ...headers };
}

/** Repeats the body byte by byte, so that only the end is late. */
function drip(response: ServerResponse, { body, dripMs }: { body: string; dripMs: number }): void {
  const bytes = Buffer.from(body || '.');
  const endAtMs = Date.now() + DRIP_TOTAL_MS;
  let position = 0;
  const timer = setInterval(() => {
    if (Date.now() > endAtMs) {
      clearInterval(timer);
      response.end();
      return;
    }
    response.write(bytes.subarray(position, position + 1));
    position = (position + 1) % bytes.length;
  }, dripMs);
  response.once('close', () => clearInterval(timer));
  response.flushHeaders();
}
