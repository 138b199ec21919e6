import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { z } from 'zod';
import { createHttpServer } from '../../process/http-server.ts';
import { isDevelopmentHost } from './development-hosts.ts';

export interface RunningServer {
  readonly url: string;
  readonly port: number;
  /** Also drops connections in the middle of a response. */
  readonly stop: () => Promise<void>;
}

/** Longer than clients keep idle connections, so a reused one is never closed under a request. */
const KEEP_ALIVE_MS = 120_000;

export interface Listening {
  /** 0 selects a free port. */
  readonly port: number;
  readonly onRequest: RequestListener;
  /** Optional. Host names accepted besides localhost. */
  readonly hosts?: readonly string[];
}

/** Refuses requests for other hosts: a web page may have pointed its own name at this machine (DNS rebinding). */
export async function listen({ port, onRequest, hosts = [] }: Listening): Promise<RunningServer> {
  const server = createHttpServer({
    keepAliveTimeout: KEEP_ALIVE_MS,
    listener: (request, response) => {
      if (isDevelopmentHost(request.headers.host, hosts)) onRequest(request, response);
      else sendError(response, foreignHost());
    },
    onUnreadable: () => undefined,
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('A TCP server has an address with a port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    port: address.port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export class RequestRefused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const foreignHost = (): RequestRefused =>
  new RequestRefused(421, 'This tool answers localhost only. Add the host name to DEVELOPMENT_HOSTS to allow it.');

/** Refuses longer bodies with 413. Rejects if the sender disconnects. */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > maxBytes) {
        request.removeAllListeners('data').resume();
        reject(new RequestRefused(413, `The body is longer than ${maxBytes} bytes`));
        return;
      }
      chunks.push(chunk);
    });
    request.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    request.on('error', reject);
    request.on('close', () => {
      if (!request.complete) reject(new Error('The sender disconnected before the end of the body'));
    });
  });
}

export async function readJson(request: IncomingMessage): Promise<unknown> {
  const body = await readBody(request, 1024 * 1024);
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new RequestRefused(400, 'The body is not valid JSON.');
  }
}

export function parseInput<T>(schema: z.ZodType<T>, input: unknown): T {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`);
  throw new RequestRefused(400, problems.join('; '));
}

export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  const body = JSON.stringify(value);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

export function sendError(response: ServerResponse, error: unknown): void {
  if (response.destroyed || response.headersSent) {
    response.destroy();
    return;
  }
  const status = error instanceof RequestRefused ? error.status : 500;
  sendJson(response, status, { statusCode: status, message: error instanceof Error ? error.message : String(error) });
}
