import test, { type ExecutionContext } from 'ava';
import type { GatewayScope } from '../../contract/identity/scopes.ts';
import { startStage } from './stage.ts';

const page = '/platform/v25.0/1000';
const routes = {
  'channel.read': [`GET ${page}`],
  'messages.read': [`GET ${page}/conversations`],
  'message.send': [`POST ${page}/messages`],
  'channel.manage': [`POST ${page}/feed`],
} as const satisfies Record<GatewayScope, readonly string[]>;

const script = Object.fromEntries(
  ['GET /1000', 'GET /1000/conversations', 'POST /1000/messages', 'POST /1000/feed'].map((route) => [
    route,
    { json: { success: true } },
  ]),
);

async function stage(t: ExecutionContext, scopes: GatewayScope[] | null) {
  const { call, seen } = await startStage(t, { script, channel: { scopes } });
  const ask = (route: string, options: object = {}) =>
    call(route, route.startsWith('POST') ? { json: { message: 'x' }, ...options } : options);
  return { ask, seen };
}

for (const scope of Object.keys(routes) as GatewayScope[]) {
  test(`an agent's token with ${scope} can make only calls of that scope`, async (t) => {
    const { ask, seen } = await stage(t, [scope]);
    for (const [needed, [route]] of Object.entries(routes)) {
      const { status, body } = await ask(route);
      if (needed === scope) t.is(status, 200, route);
      else {
        t.like(body, { statusCode: 403, code: 'AGENT_SCOPE_INSUFFICIENT' }, route);
        t.true(String(body['message']).includes(needed));
      }
    }
    t.is(seen.length, 1, 'a refused call is not sent on');
  });
}

test('a shared token can make every call', async (t) => {
  const { ask } = await stage(t, null);
  for (const [route] of Object.values(routes)) t.is((await ask(route)).status, 200);
});

test('messages cannot be read through fields of other objects', async (t) => {
  const { ask, seen } = await stage(t, ['channel.read', 'channel.manage']);
  for (const route of [
    `GET ${page}?fields=conversations%7Bmessages%7Bmessage%7D%7D`,
    `GET ${page}?fields[]=conversations`,
    `POST ${page}/feed?fields=from%7Bconversations%7D`,
  ]) {
    t.is((await ask(route)).body['code'], 'AGENT_SCOPE_INSUFFICIENT', route);
  }
  for (const options of [
    { json: { message: 'x', fields: 'from{conversations}' } },
    { json: undefined, body: 'message=x&fields=from{conversations}', headers: form },
  ]) {
    t.is((await ask(`POST ${page}/feed`, options)).body['code'], 'AGENT_SCOPE_INSUFFICIENT');
  }
  t.is(seen.length, 0);
});

const form = { 'content-type': 'application/x-www-form-urlencoded' };
