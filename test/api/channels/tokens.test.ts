import test, { type ExecutionContext } from 'ava';
import type { Knex } from 'knex';
import type { WorkflowStarts } from '../../../workflow-starts/workflow-starts.ts';
import { readWebhookConfig } from '../../../db/webhooks/configs.ts';
import { readWebhookSecret } from '../../../db/webhooks/secrets.ts';
import { makeRotation } from '../../../db/channels/token-rotations.ts';
import { channelStage } from '../../harness/api/stages.ts';
import { noTemporal, type TestApiOptions } from '../../harness/api/api.ts';
import { opened, rotating, tokenKeys } from '../../harness/channels/channel-tokens.ts';
import { aWebhook } from '../../harness/deliveries/ledger.ts';
import { recordedActs } from '../../harness/api/recorded-acts.ts';
import { aChannel, testSecretBox } from '../../harness/tenants.ts';
import { isWaitedFor } from '../../harness/time/waits.ts';

async function stage(t: ExecutionContext, temporal: TestApiOptions['starts'] = rotating) {
  const api = await channelStage(t, { starts: temporal, type: 'chatapp', resourceId: '4711' });
  const { channel, at } = api;
  const path = `/platform/channels/${channel.publicId}`;
  const current = async () => (await api.call(`GET ${path}/token`, at)).body;
  const rotate = (body?: object, idempotencyKey?: string) =>
    api.call(`POST ${path}/token/rotate`, {
      ...at,
      ...(body && { body }),
      ...(idempotencyKey !== undefined && { headers: { 'idempotency-key': idempotencyKey } }),
    });
  return { ...api, path, current, rotate };
}

test("a channel's token is created on first read and then stable", async (t) => {
  const { db, current } = await stage(t);
  const [first, ...others] = await Promise.all([1, 2, 3, 4, 5].map(() => current()));
  for (const other of others) t.deepEqual(other, first);
  t.deepEqual(first, {
    token: first.token,
    tokenPrefix: first.token.slice(0, 14),
    tokenSuffix: first.token.slice(-4),
    baseUrl: 'https://gateway.example.com/platform/v22.0',
    scopes: null,
    expiresAt: null,
  });
  t.like(await opened(db, first.token), { resourceId: '4711' });
  const acts = await recordedActs(db);
  t.is(acts.filter((act) => act === 'channelToken.minted').length, 1);
  t.is(acts.filter((act) => act === 'channelToken.revealed').length, 5, 'each reveal is audited');
});

test('a rotation returns the new token; the old one expires later', async (t) => {
  const { db, current, rotate } = await stage(t);
  const { token: old } = await current();
  const sinceMs = Date.now();
  const { status, body } = await rotate();
  t.is(status, 200);
  t.not(body.token, old);
  t.deepEqual(await current(), omit(body, 'previousTokenExpiresAt'));
  isWaitedFor(t, body.previousTokenExpiresAt, { waitMs: 3_600_000, sinceMs });
  t.truthy(await opened(db, old));
  t.is((await rotate({ overlapSeconds: 0 })).body.previousTokenExpiresAt, null);
  t.is(await opened(db, old), undefined);
});

test('sequential and concurrent repeats with an Idempotency-Key return one token', async (t) => {
  const { db, rotate, current, refused, path, at } = await stage(t);
  await current();
  const answers = await Promise.all([1, 2, 3].map(() => rotate({ overlapSeconds: 60 }, 'one')));
  const [first] = answers;
  for (const { status, body } of answers) t.deepEqual({ status, body }, { status: 200, body: first!.body });
  await rotate({ overlapSeconds: 0 }, 'two');
  t.deepEqual((await rotate({ overlapSeconds: 60 }, 'one')).body, first!.body);
  t.is((await db('channel_tokens')).length, 3);
  const other = { ...at, headers: { 'idempotency-key': 'one' }, body: { overlapSeconds: 61 } };
  await refused('IDEMPOTENCY_KEY_REUSED', `POST ${path}/token/rotate`, other);
  t.is((await db('channel_tokens')).length, 3);
});

test("another channel's rotation may use the same Idempotency-Key", async (t) => {
  const { db, call, tenant, at, rotate } = await stage(t);
  const other = await aChannel(db, tenant.workspace);
  const mine = (await rotate({}, 'shared')).body;
  const route = `POST /platform/channels/${other.publicId}/token/rotate`;
  const theirs = (await call(route, { ...at, body: {}, headers: { 'idempotency-key': 'shared' } })).body;
  t.not(mine.token, theirs.token);
});

