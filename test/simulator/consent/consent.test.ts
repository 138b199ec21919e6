import test, { type ExecutionContext } from 'ava';
import { fieldsOf } from '../../harness/fields-of.ts';
import { startPlatform } from '../../../simulator/platform.ts';

const redirectUri = 'http://127.0.0.1:1/connect/callback';
const scopes = {
  chatapp: 'whatsapp_business_management,whatsapp_business_messaging',
  photoapp: 'instagram_basic,pages_show_list',
  pageapp: 'pages_show_list,pages_messaging',
};

async function platformFor(t: ExecutionContext) {
  const platform = await startPlatform({ port: 0, appSecret: 's', webhookUrl: 'http://127.0.0.1:1/' });
  t.teardown(platform.stop);
  const get = async (path: string, query: Record<string, string> = {}, token?: string) => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const response = await fetch(`${platform.url}${path}?${new URLSearchParams(query).toString()}`, { headers });
    const text = await response.text();
    return { status: response.status, text, body: text.startsWith('{') ? JSON.parse(text) : undefined };
  };
  const app = { client_id: 'demo-app', client_secret: 's' };
  const asked = (type: keyof typeof scopes) => ({
    client_id: 'demo-app',
    redirect_uri: redirectUri,
    response_type: 'code',
    state: 'the state',
    scope: scopes[type],
  });
  const decide = async (type: keyof typeof scopes, fields: [string, string][]) => {
    const body = new URLSearchParams([...Object.entries(asked(type)), ...fields]);
    const answer = await fetch(`${platform.url}/dialog/oauth`, { method: 'POST', body, redirect: 'manual' });
    return new URL(answer.headers.get('location') ?? 'none:');
  };
  const tokenOf = async (type: keyof typeof scopes, accounts: string[]) => {
    const fields = accounts.map((id): [string, string] => ['account', id]);
    const back = await decide(type, [...fields, ['decision', 'allow']]);
    const query = { ...app, redirect_uri: redirectUri, code: back.searchParams.get('code') ?? '' };
    return (await get('/v23.0/oauth/access_token', query)).body.access_token;
  };
  return { ...platform, get, app, asked, decide, tokenOf };
}

test('the consent page lists the accounts of the requested type', async (t) => {
  const { get, asked } = await platformFor(t);
  for (const [type, text] of [
    ['chatapp', '100000000000011'],
    ['photoapp', 'harbour.books'],
    ['pageapp', 'Harbour Books'],
  ] as const) {
    const page = await get('/dialog/oauth', asked(type));
    t.is(page.status, 200);
    t.true(page.text.includes(text), type);
  }
  for (const wrong of [{ client_id: 'x' }, { response_type: 'token' }, { redirect_uri: 'x' }, { scope: 'email' }]) {
    t.is((await get('/dialog/oauth', { ...asked('chatapp'), ...wrong })).status, 400);
  }
});

test('refusing and allowing redirect with the state', async (t) => {
  const { decide } = await platformFor(t);
  const refused = (await decide('chatapp', [['decision', 'refuse']])).searchParams;
  t.deepEqual([refused.get('error'), refused.get('state'), refused.get('code')], ['access_denied', 'the state', null]);
  const allowed = (await decide('chatapp', [['decision', 'allow']])).searchParams;
  t.is(allowed.get('state'), 'the state');
  t.truthy(allowed.get('code'));
});

test('a code works once, with its redirect_uri and the app secret', async (t) => {
  const { decide, get, app } = await platformFor(t);
  const code = (await decide('chatapp', [['decision', 'allow']])).searchParams.get('code') ?? '';
  const query = { ...app, redirect_uri: redirectUri, code };
  const path = '/v23.0/oauth/access_token';
  t.is((await get(path, { ...query, client_secret: 'x' })).status, 400);
  t.is((await get(path, { ...query, redirect_uri: 'http://other/' })).body.error.error_subcode, 36008);
  t.like((await get(path, query)).body, { token_type: 'bearer', expires_in: 3600 });
  t.is((await get(path, query)).body.error.error_subcode, 36009);
});

test('a long-lived token shows exactly what was granted', async (t) => {
  const { get, app, tokenOf } = await platformFor(t);
  const short = await tokenOf('chatapp', ['100000000000011']);
  const query = { ...app, grant_type: 'fb_exchange_token', fb_exchange_token: short };
  const long = (await get('/v23.0/oauth/access_token', query)).body;
  t.is(long.expires_in, 5_184_000);
  const debug = await get('/v23.0/debug_token', { input_token: long.access_token, access_token: 'demo-app|s' });
  t.deepEqual(debug.body.data.granular_scopes[0], {
    scope: 'whatsapp_business_management',
    target_ids: ['400000000000001'],
  });
  const numbers = await get('/v23.0/400000000000001/phone_numbers', {}, long.access_token);
  t.deepEqual(fieldsOf(numbers.body.data, 'id'), ['100000000000011']);
  t.is((await get('/v23.0/400000000000001/phone_numbers', {}, `${long.access_token}x`)).body.error.code, 190);
  t.is((await get('/v23.0/me/accounts', { appsecret_proof: 'x' }, long.access_token)).body.error.code, 190);
});

test('lists are paged', async (t) => {
  const { get, tokenOf } = await platformFor(t);
  const token = await tokenOf('pageapp', ['300000000000011', '300000000000012', '300000000000013']);
  const first = (await get('/v23.0/me/accounts', { limit: '2' }, token)).body;
  t.is(first.data.length, 2);
  t.truthy(first.paging.next);
  const second = (await get('/v23.0/me/accounts', { limit: '2', after: first.paging.cursors.after }, token)).body;
  t.deepEqual(fieldsOf(second.data, 'name'), ['Town Choir']);
  t.is(second.paging.next, undefined);
});

test('the control scripts accounts and faults and restores them', async (t) => {
  const { url, get, asked } = await platformFor(t);
  const control = async (method: string, body?: unknown) =>
    await fetch(`${url}/control/consent`, { method, ...(body !== undefined && { body: JSON.stringify(body) }) });
  t.is((await control('POST', { numbers: [] })).status, 200);
  t.true((await get('/dialog/oauth', asked('chatapp'))).text.includes('no account'));
  t.is((await control('POST', { fault: { at: 'nowhere' } })).status, 400);
  await control('POST', { fault: { at: 'accounts', status: 503, times: 1 } });
  t.is((await get('/v23.0/me/accounts')).status, 503);
  t.is((await get('/v23.0/me/accounts')).status, 400);
  await control('DELETE');
  t.true((await get('/dialog/oauth', asked('chatapp'))).text.includes('100000000000011'));
});
