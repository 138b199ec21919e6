import { createServer } from 'node:http';
import Koa from 'koa';
import test, { type ExecutionContext } from 'ava';
import { rememberOrganization, requestTurns } from '../../../api/requests/request-turns.ts';
import type { ApiState } from '../../../api/requests/state.ts';
import { eventually } from '../../harness/eventually.ts';
import { listening } from '../../harness/connections/listening.ts';

const FOREVER_MS = 2 ** 31 - 1;

/** Requests wait until they are released. */
async function stage(t: ExecutionContext, { heldMs = FOREVER_MS } = {}) {
  const begun: string[] = [];
  const gate = Promise.withResolvers<void>();
  const app = new Koa<ApiState>({ proxy: true });
  app.use(requestTurns({ heldMs }));
  app.use(async (ctx) => {
    const key = ctx.get('authorization');
    if (key.startsWith('known')) rememberOrganization(ctx, 1);
    begun.push(key);
    if (ctx.path === '/slow') await gate.promise;
    ctx.status = 204;
  });
  const { url } = await listening(t, createServer(app.callback()));
  const send = async (key: string, path = '/slow', from = '8.8.8.8') => {
    const headers = { authorization: key, 'x-forwarded-for': from };
    return (await fetch(url + path, { headers })).status;
  };
  const begunOf = (key: string): number => begun.filter((one) => one.startsWith(key)).length;
  return { send, begunOf, release: () => gate.resolve() };
}

test('a crowd of one credential waits, another is served', async (t) => {
  const { send, begunOf, release } = await stage(t);
  const crowd = Array.from({ length: 50 }, () => send('a'));
  await eventually(() => begunOf('a') === 8);

  t.is(await send('b', '/quick'), 204);
  t.is(await send('a', '/healthz'), 204, 'health checks need no turn');

  release();
  t.deepEqual(new Set(await Promise.all(crowd)), new Set([204]));
});

test('the keys of one organization share its turns', async (t) => {
  const { send, begunOf, release } = await stage(t);
  for (const key of ['known 1', 'known 2', 'known 3']) await send(key, '/quick');
  const crowd = ['known 1', 'known 2', 'known 3'].flatMap((key) => Array.from({ length: 20 }, () => send(key)));
  await eventually(() => begunOf('known') === 3 + 16);

  t.is(await send('c', '/quick'), 204);

  release();
  await Promise.all(crowd);
  t.is(begunOf('known'), 3 + 60);
});

test('the strangers of one address share its turns', async (t) => {
  const { send, begunOf, release } = await stage(t);
  const crowd = ['a', 'b', 'c'].flatMap((key) => Array.from({ length: 20 }, () => send(`new ${key}`)));
  await eventually(() => begunOf('new') === 16);

  t.is(await send('d', '/quick', '9.9.9.9'), 204);

  release();
  await Promise.all(crowd);
});

test('a request that waits for long ends its turn', async (t) => {
  const { send, begunOf, release } = await stage(t, { heldMs: 1 });
  const crowd = Array.from({ length: 50 }, () => send('a'));
  await eventually(() => begunOf('a') === 50);
  release();
  await Promise.all(crowd);
  t.pass();
});
