import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { addresses } from './classes/addresses.ts';
import type { AttackClass } from './cases/attack-case.ts';
import { gateway } from './classes/gateway.ts';
import { ingest } from './classes/ingest.ts';
import { letThroughCount, reportText } from './cases/report.ts';
import { runAttack } from './cases/run-attack.ts';
import { signIn } from './classes/sign-in.ts';
import { beginWatching, withHealthWatched } from './cases/with-health-watched.ts';
import { requireLoopback, TargetRefused, type World } from './cases/world.ts';

async function toyServer(t: ExecutionContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => void server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const open: RequestListener = (request, response) => {
  request.resume();
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"challenge":"needle"}');
};

function toyWorld(url: string): World {
  const tenant = { organizationId: 'org_1', workspaceId: 'ws_1', channelId: 'ch_1', id: () => 'x', marks: [] };
  const held = { token: 'hmat_x', resourceId: '1000' };
  const accessToken = ['{"alg":"HS256"}', '{"sub":"x"}', 'signature'].map((part) =>
    Buffer.from(part).toString('base64url'),
  );
  const session = { accessToken: accessToken.join('.'), refreshToken: 'x', cookie: 'a=b' };
  const urls = { baseUrl: url, gatewayUrl: url };
  return { ...urls, held, session, credentials: [], apiKey: 'hmok_x', own: tenant, victim: tenant, allowedCidrs: [] };
}

async function attack(
  world: World,
  classes: readonly AttackClass[],
  more: { casesPerClass?: number; only?: string } = {},
) {
  return await runAttack({ world, classes, seed: 1, say: () => undefined, ...more });
}

test('the runner reports every case that an open server lets through', async (t) => {
  const world = toyWorld(await toyServer(t, open));

  const report = await attack(world, [addresses, gateway, ingest, signIn], { casesPerClass: 40 });

  for (const { name, tried, letThrough } of report.rows) {
    t.is(tried, 40, name);
    t.is(letThrough.length, 40, name);
  }
  t.is(letThroughCount(report), 160);
  t.regex(reportText(report), /LET THROUGH: 160$/);
  t.regex(reportText(report), /again: {4}npm run attack -- --class addresses --seed 1 --only '/);
});

test('the runner counts refusals of a closed server', async (t) => {
  const closed: RequestListener = (request, response) => {
    request.resume();
    const isHealth = request.url === '/healthz';
    response.writeHead(isHealth ? 200 : 400, { 'x-request-id': 'r' });
    response.end(isHealth ? '' : '{"statusCode":400,"code":"VALIDATION_ERROR","message":"No.","requestId":"r"}');
  };
  const report = await attack(toyWorld(await toyServer(t, closed)), [addresses, gateway], { casesPerClass: 40 });

  t.deepEqual(
    report.rows.map(({ tried, refused, letThrough }) => [tried, refused, letThrough.length]),
    [
      [40, 40, 0],
      [40, 40, 0],
    ],
  );
  t.regex(reportText(report), /Nothing was let through\.$/);
});

test('the runner reports a server that fails, hangs or goes away', async (t) => {
  const failing: RequestListener = (_request, response) => void response.writeHead(500).end('{}');
  const failed = await attack(toyWorld(await toyServer(t, failing)), [addresses], { casesPerClass: 3 });
  const hung: AttackClass = {
    name: 'hung',
    concurrency: 1,
    cases: () => [{ name: 'a', expectation: 'b', deadlineMs: 1, attempt: () => new Promise(() => undefined) }],
  };
  const late = await attack(toyWorld(await toyServer(t, open)), [hung]);
  const gone = await attack(toyWorld('http://127.0.0.1:1'), [addresses], { casesPerClass: 3 });

  t.is(failed.rows[0]?.letThrough.length, 4, 'the health after the class counts too');
  t.regex(late.rows[0]?.letThrough[0]?.what ?? '', /no outcome within/);
  t.is(gone.rows[0]?.letThrough.length, 4);
});

test('a stall or a failure of the health route is reported', async (t) => {
  t.teardown(beginWatching());
  const ANSWER_MS = 200;
  const late: RequestListener = (_request, response) => void setTimeout(() => response.end(), ANSWER_MS);
  const failing: RequestListener = (_request, response) => void response.writeHead(500).end();
  const watch = async (url: string, patience?: number) =>
    await withHealthWatched({ url, patience }, () => Promise.resolve(undefined));

  t.regex((await watch(await toyServer(t, late), 0.01)) ?? '', /^\/healthz took \d+ ms during the call\.$/);
  t.is(await watch(await toyServer(t, late), Number.POSITIVE_INFINITY), undefined);
  t.is(await watch(await toyServer(t, failing)), '/healthz answers 500 during the call.');
  t.regex((await watch('http://127.0.0.1:1')) ?? '', /ECONNREFUSED/);
});

test('the same seed draws the same cases, and a name draws one', async (t) => {
  const world = toyWorld(await toyServer(t, open));
  const names = async (only?: string) => {
    const report = await attack(world, [gateway], { casesPerClass: 10, ...(only !== undefined && { only }) });
    return report.rows[0]?.letThrough.map(({ name }) => name).sort() ?? [];
  };
  const first = await names();

  t.deepEqual(await names(), first);
  t.true((await names(first[0])).includes(first[0]!));
});

test('only loopback addresses are attacked unless asked otherwise', (t) => {
  t.notThrows(() => requireLoopback(['http://127.0.0.1:3000', 'http://localhost:1', 'http://[::1]:2']));
  for (const url of ['https://api.example.com', 'http://10.0.0.1', 'http://127.0.0.1.example.com'])
    t.throws(() => requireLoopback([url]), { instanceOf: TargetRefused });
});
