import { TLSSocket } from 'node:tls';
import test from 'ava';
import { httpsServer, loopbackEgress, post, tcpServer } from './test-server.ts';
import { expired, selfSigned } from './self-signed.ts';

const lookup = async () => [{ address: '127.0.0.1', family: 4 }];

function servernameOf(socket: unknown): unknown {
  return socket instanceof TLSSocket && 'servername' in socket ? socket.servername : undefined;
}

test('an untrusted certificate fails', async (t) => {
  let requests = 0;
  const server = await httpsServer(t, (_request, response) => {
    requests++;
    response.end();
  });

  const result = await loopbackEgress(t, { lookup }).send(post(`https://${selfSigned.name}:${server.port}/`));

  t.like(result, { outcome: 'no_response', error: 'tls_failed_chain' });
  t.is(requests, 0);
});

test('a trusted certificate is verified against the name', async (t) => {
  let servername: unknown;
  const server = await httpsServer(t, ({ socket }, response) => {
    servername = servernameOf(socket);
    response.end('ok');
  });
  const egress = loopbackEgress(t, { lookup, extraCa: selfSigned.cert });

  const named = await egress.send(post(`https://${selfSigned.name}:${server.port}/`));
  const otherName = await egress.send(post(`https://other.example.com:${server.port}/`));
  const address = await egress.send(post(`https://127.0.0.1:${server.port}/`));

  t.like(named, { outcome: 'answered', status: 200 });
  t.is(servername, selfSigned.name);
  t.like(otherName, { outcome: 'no_response', error: 'tls_failed_name' });
  t.like(address, { outcome: 'no_response', error: 'tls_failed_name' });
});

test('an expired certificate is named', async (t) => {
  const server = await httpsServer(t, (_request, response) => response.end(), expired);
  const egress = loopbackEgress(t, { lookup, extraCa: expired.cert });

  const result = await egress.send(post(`https://${selfSigned.name}:${server.port}/`));

  t.like(result, { outcome: 'no_response', error: 'tls_failed_expired' });
});

test('a server without TLS fails', async (t) => {
  const server = await tcpServer(t, (socket) =>
    socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
  );

  const result = await loopbackEgress(t, { lookup }).send(post(`https://${selfSigned.name}:${server.port}/`));

  t.like(result, { outcome: 'no_response', error: 'tls_failed' });
});

test('a server that is silent after accept returns connect_timeout', async (t) => {
  const server = await tcpServer(t, () => {});
  const egress = loopbackEgress(t, { lookup, timeoutMs: 200 });

  const result = await egress.send(post(`https://${selfSigned.name}:${server.port}/`));

  t.like(result, { outcome: 'no_response', error: 'connect_timeout' });
});
