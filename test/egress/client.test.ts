import type { RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import test, { type ExecutionContext } from 'ava';
import { withLongerLimits } from '../harness/time/longer-limits.ts';
import { deafUrl, httpServer, loopbackEgress, post, tcpServer } from './test-server.ts';

test('a POST sends the exact bytes and returns the response', async (t) => {
  const sent = Buffer.from([0, 255, 10, 13, 128, 0xf0, 0x9f, 0x98]);
  const received: Buffer[] = [];
  const server = await httpServer(t, (request, response) => {
    request.on('data', (chunk: Buffer) => received.push(chunk));
    request.on('end', () => response.writeHead(201, { 'x-answer': 'yes' }).end('thanks'));
  });

  const result = await loopbackEgress(t).send(post(server.url, { body: sent }));

  t.deepEqual(Buffer.concat(received), sent);
  if (result.outcome !== 'answered') return t.fail(result.outcome);
  t.is(result.status, 201);
  t.is(result.headers['x-answer'], 'yes');
  t.is(result.body.toString(), 'thanks');
  t.false(result.bodyTruncated);
  t.true(result.durationMs >= 0 && result.startedAtMs > 0);
});

test('a GET with a query has no body', async (t) => {
  let seen: unknown[] = [];
  const server = await httpServer(t, ({ method, url, headers }, response) => {
    seen = [method, url, headers['content-length']];
    response.end();
  });

  await loopbackEgress(t).send({ method: 'GET', url: `${server.url}?a=b%20c#part`, headers: {} });

  t.deepEqual(seen, ['GET', '/hook?a=b%20c', undefined]);
});

test('headers of the client cannot be overridden', async (t) => {
  let seen: Record<string, unknown> = {};
  const server = await httpServer(t, ({ headers }, response) => {
    seen = headers;
    response.end();
  });
  const headers = { Host: 'other.example', 'accept-encoding': 'gzip', 'Content-Length': '1', 'x-own': 'kept' };

  await loopbackEgress(t).send(post(server.url, { headers, body: '12345' }));

  t.is(seen['host'], `127.0.0.1:${server.port}`);
  t.is(seen['accept-encoding'], 'identity');
  t.is(seen['content-length'], '5');
  t.is(seen['x-own'], 'kept');
});

test('a redirect is returned and not followed', async (t) => {
  const elsewhere = await httpServer(t, (_request, response) => response.end());
  const server = await httpServer(t, (_request, response) =>
    response.writeHead(307, { location: `${elsewhere.url}?token=secret`, 'set-cookie': 'session=secret' }).end(),
  );

  const result = await loopbackEgress(t).send(post(server.url));

  t.like(result, { outcome: 'answered', status: 307 });
  t.like(result, { headers: { location: new URL(elsewhere.url).origin, 'set-cookie': '[redacted]' } });
  t.is(elsewhere.connectionCount(), 0);
});

test('only the beginning of a long body is kept', async (t) => {
  const server = await httpServer(t, (_request, response) => response.end(Buffer.alloc(40_000, 'b')));

  const result = await loopbackEgress(t).send(post(server.url));

  if (result.outcome !== 'answered') return t.fail(result.outcome);
  t.deepEqual(result.body, Buffer.alloc(16 * 1024, 'b'));
  t.true(result.bodyTruncated);
});

test('an endless body is truncated and its status is returned', async (t) => {
  const server = await httpServer(t, (request, response) => {
    const chunk = Buffer.alloc(16 * 1024, 'c');
    const pour = () => {
      while (!request.socket.destroyed && response.write(chunk));
    };
    response.on('drain', pour);
    pour();
    request.socket.on('close', () => closed.resolve());
  });
  const closed = Promise.withResolvers<void>();

  const result = await loopbackEgress(t).send(post(server.url));

  t.like(result, { outcome: 'answered', status: 200, bodyTruncated: true });
  await t.notThrowsAsync(closed.promise);
});

test('a compressed body is returned unchanged', async (t) => {
  const packed = gzipSync(Buffer.alloc(1_000_000));
  const server = await httpServer(t, (_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed);
  });

  const result = await loopbackEgress(t).send(post(server.url));

  if (result.outcome !== 'answered') return t.fail(result.outcome);
  t.deepEqual(result.body, packed);
});

/** The open connection prevents a short deadline from cutting the handshake. */
async function connected(t: ExecutionContext, onRequest: RequestListener) {
  let isFirst = true;
  const server = await httpServer(t, (request, response) => {
    if (isFirst) response.end();
    else onRequest(request, response);
  });
  const egress = loopbackEgress(t);
  await egress.send(post(server.url));
  isFirst = false;
  return { server, egress };
}

test('a slow body ends at the deadline', async (t) => {
  const { server, egress } = await connected(t, (request, response) => {
    const drip = setInterval(() => response.write('.'), 20);
    request.socket.on('close', () => clearInterval(drip));
  });

  const result = await withLongerLimits((timeoutMs) => egress.send(post(server.url, { timeoutMs })), {
    isTooEarly: ({ outcome }) => outcome === 'no_response',
  });

  t.like(result, { outcome: 'answered', status: 200, bodyError: 'timeout' });
});

