import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { createRateLimits } from '../../../api/requests/rate-limits.ts';
import { createApiServer } from '../../../api/requests/api-server.ts';
import { platformWebhook } from '../../../api/ingest/platform-webhook.ts';
import { createBodyBudget } from '../../../process/body-budget.ts';
import { securityHeaders } from '../../../process/security-headers.ts';
import { rememberingLog } from '../../harness/quiet-log.ts';
import { rawConnection, statusesIn } from '../../harness/connections/raw-connection.ts';
import { until } from '../../harness/until.ts';

const MEBIBYTE = 1024 * 1024;
const SHARE = 8 * MEBIBYTE;
const FAILURES = 3;
const CONNECTIONS = 40;
const wrong = `sha256=${'0'.repeat(64)}`;
const post = 'POST /platform/webhooks HTTP/1.1\r\nHost: a\r\n';

async function ingest(t: ExecutionContext, { failuresPerAddress = 1_000 } = {}) {
  const bodies = createBodyBudget(4 * SHARE);
  const log = rememberingLog();
  const listener = platformWebhook(
    {
      events: { accept: () => Promise.resolve('accepted') },
      appSecrets: ['secret'],
      verifyToken: 'token',
      baseUrl: 'https://api.example.com',
      bodies,
      trustProxy: false,
      rateLimits: createRateLimits({ perCredential: 1, perAddress: 1, failuresPerAddress }),
      log,
    },
    () => t.fail(),
  );
  const server = createApiServer({ listener, log }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close().closeAllConnections());
  return {
    bodies,
    lines: log.lines,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/platform/webhooks`,
  };
}

/** Each connection announces a body of 4 MiB and sends a quarter of it. */
async function partialBodies(t: ExecutionContext, url: string, headers: string) {
  const opened = Array.from({ length: CONNECTIONS }, () => rawConnection(t, url));
  const connections = await Promise.all(opened);
  for (const { write } of connections) {
    write(`${post}Content-Length: ${4 * MEBIBYTE}\r\n${headers}\r\n`);
    write(Buffer.alloc(MEBIBYTE, 'x'));
  }
  const answered = (): number[] => connections.flatMap(({ text }) => statusesIn(text()));
  const close = (): void => connections.forEach(({ socket }) => socket.destroy());
  return { answered, close };
}

for (const [what, headers] of [
  ['no signature', ''],
  ['a malformed signature', `X-Hub-Signature-256: ${wrong.slice(0, -1)}\r\n`],
] as const) {
  test(`a body with ${what} is refused before it is read`, async (t) => {
    const { url, bodies } = await ingest(t);
    const { answered } = await partialBodies(t, url, headers);
    await until(() => answered().length === CONNECTIONS, { for: 'All answers' });
    t.deepEqual(new Set(answered()), new Set([401]));
    t.is(bodies.bytesInFlight(), 0);
  });
}

test('unverified bodies of one address use at most its share', async (t) => {
  const { url, bodies, lines } = await ingest(t);
  const { answered, close } = await partialBodies(t, url, `X-Hub-Signature-256: ${wrong}\r\n`);
  await until(() => t.true(bodies.bytesInFlight() <= SHARE) && answered().length >= CONNECTIONS - 8, {
    for: 'The refusals',
  });
  t.deepEqual(new Set(answered()), new Set([503]));

  close();
  await until(() => bodies.bytesInFlight() === 0, { for: 'The end of every reservation' });

  t.true(lines.some(({ event }) => event === 'request.aborted'));
  t.deepEqual(
    lines.filter(({ level }) => level === 'warn' || level === 'error'),
    [],
  );
});

test('a refusal for lack of memory carries Retry-After', async (t) => {
  const { url } = await ingest(t);
  const { write, includes } = await rawConnection(t, url);
  write(`${post}Transfer-Encoding: chunked\r\nX-Hub-Signature-256: ${wrong}\r\n\r\n`);
  // One-byte chunks take hundreds of bytes of memory each.
  write('1\r\nx\r\n'.repeat(40_000));
  const text = await includes('"requestId"');
  t.regex(text, /^HTTP\/1\.1 503 [^]*SERVICE_UNAVAILABLE/);
  t.regex(text, /^retry-after: 1\r$/im);
});

test('an address with many wrong signatures gets 429; valid ones pass', async (t) => {
  const { url } = await ingest(t, { failuresPerAddress: FAILURES });
  const body = '{"object":"page"}';
  const send = (signature?: string): Promise<Response> =>
    fetch(url, { method: 'POST', body, headers: signature === undefined ? {} : { 'x-hub-signature-256': signature } });
  const statuses = [];
  for (let count = 0; count < FAILURES; count++) statuses.push((await send(count % 2 ? wrong : undefined)).status);
  t.deepEqual(statuses, Array(FAILURES).fill(401));
  for (const signature of [undefined, wrong]) {
    const refused = await send(signature);
    t.is(refused.status, 429);
    t.regex(refused.headers.get('retry-after') ?? '', /^[1-9]\d?$/);
  }
  t.is((await send(`sha256=${createHmac('sha256', 'secret').update(body).digest('hex')}`)).status, 200);
});

test('answers to the platform carry security headers', async (t) => {
  const { url } = await ingest(t);
  const handshake = `${url}?hub.mode=subscribe&hub.verify_token=token&hub.challenge=1`;
  for (const response of [await fetch(handshake), await fetch(url), await fetch(url, { method: 'POST' })]) {
    t.like(Object.fromEntries(response.headers), securityHeaders);
  }
});
