import test, { type ExecutionContext } from 'ava';
import { request } from 'undici';
import { startReceiver } from '../../../simulator/receiver/receiver.ts';
import type { Answer } from '../../../simulator/receiver/answer.ts';

async function receiverAnswering(t: ExecutionContext, answer: Answer) {
  const receiver = await startReceiver({ port: 0 });
  t.teardown(() => receiver.stop());
  const webhook = receiver.webhook('a');
  webhook.set({ then: answer });
  return { webhook, url: webhook.url };
}

const post = (url: string, signal?: AbortSignal) =>
  request(url, { method: 'POST', body: '{}', ...(signal && { signal }) });

test('a delayed answer is not early', async (t) => {
  const { url, webhook } = await receiverAnswering(t, { status: 201, delayMs: 60 });
  const startedAtMs = performance.now();
  t.is((await post(url)).statusCode, 201);
  t.true(performance.now() - startedAtMs >= 55);
  t.is(webhook.requests()[0]?.answeredStatus, 201);
});

test('a drip response sends one byte at a time and never ends', async (t) => {
  const { url } = await receiverAnswering(t, { mode: 'drip', body: 'abc', dripMs: 5 });
  const { statusCode, body } = await post(url);
  t.is(statusCode, 200);
  let text = '';
  for await (const chunk of body) {
    text += String(chunk);
    if (text.length >= 5) break;
  }
  t.true('abcabcabcabcabc'.startsWith(text.slice(0, 15)));
});

test('a reset drops the connection after the request was read', async (t) => {
  const { url, webhook } = await receiverAnswering(t, { mode: 'reset' });
  await t.throwsAsync(post(url), { code: 'ECONNRESET' });
  t.like(webhook.requests()[0], { answeredStatus: null, bodyLength: 2 });
});

test('a hang never answers and does not prevent the stop', async (t) => {
  const { url, webhook } = await receiverAnswering(t, { mode: 'hang' });
  const giveUp = new AbortController();
  const answer = post(url, giveUp.signal);
  await webhook.waitForDeliveries(1);
  giveUp.abort();
  await t.throwsAsync(answer, { name: 'AbortError' });
  t.is(webhook.requests()[0]?.answeredStatus, null);
});

test('a redirect leads to its location', async (t) => {
  const { url } = await receiverAnswering(t, { mode: 'redirect', location: '/webhook/b' });
  const { statusCode, headers, body } = await post(url);
  await body.dump();
  t.is(statusCode, 302);
  t.is(headers.location, '/webhook/b');
});
