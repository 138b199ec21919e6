import type { ServerResponse } from 'node:http';
import test from 'ava';
import { eventually } from '../harness/eventually.ts';
import { httpServer, loopbackEgress, post, tcpServer } from './test-server.ts';

const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';

test('sequential requests share a connection', async (t) => {
  const server = await httpServer(t, (_request, response) => response.end('ok'));
  const egress = loopbackEgress(t);

  for (let n = 0; n < 10; n++) t.like(await egress.send(post(server.url)), { outcome: 'answered', status: 200 });

  t.is(server.connectionCount(), 1);
});

test('concurrent requests share the connections of an origin', async (t) => {
  let together = 0;
  let most = 0;
  const server = await httpServer(t, (_request, response) => {
    most = Math.max(most, ++together);
    setImmediate(() => {
      together--;
      response.end('ok');
    });
  });
  const egress = loopbackEgress(t, { maxConnectionsPerGroup: 4 });

  const results = await Promise.all(Array.from({ length: 200 }, () => egress.send(post(server.url))));

  t.true(results.every((result) => result.outcome === 'answered'));
  t.true(server.connectionCount() <= 4 && most <= 4, `${server.connectionCount()} connections, ${most} at once`);
});

for (const method of ['GET', 'POST'] as const) {
  test(`a ${method} lost on a reused connection is not repeated`, async (t) => {
    let requests = 0;
    const server = await tcpServer(t, (socket) => {
      socket.on('data', () => {
        if (++requests === 1) socket.write(ok);
        else socket.destroy();
      });
    });
    const egress = loopbackEgress(t);

    t.like(await egress.send({ method, url: server.url, headers: {} }), { outcome: 'answered' });
    t.like(await egress.send({ method, url: server.url, headers: {} }), { outcome: 'no_response', error: 'reset' });

    t.is(requests, 2);
    t.is(server.connectionCount(), 1);
  });
}

test('an origin recovers after all its connections hung', async (t) => {
  let isHanging = true;
  const server = await httpServer(t, (_request, response) => {
    if (!isHanging) response.end('ok');
  });
  const egress = loopbackEgress(t, { maxConnectionsPerGroup: 2, timeoutMs: 150 });
  await Promise.all(Array.from({ length: 6 }, () => egress.send(post(server.url))));

  isHanging = false;

  t.like(await egress.send(post(server.url, { timeoutMs: 30_000 })), { outcome: 'answered', status: 200 });
});

test('a hanging origin does not delay another origin', async (t) => {
  let isHanging = true;
  const kept: ServerResponse[] = [];
  const hanging = await httpServer(t, (_request, response) => {
    if (isHanging) kept.push(response);
    else response.end();
  });
  const healthy = await httpServer(t, (_request, response) => response.end('ok'));
  const egress = loopbackEgress(t, { maxConnectionsPerGroup: 2, timeoutMs: 60_000 });

  const stuck = Array.from({ length: 10 }, () => egress.send(post(hanging.url)));
  await eventually(() => kept.length === 2);
  t.like(await egress.send(post(healthy.url)), { outcome: 'answered', status: 200 });
  t.is(kept.length, 2);

  isHanging = false;
  for (const response of kept) response.end();
  for (const result of await Promise.all(stuck)) t.is(result.outcome, 'answered');
});

test('idle connections are closed to admit another group', async (t) => {
  const servers = await Promise.all(Array.from({ length: 12 }, () => httpServer(t, (_, response) => response.end())));
  const egress = loopbackEgress(t, { maxConnections: 3 });

  const results = await Promise.all(servers.map(({ url }) => egress.send(post(url))));

  t.true(results.every((result) => result.outcome === 'answered'));
  t.like(egress.stats(), { inUse: 0, idle: 3, waiting: 0 });
});

test('connections that stay idle are closed', async (t) => {
  const server = await httpServer(t, (_request, response) => response.end());
  const egress = loopbackEgress(t, { idleConnectionMs: 20 });

  await egress.send(post(server.url));

  await eventually(() => egress.stats().idle === 0);
  t.like(await egress.send(post(server.url)), { outcome: 'answered' });
});

test('close waits for open requests and refuses others', async (t) => {
  const arrived = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  const server = await httpServer(t, (_request, response) => {
    arrived.resolve();
    void answer.promise.then(() => response.end('ok'));
  });
  const egress = loopbackEgress(t, { maxConnectionsPerGroup: 1 });

  const underWay = egress.send(post(server.url));
  const waiting = egress.send(post(server.url));
  await arrived.promise;
  const closing = egress.close();
  const late = await egress.send(post(server.url));
  t.like(await waiting, { outcome: 'not_sent', reason: 'client_closed' });
  answer.resolve();

  t.like(await underWay, { outcome: 'answered', status: 200 });
  t.like(late, { outcome: 'not_sent', reason: 'client_closed' });
  await t.notThrowsAsync(closing);
});