test('slow headers end at the deadline', async (t) => {
  let isFirst = true;
  const server = await tcpServer(t, (socket) => {
    socket.on('data', () => {
      if (isFirst) return void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
      socket.write('HTTP/1.1 200 OK\r\nx-slow: ');
      const drip = setInterval(() => socket.write('.'), 20);
      socket.on('close', () => clearInterval(drip));
    });
  });
  const egress = loopbackEgress(t);
  // The open connection prevents the short deadline from cutting the handshake.
  t.like(await egress.send(post(server.url)), { outcome: 'answered' });
  isFirst = false;

  const result = await egress.send(post(server.url, { timeoutMs: 300 }));

  t.like(result, { outcome: 'no_response', error: 'timeout' });
  t.is(server.connectionCount(), 1);
});

test('a silent receiver ends at the deadline of the request', async (t) => {
  const { server, egress } = await connected(t, () => {});

  const result = await egress.send(post(server.url, { timeoutMs: 100 }));

  t.like(result, { outcome: 'no_response', error: 'timeout' });
});

test('a reset connection returns no_response', async (t) => {
  const server = await tcpServer(t, (socket) => socket.once('data', () => socket.resetAndDestroy()));

  t.like(await loopbackEgress(t).send(post(server.url)), { outcome: 'no_response', error: 'reset' });
});

test('a connection that closes within the body returns its status', async (t) => {
  const server = await tcpServer(t, (socket) => {
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf'));
  });

  const result = await loopbackEgress(t).send(post(server.url));

  t.like(result, { outcome: 'answered', status: 200, bodyError: 'reset' });
  t.is('body' in result && result.body.toString(), 'half');
});

test('a closed port returns connect_refused', async (t) => {
  const result = await loopbackEgress(t).send(post(await deafUrl()));

  t.like(result, { outcome: 'no_response', error: 'connect_refused' });
});

test('a response that is not HTTP returns bad_response', async (t) => {
  const server = await tcpServer(t, (socket) => socket.once('data', () => socket.end('220 mail.example ESMTP\r\n')));

  t.like(await loopbackEgress(t).send(post(server.url)), { outcome: 'no_response', error: 'bad_response' });
});

test('an unrequested protocol switch is skipped', async (t) => {
  const switched = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n';
  const server = await tcpServer(t, (socket) => {
    socket.once('data', () => socket.end(`${switched}another protocol`));
  });

  t.like(await loopbackEgress(t).send(post(server.url)), { outcome: 'no_response', error: 'bad_response' });
});

test('each response of a kept connection can follow a 100', async (t) => {
  const server = await tcpServer(t, (socket) => {
    socket.on('data', () => {
      socket.write('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nHTTP/1.1 1');
    });
  });
  const egress = loopbackEgress(t);

  for (let count = 0; count < 3; count++) {
    const result = await egress.send(post(server.url));
    t.like(result, { outcome: 'answered', status: 200, bodyError: null });
    t.is('body' in result && result.body.toString(), 'HTTP/1.1 1');
  }
  t.is(server.connectionCount(), 1);
});

test('endless headers return bad_response', async (t) => {
  const server = await tcpServer(t, (socket) => {
    socket.once('data', () => socket.write(`HTTP/1.1 200 OK\r\nx-long: ${'x'.repeat(70_000)}`));
  });

  t.like(await loopbackEgress(t).send(post(server.url)), { outcome: 'no_response', error: 'bad_response' });
});

test('the number of kept headers is bounded', async (t) => {
  const server = await httpServer(t, (_request, response) => {
    for (let n = 0; n < 200; n++) response.setHeader(`x-many-${n}`, 'v');
    response.end();
  });

  const result = await loopbackEgress(t).send(post(server.url));

  if (result.outcome !== 'answered') return t.fail(result.outcome);
  t.is(Object.keys(result.headers).length, 64);
});

test('an informational response is skipped', async (t) => {
  const server = await httpServer(t, (_request, response) => {
    response.writeEarlyHints({ link: '</a>; rel=preload' }, () => response.writeHead(202).end('done'));
  });

  const result = await loopbackEgress(t).send(post(server.url));

  t.like(result, { outcome: 'answered', status: 202 });
});

test('a request header with a line break is not sent', async (t) => {
  const server = await httpServer(t, (_request, response) => response.end());

  const result = await loopbackEgress(t).send(post(server.url, { headers: { 'x-bad': 'a\r\nhost: b' } }));

  t.like(result, { outcome: 'no_response', error: 'failed' });
  t.is(server.connectionCount(), 0);
});

test('a caller can abort a request before and after it starts', async (t) => {
  const arrived = Promise.withResolvers<void>();
  const server = await httpServer(t, () => arrived.resolve());
  const egress = loopbackEgress(t);
  const aborter = new AbortController();

  const underWay = egress.send(post(server.url, { signal: aborter.signal }));
  await arrived.promise;
  aborter.abort();

  t.like(await underWay, { outcome: 'no_response', error: 'aborted' });
  t.like(await egress.send(post(server.url, { signal: aborter.signal })), { outcome: 'not_sent', reason: 'aborted' });
});
