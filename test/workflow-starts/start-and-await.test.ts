import { once } from 'node:events';
import { constants, createServer, type ServerHttp2Stream } from 'node:http2';
import { createServer as createTcpServer, type Server } from 'node:net';
import { Client, Connection } from '@temporalio/client';
import test, { type ExecutionContext } from 'ava';
import { isTransient, startAndAwait } from '../../workflow-starts/start-and-await.ts';
import { createWorkflowStarts } from '../../workflow-starts/workflow-starts.ts';
import { onLoopback } from '../harness/connections/loopback.ts';
import { ids, schedules } from './start-cases.ts';

const never = (): Promise<never> => Promise.reject(new Error('not asked'));
const LONG_MS = 30_000;

/** Returns what is known after a failed start, and how it failed. */
function startsAt(t: ExecutionContext, address: string) {
  const connection = Connection.lazy({ address, interceptors: [] });
  t.teardown(() => connection.close());
  const { workflow } = new Client({ connection });
  const options = { taskQueue: 'queue', workflowId: 'id', args: [] };
  return async (deadlineMs = LONG_MS) => {
    const start = () => connection.withDeadline(Date.now() + deadlineMs, () => workflow.start('nothing', options));
    const started = await startAndAwait(start, never);
    if (started.state === 'ended') throw new Error('It was started');
    return started;
  };
}

async function listening(t: ExecutionContext, server: Pick<Server, 'listen' | 'address' | 'close' | 'once'>) {
  const { port, stop } = await onLoopback(server as Server);
  t.teardown(stop);
  return `127.0.0.1:${port}`;
}

type Treat = (stream: ServerHttp2Stream, path: string) => void;

async function serverThat(t: ExecutionContext, treat: Treat): Promise<string> {
  const server = createServer();
  server.on('session', (session) => {
    t.teardown(() => session.destroy());
    session.on('error', () => undefined);
  });
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined);
    treat(stream, String(headers[':path']));
  });
  return await listening(t, server);
}

const afterReading = (then: (stream: ServerHttp2Stream) => void) => (stream: ServerHttp2Stream) =>
  stream.resume().on('end', () => then(stream));
const answering = (status: number, words: string) =>
  afterReading((stream) =>
    stream.respond(
      { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': status, 'grpc-message': words },
      { endStream: true },
    ),
  );

test('a start is unknown if the connection breaks after the request', async (t) => {
  const address = await serverThat(
    t,
    afterReading((stream) => stream.session?.destroy()),
  );
  const { state, cause } = await startsAt(t, address)();
  t.is(state, 'unknown');
  t.true(isTransient(cause), 'and is worth another call where a second one does no harm');
});

test('a start at a closed port is not started', async (t) => {
  const server = createTcpServer();
  const address = await listening(t, server);
  server.close();
  await once(server, 'close');
  const { state, cause } = await startsAt(t, address)();
  t.is(state, 'not_started');
  t.true(isTransient(cause));
});

test('a start at an unresolvable name is not started', async (t) => {
  t.is((await startsAt(t, 'temporal.invalid:7233')()).state, 'not_started');
});

test('a start that times out before connecting is not started', async (t) => {
  const silent = createTcpServer((socket) => void t.teardown(() => socket.destroy()));
  t.is((await startsAt(t, await listening(t, silent))(200)).state, 'not_started');
});

test('a start that times out after writing is unknown', async (t) => {
  const treats = [answering(13, 'connected'), (stream: ServerHttp2Stream) => void stream.resume()].values();
  const start = startsAt(t, await serverThat(t, (stream) => treats.next().value?.(stream)));
  t.is((await start()).state, 'unknown', 'connected by now');
  const { state, cause } = await start(5_000);
  t.is(state, 'unknown');
  t.false(isTransient(cause));
});

for (const [name, treat, state] of [
  ['refuses the stream', (stream) => stream.close(constants.NGHTTP2_REFUSED_STREAM), 'not_started'],
  ['has no room', answering(8, 'namespace rate limit exceeded'), 'not_started'],
  ['breaks the stream off', (stream) => stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM), 'unknown'],
  ['says itself that something is unavailable', answering(14, 'Not enough hosts to serve the request'), 'unknown'],
  ['says itself that its time was up', answering(4, 'context deadline exceeded'), 'unknown'],
  ['fails', answering(13, 'internal'), 'unknown'],
] as const satisfies readonly (readonly [string, (stream: ServerHttp2Stream) => void, string])[]) {
  test(`a start at a server that ${name} is ${state}`, async (t) => {
    t.is((await startsAt(t, await serverThat(t, treat))()).state, state);
  });
}

test('a start with an answer that is too large is unknown', async (t) => {
  const details = 'Received message larger than max (5 vs 4)';
  const cause = Object.assign(new Error(details), { code: 8, details, metadata: {} });
  const failed = new Error('Failed to start Workflow', { cause });
  t.is((await startAndAwait(() => Promise.reject(failed), never)).state, 'unknown');
});

test('nothing is sent to a server that does not answer', async (t) => {
  const calls: string[] = [];
  const address = await serverThat(t, (stream, path) => {
    calls.push(path);
    stream.resume();
  });
  const connection = Connection.lazy({ address, interceptors: [] });
  t.teardown(() => connection.close());
  const { starts } = createWorkflowStarts({ client: new Client({ connection }), asksFirst: true, ...schedules });
  const started = await Promise.all([starts.checkHealth(ids), starts.rotateToken({ ...ids, rotationId: 5 })]);
  t.deepEqual(
    started.map(({ state }) => state),
    ['not_started', 'not_started'],
  );
  // On a busy machine, not even the question arrives.
  t.deepEqual(
    calls.filter((path) => !path.endsWith('/GetSystemInfo')),
    [],
  );
});

test('a started workflow ends only with a result', async (t) => {
  const start = () => Promise.resolve('handle');
  t.deepEqual(await startAndAwait(start, (handle) => Promise.resolve(`result of ${handle}`)), {
    state: 'ended',
    result: 'result of handle',
  });
  t.is((await startAndAwait(start, never)).state, 'unknown');
});
