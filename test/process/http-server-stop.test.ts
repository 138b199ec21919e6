import type { RequestListener } from 'node:http';
import test, { type ExecutionContext } from 'ava';
import { createHttpServer, type UnreadableRequest } from '../../process/http-server.ts';
import { rawConnection, statusesIn } from '../harness/connections/raw-connection.ts';
import { until } from '../harness/until.ts';
import { listening } from '../harness/connections/listening.ts';

const get = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const half = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf';
/** Its tenth is long enough for an answer that needs only the connection. */
const GRACE_MS = 4_000;
const LONG_MS = 600_000;

/** A server that answers when the test says so. */
async function aServer(t: ExecutionContext) {
  const refused: UnreadableRequest[] = [];
  const waiting: (() => void)[] = [];
  const listener: RequestListener = (request, response) => {
    request.resume();
    if (request.url === '/prompt') return void response.end('prompt');
    waiting.push(() => response.end('done'));
  };
  const server = createHttpServer({ listener, onUnreadable: (each) => void refused.push(each) });
  const { port } = await listening(t, server);
  const connected = async (bytes: string) => {
    const connection = await rawConnection(t, port);
    connection.write(bytes);
    return connection;
  };
  const begun = (count: number) => until(() => waiting.length === count, { for: `${count} requests` });
  return { server, port, refused, waiting, begun, connected };
}

test('a stopping server closes idle connections and finishes running requests', async (t) => {
  const { server, waiting, begun, connected, port } = await aServer(t);
  const idle = await connected(get.replace('/', '/prompt'));
  await idle.includes('prompt');
  const silent = await connected('');
  const running = await connected(get);
  await begun(1);

  const stopped = server.stop({ graceMs: LONG_MS });
  await Promise.all([idle.ended(), silent.ended()]);
  await t.throwsAsync(rawConnection(t, port), { code: 'ECONNREFUSED' });
  waiting[0]!();

  t.regex(await running.ended(), /^HTTP\/1\.1 200 OK\r\n[^]*Connection: close\r\n[^]*done$/i);
  await stopped;
});

test('a request after the stop began is refused and not handled', async (t) => {
  const { server, refused, waiting, begun, connected } = await aServer(t);
  const busy = await connected(get);
  await begun(1);

  const stopped = server.stop({ graceMs: LONG_MS });
  busy.write(get);
  await until(() => refused.length === 1, { for: 'The refusal' });
  waiting[0]!();
  const text = await busy.ended();

  t.is(waiting.length, 1);
  t.is(statusesIn(text)[0], 200);
  t.like(refused[0], { code: 'SERVICE_UNAVAILABLE', reason: 'SERVER_STOPPING' });
  await stopped;
});

test('a body that still arrives is accepted until answers are due', async (t) => {
  const { server, waiting, begun, connected } = await aServer(t);
  const sending = await connected(half);
  await begun(1);

  const stopped = server.stop({ graceMs: LONG_MS });
  sending.write('-other');
  waiting[0]!();

  t.deepEqual(statusesIn(await sending.ended()), [200]);
  await stopped;
});

test('requests without an answer are refused before the connection closes', async (t) => {
  const { server, begun, connected } = await aServer(t);
  const arriving = await connected(half);
  const waitingLong = await connected(get);
  await begun(2);
  let areAnswersDue = false;

  await server.stop({ graceMs: GRACE_MS, onAnswersDue: () => (areAnswersDue = true) });

  t.true(areAnswersDue);
  for (const [connection, said] of [
    [arriving, 'Nothing was done'],
    [waitingLong, 'A change may have been made'],
  ] as const) {
    const text = await connection.ended();
    t.regex(text, /^HTTP\/1\.1 503 [^]*retry-after: \d+\r\nconnection: close\r\n/);
    t.regex(text, new RegExp(`"code":"SERVICE_UNAVAILABLE","message":"[^"]*${said}`));
  }
});
