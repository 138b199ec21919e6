import test from 'ava';
import { z } from 'zod';
import { routes } from '../../../openapi/route-table.ts';
import { recordedActs } from '../../harness/api/recorded-acts.ts';
import { revealStage } from '../../harness/reveals/reveal-stage.ts';

const webhookUrl = 'https://receiver.example.com/hook';

const calls: Readonly<Record<string, object>> = {
  getChannelToken: {},
  rotateChannelToken: { body: {} },
  getChannelEnv: {},
  getWebhookConfig: {},
  putWebhookConfig: { body: { webhookUrl, verifyToken: 'another' } },
  getWebhookHmac: {},
  rotateWebhookHmac: { body: {} },
};

const revealing = routes.filter(({ reveals }) => reveals !== undefined);

for (const { operationId, method, path, reveals = [] } of revealing) {
  test(`${operationId} records which secrets it shows to whom`, async (t) => {
    const { db, call, tenant, channel, at } = await revealStage(t);
    const route = `${method.toUpperCase()} ${path.replace('{ch}', channel.publicId)}`;
    for (const _time of [1, 2]) t.is((await call(route, { ...at, ...calls[operationId] })).status, 200);
    const rows = await db('secret_reveals').orderBy('id');
    t.deepEqual([...new Set(rows.map(({ kind }) => kind))].toSorted(), [...reveals].toSorted());
    const { id } = await db('api_keys').where({ user_id: tenant.user.id }).first('id');
    for (const row of rows) t.like(row, { channel_id: channel.id, user_id: tenant.user.id, api_key_id: id });
    const isRead = method === 'get';
    t.is(rows.length, isRead || operationId === 'putWebhookConfig' ? reveals.length : 2, 'one row per version');
    if (isRead) t.true(rows.every(({ reveal_count: count }) => count === 2));
  });
}

test('every route that returns a secret records the reveal', (t) => {
  const names = /^(?:token|hmacSecret|verifyToken|VERIFY_TOKEN|WEBHOOK_HMAC_SECRET|[A-Z]+_ACCESS_TOKEN)$/;
  const showing = routes.filter(({ success }) => success.body && fieldsOf(z.toJSONSchema(success.body)).some(isSecret));
  t.deepEqual(
    showing.map(({ operationId }) => operationId).toSorted(),
    revealing.map(({ operationId }) => operationId).toSorted(),
  );
  function isSecret(name: string): boolean {
    return names.test(name);
  }
});

function fieldsOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const own = 'properties' in schema ? Object.keys(schema.properties ?? {}) : [];
  return [...own, ...Object.values(schema).flatMap(fieldsOf)];
}

test('a workspace member sees no secret', async (t) => {
  const { call, refused, inWorkspace, sessionOf, tokenPath, envPath, configPath } = await revealStage(t);
  const member = await sessionOf(await inWorkspace('member'));
  for (const route of [tokenPath, envPath, `${configPath}/hmac`]) {
    const { body } = await refused('FORBIDDEN', `GET ${route}`, member);
    t.regex(body.message, /workspace developer/);
  }
  const { body } = await call(`GET ${configPath}`, member);
  t.true('verifyToken' in body);
  t.is(body.verifyToken, null);
});

test('a workspace developer sees secrets but cannot change them', async (t) => {
  const { call, refused, inWorkspace, sessionOf, tokenPath, envPath, configPath } = await revealStage(t);
  const developer = await sessionOf(await inWorkspace('developer'));
  for (const route of [tokenPath, envPath, `${configPath}/hmac`]) {
    t.is((await call(`GET ${route}`, developer)).status, 200);
  }
  t.is((await call(`GET ${configPath}`, developer)).body.verifyToken, 'token');
  await refused('FORBIDDEN', `POST ${tokenPath}/rotate`, { ...developer, body: {} });
  await refused('FORBIDDEN', `PUT ${configPath}`, { ...developer, body: { webhookUrl } });
});

test("a member's agent sees no secret with any scope", async (t) => {
  const { refused, call, inWorkspace, agentOf, tokenPath, configPath } = await revealStage(t);
  const { at } = await agentOf(await inWorkspace('member'), ['channel.reveal', 'webhook.manage']);
  await refused('FORBIDDEN', `GET ${tokenPath}`, at);
  t.is((await call(`GET ${configPath}`, at)).body.verifyToken, null);
});

test('an agent without the scope sees only its own verify token', async (t) => {
  const { call, tenant, agentOf, configPath } = await revealStage(t);
  const { at } = await agentOf(tenant.user, ['webhook.manage']);
  const save = async (body: object) => (await call(`PUT ${configPath}`, { ...at, body })).body.verifyToken;
  t.is(await save({ webhookUrl, verifyToken: 'mine' }), 'mine');
  t.is(await save({ webhookUrl: `${webhookUrl}/2` }), null);
  t.is((await call(`GET ${configPath}`, at)).body.verifyToken, null);
});

test('repeated reads of a verify token are audited once', async (t) => {
  const { db, call, at, configPath } = await revealStage(t);
  for (const _time of [1, 2, 3]) await call(`GET ${configPath}`, at);
  const acts = await recordedActs(db);
  t.is(acts.filter((act) => act === 'verifyToken.revealed').length, 1);
});

test('a developer can grant the secrets scope; a member cannot', async (t) => {
  const { call, inWorkspace, agentOf } = await revealStage(t);
  for (const role of ['member', 'developer']) {
    const { at } = await agentOf(await inWorkspace(role), ['channel.read']);
    const { organizations } = (await call('GET /agent/credentials/eligible-scopes', at)).body;
    t.is(organizations[0].scopes.includes('channel.reveal'), role === 'developer', role);
  }
});
