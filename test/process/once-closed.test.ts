import { once } from 'node:events';
import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import test from 'ava';
import { onceClosed } from '../../process/once-closed.ts';

test('a response calls all functions in order and has one listener', (t) => {
  const called: number[] = [];
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  const countBefore = response.listenerCount('close');
  const places = Array.from({ length: 20 }, (_, place) => place);
  for (const place of places) onceClosed(response, () => called.push(place));
  t.is(response.listenerCount('close'), countBefore + 1);

  response.emit('close');
  response.emit('close');
  t.deepEqual(called, places);
});

test('a function that comes after the end is called at once', async (t) => {
  const closed = Promise.withResolvers<ServerResponse>();
  const server = createServer((_request, response) => {
    response.once('close', () => closed.resolve(response));
    response.end();
  }).listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening');
  await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  let isCalled = false;
  onceClosed(await closed.promise, () => (isCalled = true));
  t.true(isCalled);
});
