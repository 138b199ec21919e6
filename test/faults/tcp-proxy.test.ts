import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { StopList } from '../../dev/processes/stop-list.ts';
import { until } from '../harness/until.ts';
import { startTcpProxy } from './tcp-proxy.ts';
import { onLoopback } from '../harness/connections/loopback.ts';

async function startEcho(t: ExecutionContext, { prefix = '', onData = () => undefined } = {}): Promise<number> {
  const server = createServer((socket) =>
    socket.on('data', (chunk) => {
      onData();
      socket.write(prefix + chunk.toString());
    }),
  );
  const { port, stop } = await onLoopback(server);
  t.teardown(stop);
  return port;
}

async function open(t: ExecutionContext, port: number): Promise<{ socket: Socket; received: () => string }> {
  const socket = connect({ port, host: '127.0.0.1' });
  let received = '';
  socket.on('data', (chunk) => (received += chunk.toString())).on('error', () => undefined);
  t.teardown(() => socket.destroy());
  await once(socket, 'connect');
  return { socket, received: () => received };
}

async function aProxy(t: ExecutionContext, port: number) {
  const stops = new StopList(() => undefined);
  t.teardown(() => stops.stopAll());
  return await startTcpProxy({ name: 'proxy', port }, stops);
}

test('a cut path passes nothing until it is mended', async (t) => {
  let chunkCount = 0;
  const proxy = await aProxy(t, await startEcho(t, { onData: () => void chunkCount++ }));
  const before = await open(t, proxy.port);
  const bystander = await open(t, await startEcho(t));
  before.socket.write('a');
  await until(() => before.received() === 'a', { for: 'The first byte' });

  proxy.cut();
  before.socket.write('b');
  const during = await open(t, proxy.port);
  during.socket.write('c');
  bystander.socket.write('d');
  await until(() => bystander.received() === 'd', { for: 'The byte of another path' });
  t.is(chunkCount, 1, 'the server behind a cut path receives nothing');
  t.is(before.received(), 'a');
  t.is(during.received(), '');
  t.false(before.socket.destroyed);

  proxy.mend();
  await until(() => before.received() === 'ab', { for: 'The byte sent during the cut' });
  await until(() => during.received() === 'c', { for: 'The byte of a connection made during the cut' });
  t.pass();
});

test('a moved path breaks its connections and leads to another server', async (t) => {
  const proxy = await aProxy(t, await startEcho(t, { prefix: 'old ' }));
  const first = await open(t, proxy.port);
  const closed = once(first.socket, 'close');

  proxy.moveTo(await startEcho(t, { prefix: 'new ' }));
  await closed;
  const second = await open(t, proxy.port);
  second.socket.write('a');
  await until(() => second.received() === 'new a', { for: 'The answer of the other server' });
  t.pass();
});

test('a drained path keeps its connections and leads new ones elsewhere', async (t) => {
  const proxy = await aProxy(t, await startEcho(t, { prefix: 'old ' }));
  const first = await open(t, proxy.port);
  first.socket.write('a');
  await until(() => first.received() === 'old a', { for: 'The answer of the first server' });

  proxy.drainTo(await startEcho(t, { prefix: 'new ' }));
  first.socket.write('b');
  const second = await open(t, proxy.port);
  second.socket.write('c');
  await until(() => first.received() === 'old aold b', { for: 'The answer over the kept connection' });
  await until(() => second.received() === 'new c', { for: 'The answer of the other server' });
  t.pass();
});
