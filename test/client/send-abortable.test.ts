import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import test from 'ava';
import { sendAbortable } from '../../client/send-abortable.ts';
import { startTestServer } from './test-server.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

test('an abort reaches a request after garbage collection', async (t) => {
  const { url, requests } = await startTestServer(t, () => undefined);
  const stop = new AbortController();
  const inner = (request: Request) => sendAbortable((again) => fetch(again), request, new AbortController().signal);
  const sent = sendAbortable(inner, new Request(url), stop.signal);
  const failed = t.throwsAsync(sent, { name: 'AbortError' });
  while (requests.length === 0) await setImmediate();
  for (let turn = 0; turn < 20; turn++) {
    await setImmediate();
    collectGarbage();
  }
  stop.abort();
  await failed;
});

test('an abort reaches a response that is being read after garbage collection', async (t) => {
  const { url } = await startTestServer(t, (_, response) => void response.writeHead(200).write('{'));
  const stop = new AbortController();
  const response = await sendAbortable((request) => fetch(request), new Request(url), stop.signal);
  const failed = t.throwsAsync(response.text(), { name: 'AbortError' });
  for (let turn = 0; turn < 20; turn++) {
    await setImmediate();
    collectGarbage();
  }
  stop.abort();
  await failed;
  t.is(response.status, 200);
});