test('an invalid overlap is refused', async (t) => {
  const { db, refused, path, at } = await stage(t);
  for (const overlapSeconds of [-1, 604_801, 1.5, '60', null]) {
    await refused('VALIDATION_ERROR', `POST ${path}/token/rotate`, { ...at, body: { overlapSeconds } });
  }
  t.is((await db('channel_token_rotations')).length, 0);
});

test('a rotation during a Temporal outage changes nothing and releases the key', async (t) => {
  let isAway = true;
  const temporal = (db: Knex): Partial<WorkflowStarts> => ({
    rotateToken: (rotation) => (isAway ? noTemporal : rotating(db)).rotateToken(rotation),
  });
  const { db, current, rotate } = await stage(t, temporal);
  const before = await current();
  const refused = await rotate({ overlapSeconds: 0 }, 'again');
  t.is(refused.status, 503);
  t.is(refused.body.code, 'WORKFLOW_UNAVAILABLE');
  t.truthy(refused.headers.get('retry-after'));
  t.deepEqual(await current(), before);
  t.truthy(await opened(db, before.token));
  isAway = false;
  t.is((await rotate({ overlapSeconds: 30 }, 'again')).status, 200);
});

test('an unanswered rotation is given up permanently and reported', async (t) => {
  const late: number[] = [];
  const temporal: Partial<WorkflowStarts> = {
    rotateToken: ({ rotationId }) => {
      late.push(rotationId);
      return Promise.resolve({ state: 'unknown', cause: new Error('deadline') });
    },
  };
  const { db, current, rotate } = await stage(t, temporal);
  const before = await current();
  const unknown = await rotate();
  t.is(unknown.status, 504);
  t.is(unknown.body.code, 'PLATFORM_OUTCOME_UNKNOWN');
  for (const rotationId of late)
    t.like(await makeRotation(db, await tokenKeys(db), { rotationId }), { result: 'given_up' });
  t.deepEqual(await current(), before);
});

test('a completed rotation is returned although its answer was lost', async (t) => {
  const temporal = (db: Knex): Partial<WorkflowStarts> => ({
    rotateToken: async (rotation) => {
      await rotating(db).rotateToken(rotation);
      return { state: 'unknown', cause: new Error('lost') };
    },
  });
  const { current, rotate } = await stage(t, temporal);
  const { status, body } = await rotate();
  t.is(status, 200);
  t.is((await current()).token, body.token);
});

test('a disconnected channel has no token until it reconnects', async (t) => {
  const { db, call, refused, at, path, current, channel } = await stage(t);
  const before = await current();
  await call(`POST ${path}/disconnect`, at);
  t.is(await opened(db, before.token), undefined);
  await refused('CHANNEL_DISCONNECTED', `GET ${path}/token`, at);
  await refused('CHANNEL_DISCONNECTED', `GET ${path}/env`, at);
  await refused('CHANNEL_DISCONNECTED', `POST ${path}/token/rotate`, { ...at, body: {} });
  await db('channels').where({ id: channel.id }).update({ disconnected_at: null });
  const after = await current();
  t.not(after.token, before.token);
});

test("a channel's environment configures a client of its type", async (t) => {
  const { db, call, tenant, at } = await stage(t);
  for (const [type, version] of [
    ['chatapp', 'v22.0'],
    ['photoapp', 'v25.0'],
    ['pageapp', 'v25.0'],
  ] as const) {
    const channel = await aChannel(db, tenant.workspace, { type, resourceId: `55${type.length}1` });
    const env = async () => (await call(`GET /platform/channels/${channel.publicId}/env`, at)).body;
    const { token } = (await call(`GET /platform/channels/${channel.publicId}/token`, at)).body;
    const key = { channelId: channel.id, channelPublicId: channel.publicId };
    const { secret } = await readWebhookSecret(db, testSecretBox, key);
    const { verifyToken } = await readWebhookConfig(db, testSecretBox, key);
    t.regex(verifyToken, /^[\w-]{32}$/);
    const expected = {
      PLATFORM_GRAPH_API_URL: `https://gateway.example.com/platform/${version}`,
      [`${type.toUpperCase()}_ACCESS_TOKEN`]: token,
      [`${type.toUpperCase()}_RESOURCE_ID`]: `55${type.length}1`,
      SERVICE_CHANNEL_ID: channel.publicId,
      SERVICE_WORKSPACE_ID: tenant.workspace.publicId,
      VERIFY_TOKEN: verifyToken,
      WEBHOOK_HMAC_SECRET: secret,
    };
    t.deepEqual(await env(), { channelType: type, values: expected, businessAccountId: null });
    await aWebhook(db, channel);
    t.deepEqual((await env()).values, { ...expected, VERIFY_TOKEN: 'token' });
  }
  t.true((await recordedActs(db)).includes('channelEnv.revealed'));
});

function omit(value: Readonly<Record<string, unknown>>, key: string) {
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
}
