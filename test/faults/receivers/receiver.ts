import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { StopList } from '../../../dev/processes/stop-list.ts';
import { readBody } from '../../../simulator/servers/http-server.ts';
import { acceptAtLength, misbehave, type Misbehaving, type Misbehaviour } from './misbehaviours.ts';
import { onLoopback } from '../../harness/connections/loopback.ts';

export interface ReceiverOptions extends Misbehaving {
  readonly misbehaviour: Misbehaviour | undefined;
  readonly isMisbehaving: () => boolean;
  /** Called for each accepted delivery, before the response. */
  readonly onTaken: (body: Buffer) => void;
}

const MAX_BODY_BYTES = 256 * 1024;
const KEEP_ALIVE_MS = 120_000;

/** Returns the receiver's port. */
export async function startReceiver(options: ReceiverOptions, stops: StopList): Promise<number> {
  const { misbehaviour } = options;
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    // A killed sender leaves an incomplete request.
    receive(request, response).catch(() => response.destroy());
  });
  return await listen({ server, name: `receiver ${misbehaviour ?? 'healthy'}` }, stops);

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request, MAX_BODY_BYTES);
    if (misbehaviour === 'flip') response.setHeader('connection', 'close'); // Makes each delivery resolve the name again.
    if (misbehaviour && misbehaviour !== 'flip' && options.isMisbehaving()) {
      misbehave(misbehaviour, { request, response, needs: options });
      return;
    }
    options.onTaken(body);
    if (misbehaviour === 'huge') acceptAtLength(response, options.onPoured);
    else response.writeHead(200, { 'content-length': 0 }).end();
  }
}

export interface Trap {
  readonly port: number;
  readonly connectionCount: () => number;
}

/** The service must never connect to it. */
export async function startTrap({ host, port = 0 }: { host: string; port?: number }, stops: StopList): Promise<Trap> {
  let count = 0;
  const server = createServer((_request, response) => void response.end());
  server.on('connection', () => count++);
  return { port: await listen({ server, host, port, name: 'trap' }, stops), connectionCount: () => count };
}

interface Listening {
  readonly server: Server;
  readonly host?: string;
  readonly port?: number;
  readonly name: string;
}

async function listen({ server, name, ...at }: Listening, stops: StopList): Promise<number> {
  server.on('connection', (socket: Socket) => socket.on('error', () => undefined));
  const { port, stop } = await onLoopback(server, at);
  stops.add({ name, stop });
  return port;
}
