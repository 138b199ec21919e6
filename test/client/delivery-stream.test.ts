import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { type FollowDeliveries, followDeliveries } from '../../client/delivery-stream.ts';
import { ApiError } from '../../client/errors.ts';
import { startTestServer, sendJson } from './test-server.ts';

const begin = (response: ServerResponse) => response.writeHead(200, { 'content-type': 'text/event-stream' });
const frame = (id: string, deliveryId: string) =>
  `id: ${id}\nevent: delivery\ndata: {"deliveryId":"${deliveryId}"}\n\n`;

const TURNS = 100;

/** A pause of the machine outlasts any time, but the client of this process reads within some turns of its event loop. */
async function destroyWhenRead({ socket }: IncomingMessage): Promise<void> {
  await sleep(50);
  for (let count = 0; count < TURNS; count++) await turn();
  socket.destroy();
}

/** Returns the deliveries and the Last-Event-ID of each connection. */
async function follow(
  t: ExecutionContext,
  answers: readonly ((response: ServerResponse, request: IncomingMessage) => void)[],
  { count, ...options }: { count: number } & Partial<FollowDeliveries>,
) {
  const side = await startTestServer(t, (request, response, index) =>
    answers[Math.min(index, answers.length - 1)]!(response, request),
  );
  const stop = new AbortController();
  const seen: string[] = [];
  for await (const { delivery } of followDeliveries({
    client: side.client(),
    scope: 'channel:ch_1',
    signal: stop.signal,
    ...options,
  })) {
    if (seen.push(delivery.deliveryId) >= count) stop.abort();
  }
  return {
    seen,
    places: side.requests.map(({ headers }) => headers['last-event-id']),
    urls: side.requests.map(({ url }) => url),
  };
}

test('a lost connection resumes after the last complete delivery', async (t) => {
  const lost: string[] = [];
  const { seen, places, urls } = await follow(
    t,
    [
      (response, request) => {
        begin(response).write(`retry: 10\nid: 1-0\n\n${frame('2-a', 'wd_a')}id: 3-b\nevent: delivery\ndata: {"deli`);
        void destroyWhenRead(request);
      },
      (response) => void begin(response).write(frame('3-b', 'wd_b')),
    ],
    { count: 2, onLost: ({ message }) => lost.push(message) },
  );
  t.deepEqual(seen, ['wd_a', 'wd_b'], 'the one that broke off comes again');
  t.deepEqual(places, [undefined, '2-a']);
  t.is(lost.length, 1);
  t.is(urls[0], '/deliveries/stream?scope=channel%3Ach_1');
});

test('ids without deliveries advance the position', async (t) => {
  const { places } = await follow(
    t,
    [
      (response, request) => {
        begin(response).write('retry: 10\nid: 5-0\n\n: still here\nid: 7-0\n');
        setTimeout(() => {
          response.write('\n');
          void destroyWhenRead(request);
        }, 20);
      },
      (response) => void begin(response).write(frame('8-a', 'wd_a')),
    ],
    { count: 1 },
  );
  t.deepEqual(places, [undefined, '7-0']);
});

test('an event in several chunks is one event', async (t) => {
  const bytes = Buffer.from(frame('2-a', 'wd_ä'));
  const middle = bytes.indexOf(0xc3) + 1;
  const { seen } = await follow(
    t,
    [
      (response) => {
        begin(response).write(bytes.subarray(0, middle));
        setTimeout(() => response.write(bytes.subarray(middle)), 30);
      },
    ],
    { count: 1 },
  );
  t.deepEqual(seen, ['wd_ä']);
});

test('only temporary errors are retried', async (t) => {
  const { seen, places } = await follow(
    t,
    [
      (response) =>
        sendJson(response, {
          status: 503,
          body: { statusCode: 503, code: 'INTERNAL', message: 'stopping', requestId: 'r' },
        }),
      (response) => void begin(response).end(frame('2-a', 'wd_a')),
      (response) => void begin(response).write(frame('3-b', 'wd_b')),
    ],
    { count: 2, lastEventId: '1-0' },
  );
  t.deepEqual(seen, ['wd_a', 'wd_b']);
  t.deepEqual(places, ['1-0', '1-0', '2-a']);
  const refusal = { statusCode: 401, code: 'AUTH_REQUIRED', message: 'No', requestId: 'r' };
  const refused = follow(t, [(response) => sendJson(response, { status: 401, body: refusal })], { count: 1 });
  await t.throwsAsync(refused, { instanceOf: ApiError, message: 'No' });
});

test('a workspace stream can be filtered by status and type', async (t) => {
  const { urls } = await follow(t, [(response) => void begin(response).write(frame('2-a', 'wd_a'))], {
    count: 1,
    scope: 'workspace:ws_1',
    statuses: ['retrying', 'exhausted'],
    eventTypes: ['a.b', 'c.d'],
  });
  const [path, query] = urls[0]!.split('?');
  t.is(path, '/deliveries/stream');
  t.deepEqual(Object.fromEntries(new URLSearchParams(query)), {
    scope: 'workspace:ws_1',
    status: 'retrying,exhausted',
    eventType: 'a.b,c.d',
  });
});
