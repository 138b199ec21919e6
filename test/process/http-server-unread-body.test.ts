import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { PassThrough, pipeline } from 'node:stream';
import test, { type ExecutionContext } from 'ava';
import { BODY_MS, createHttpServer, type HttpServer } from '../../process/http-server.ts';
import { projectRoot, sourceFiles } from '../../dev/checks/source-files.ts';
import { rawConnection, statusesIn } from '../harness/connections/raw-connection.ts';
import { listening } from '../harness/connections/listening.ts';

const MEBIBYTE = 1024 * 1024;

async function aServer(t: ExecutionContext, listener: RequestListener, options: Partial<HttpServer> = {}) {
  const server = createHttpServer({ listener, onUnreadable: () => undefined, ...options });
  return (await listening(t, server)).port;
}

function refuse(response: ServerResponse): void {
  response.writeHead(413, { 'content-length': 7 }).end('refused');
}

const refusing: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => void>> = {
  'never reads the body': (_request, response) => refuse(response),
  'answers later': (_request, response) => void setImmediate(refuse, response),
  'pauses the body': (request, response) => {
    request.once('data', () => {
      request.pause();
      refuse(response);
    });
  },
  'stops to listen to the body': (request, response) => {
    request.once('data', () => {
      request.removeAllListeners('data');
      refuse(response);
    });
  },
  'breaks a loop over the body off': async (request, response) => {
    for await (const _chunk of request) break;
    refuse(response);
  },
  'breaks a pipeline off': (request, response) => {
    const broken = new PassThrough();
    pipeline(request, broken, () => refuse(response));
    request.once('data', () => broken.destroy(new Error('too much')));
  },
};

const heads = {
  chunked: 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n100000\r\n',
  announced: 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1048576\r\n\r\n',
};

for (const [how, listener] of Object.entries(refusing)) {
  for (const [kind, head] of Object.entries(heads)) {
    test(`a listener that ${how} closes the connection of its ${kind} body`, async (t) => {
      let count = 0;
      const port = await aServer(t, (request, response) => {
        count++;
        listener(request, response);
      });
      const { write, includes, ended } = await rawConnection(t, port);

      write(head);
      write('x'.repeat(1000));
      await includes('refused');
      write('x'.repeat(MEBIBYTE - 1000));
      write(`${kind === 'chunked' ? '\r\n0\r\n\r\n' : ''}GET /next HTTP/1.1\r\nHost: a\r\n\r\n`);
      const text = await ended();

      t.deepEqual(statusesIn(text), [413]);
      t.regex(text, /^connection: close\r$/im);
      t.is(count, 1);
    });
  }
}

test('a connection with a small unread body is kept', async (t) => {
  const port = await aServer(t, (_request, response) => void setImmediate(refuse, response));
  const { write, includes, socket } = await rawConnection(t, port);

  write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello');
  const first = await includes('refused');
  write('GET /next HTTP/1.1\r\nHost: a\r\n\r\n');
  const both = await includes(`${first}HTTP/1.1 413`);

  t.deepEqual(statusesIn(both), [413, 413]);
  t.notRegex(both, /connection: close/i);
  t.true(socket.writable);
});

test('requests without a body keep their connection', async (t) => {
  const port = await aServer(t, (_request, response) => void response.end('taken'));
  const { write, includes } = await rawConnection(t, port);
  const requests = ['GET / HTTP/1.1\r\nHost: a\r\n\r\n', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n'];

  write(`${requests.join('')}DELETE /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  const text = await includes('onnection: close');

  t.deepEqual(statusesIn(text), [200, 200, 200]);
});

test('a listener cannot keep the connection of an unread body', async (t) => {
  const port = await aServer(t, (_request, response) => {
    response.setHeader('connection', 'keep-alive');
    refuse(response);
  });
  const { write, ended } = await rawConnection(t, port);
  write(heads.chunked);
  t.regex(await ended(), /^connection: close\r$/im);
});

test('the sender of a large body receives the rejection', async (t) => {
  const port = await aServer(t, (_request, response) => refuse(response));
  const { socket, write, ended, text } = await rawConnection(t, port);
  socket.pause();

  write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${12 * MEBIBYTE}\r\n\r\n`);
  await new Promise((resolve) => socket.write(Buffer.alloc(12 * MEBIBYTE), resolve));
  socket.resume();
  await ended();

  t.regex(text(), /^HTTP\/1\.1 413 [^]*refused$/);
});

test('an endless body is discarded up to a limit', async (t) => {
  const port = await aServer(t, (_request, response) => refuse(response));
  const { socket, write } = await rawConnection(t, port);
  write('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n7fffffff\r\n');

  const piece = Buffer.alloc(MEBIBYTE);
  let sentCount = 0;
  const sendOn = (error?: Error | null): void => {
    if (!error && ++sentCount < 256) socket.write(piece, sendOn);
    else socket.destroy();
  };
  sendOn();
  await once(socket, 'close');

  t.true(sentCount < 256, 'the server stops reading');
});

test('a rejection does not ask for the body', async (t) => {
  const port = await aServer(t, (_request, response) => void setImmediate(refuse, response));
  const { write, ended } = await rawConnection(t, port);
  write('POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 10\r\n\r\n');
  const text = await ended();
  t.deepEqual(statusesIn(text), [413]);
  t.regex(text, /^connection: close\r$/im);
});

test('a listener that reads the body asks for it', async (t) => {
  const port = await aServer(t, (request, response) => void request.resume().on('end', () => response.end('taken')));
  const { write, includes } = await rawConnection(t, port);
  write('POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 10\r\n\r\n');
  await includes('HTTP/1.1 100 Continue\r\n\r\n');
  write('0123456789');
  const text = await includes('taken');
  t.deepEqual(statusesIn(text), [100, 200]);
  t.notRegex(text, /connection: close/i);
});

test('a body that stops arriving is rejected', async (t) => {
  const listener: RequestListener = (request) => void request.resume().on('error', () => undefined);
  const port = await aServer(t, listener, { bodyMs: 50, connectionsCheckingInterval: 10 });
  const { write, ended } = await rawConnection(t, port);
  write('POST / HTTP/1.1\r\nHost: a\r\nX-Request-Id: mine\r\nContent-Length: 10\r\n\r\n01234');
  const text = await ended();
  t.deepEqual(statusesIn(text), [408]);
  t.regex(text, /"REQUEST_TIMEOUT".*"mine"/);
});

test('headers have 10 s to arrive and bodies 30 s', (t) => {
  const server = createHttpServer({ listener: () => undefined, onUnreadable: () => undefined });
  t.is(server.headersTimeout, 10_000);
  t.is(BODY_MS, 30_000);
});

test('every HTTP server of the product uses createHttpServer', (t) => {
  const files = sourceFiles(/^(?:activities|admin|api|cli|egress|gateway|metrics|simulator|worker)[/].*[.]ts$/);
  const made = files.filter((file) =>
    /\bcreateServer\b[^;]*from 'node:https?'/.test(readFileSync(projectRoot + file, 'utf8')),
  );
  t.true(files.includes('metrics/server.ts'));
  t.deepEqual(made, []);
});
