import { once } from 'node:events';
import { createServer } from 'node:http';
import type { StopList } from '../../../dev/processes/stop-list.ts';
import { readBody } from '../../../simulator/servers/http-server.ts';
import { messageIdOf } from '../receivers/arrival-record.ts';

export const moods = ['healthy', 'choosy', 'down'] as const;
/** `choosy` refuses every other message, so that deliveries fail while the circuit stays closed. */
export type Mood = (typeof moods)[number];

export interface MoodyReceiver {
  url(mood: Mood): string;
  /** Messages by the id of their delivery, and by their own id. */
  readonly messageOfDelivery: ReadonlyMap<string, string>;
  readonly takenMessages: ReadonlySet<string>;
  /** Deliveries whose id came with two messages. */
  readonly mixedUp: readonly string[];
  heal(): void;
}

const MAX_BODY_BYTES = 256 * 1024;

export async function startMoodyReceiver(stops: StopList): Promise<MoodyReceiver> {
  const messageOfDelivery = new Map<string, string>();
  const takenMessages = new Set<string>();
  const mixedUp: string[] = [];
  let isHealed = false;
  const server = createServer((request, response) => {
    void readBody(request, MAX_BODY_BYTES).then(
      (body) => {
        const message = messageIdOf(body);
        const isTaken = take(request.url?.slice(1) as Mood, {
          delivery: String(request.headers['webhook-id']),
          message,
        });
        response.writeHead(isTaken ? 200 : 503, { 'content-length': 0 }).end();
      },
      () => response.destroy(), // A killed sender leaves an incomplete request.
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stops.add({
    name: 'receiver',
    stop: async () => {
      server.close();
      server.closeAllConnections();
    },
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('A TCP server has an address with a port');
  return {
    url: (mood) => `http://127.0.0.1:${address.port}/${mood}`,
    ...{ messageOfDelivery, takenMessages, mixedUp },
    heal: () => void (isHealed = true),
  };

  function take(mood: Mood, { delivery, message }: { delivery: string; message: string | undefined }): boolean {
    if (message === undefined) return true;
    const known = messageOfDelivery.get(delivery);
    if (known !== undefined && known !== message) mixedUp.push(delivery);
    messageOfDelivery.set(delivery, message);
    const isOdd = Number(message.split('.').at(-1)) % 2 === 1;
    if (!isHealed && (mood === 'down' || (mood === 'choosy' && isOdd))) return false;
    takenMessages.add(message);
    return true;
  }
}
