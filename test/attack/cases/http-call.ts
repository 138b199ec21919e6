import { type IncomingHttpHeaders, request as httpRequest } from 'node:http';
import { once } from 'node:events';
import { connect } from 'node:net';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface CallOptions {
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Strings and bytes are sent unchanged, other values as JSON. */
  readonly body?: unknown;
  /** Optional. The loopback address to call from. Default: a different one per call. */
  readonly from?: string;
}

const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
let turn = Math.floor(Math.random() * 60_000);

/**
 * Differs for each call, so that limits by client address don't hide other faults. Only Linux provides all of
 * 127.0.0.0/8 by default.
 */
function nextLocalAddress(hostname: string): { localAddress?: string } {
  if (process.platform !== 'linux' || !hostname.startsWith('127.')) return {};
  turn = (turn + 1) % 64_000;
  return { localAddress: `127.${16 + Math.floor(turn / 16_000)}.${Math.floor(turn / 250) % 250}.${1 + (turn % 250)}` };
}

/** Sends `METHOD /path` unchanged: no URL parser normalizes the path. */
export async function call(base: string, route: string, { headers, body, from }: CallOptions = {}): Promise<Answer> {
  const [method = 'GET', ...rest] = route.split(' ');
  const { hostname, port } = new URL(base);
  const sent = bytesOf(body);
  const request = httpRequest({
    hostname,
    port,
    method,
    path: rest.join(' '),
    agent: false,
    ...(from === undefined ? nextLocalAddress(hostname) : { localAddress: from }),
    headers: {
      ...(sent !== undefined && { 'content-length': String(sent.length) }),
      ...(isJson(body) && { 'content-type': 'application/json' }),
      ...(headers as Record<string, string>),
    },
  });
  return await new Promise<Answer>((resolve, reject) => {
    // The response may precede the end of the body.
    request.on('error', reject);
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      const end = (): void => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
        request.destroy();
      };
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        chunks.push(chunk);
        if (size > MAX_ANSWER_BYTES) end();
      });
      response.on('end', end);
      response.on('error', end);
    });
    request.end(sent);
  });
}

function isJson(body: unknown): boolean {
  return body !== undefined && typeof body !== 'string' && !(body instanceof Uint8Array);
}

function bytesOf(body: unknown): Buffer | undefined {
  if (body === undefined) return undefined;
  if (body instanceof Uint8Array) return Buffer.from(body);
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

export interface Conversation {
  readonly text: string;
  readonly isClosed: boolean;
}

export interface Talk {
  readonly url: string;
  readonly parts: readonly (string | Uint8Array)[];
  readonly isEnough: (text: string) => boolean;
  readonly timeoutMs: number;
}

export async function talk({ url, parts, isEnough, timeoutMs }: Talk): Promise<Conversation> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), ...nextLocalAddress(hostname) });
  let text = '';
  let isClosed = false;
  socket.on('error', () => undefined);
  const ended = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, timeoutMs);
    const end = (): void => (clearTimeout(timer), resolve());
    socket.once('close', () => ((isClosed = true), end()));
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      if (isEnough(text)) end();
    });
  });
  await Promise.race([once(socket, 'connect'), ended]).catch(() => undefined);
  for (const part of parts) if (socket.writable) socket.write(part);
  await ended;
  socket.destroy();
  return { text, isClosed };
}
