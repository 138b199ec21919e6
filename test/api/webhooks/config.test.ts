import test from 'ava';
import type { Knex } from 'knex';
import type { WorkflowStarts } from '../../../workflow-starts/workflow-starts.ts';
import { type CandidateStatus, commitCandidate, recordCandidateFailure } from '../../../db/webhooks/candidates.ts';
import { noTemporal, testApi } from '../../harness/api/api.ts';
import { aLedgerDelivery, aWebhook } from '../../harness/deliveries/ledger.ts';
import { aChannel, aTenant } from '../../harness/tenants.ts';

const passing = (db: Knex): WorkflowStarts => ({
  ...noTemporal,
  saveWebhook: async ({ candidateId }) => ({ state: 'ended', result: await commitCandidate(db, { candidateId }) }),
});

const ending =
  (status: Exclude<CandidateStatus, 'staged' | 'committed'>, failure: string) =>
  (db: Knex): WorkflowStarts => ({
    ...noTemporal,
    saveWebhook: async ({ candidateId }) => {
      await recordCandidateFailure(db, { candidateId, status, failure });
      return { state: 'ended', result: 'failed' };
    },
  });

const webhookUrl = 'https://receiver.example.com/hook';

test('a saved webhook keeps its verify token if omitted later', async (t) => {
  const { db, call } = await testApi(t, { temporal: passing });
  const { workspace, apiKey: key } = await aTenant(db);
  const channel = await aChannel(db, workspace);
  const at = { key, workspace: workspace.publicId };
  const route = `/webhook-config/${channel.publicId}`;
  const before = (await call(`GET ${route}`, at)).body;
  t.regex(before.verifyToken, /^[\w-]{32}$/);
  const unset = {
    webhookUrl: null,
    verifyToken: before.verifyToken,
    verifiedAt: null,
    updatedAt: null,
    disabledReason: null,
    lastVerification: null,
  };
  t.deepEqual(before, { channelId: channel.publicId, ...unset });

  const saved = (await call(`PUT ${route}`, { ...at, body: { webhookUrl, verifyToken: 'mine' } })).body;

  t.like(saved, { channelId: channel.publicId, webhookUrl, verifyToken: 'mine' });
  t.deepEqual((await call(`GET ${route}`, at)).body, saved);
  const moved = `${webhookUrl}/2`;
  t.like((await call(`PUT ${route}`, { ...at, body: { webhookUrl: moved } })).body, {
    webhookUrl: moved,
    verifyToken: 'mine',
  });
  t.is((await db('destinations')).length, 1, 'an edited URL stays the same destination');
});

for (const [status, code] of [
  ['failed', 'WEBHOOK_URL_VERIFICATION_FAILED'],
  ['blocked', 'URL_NOT_ALLOWED'],
  ['overtaken', 'WEBHOOK_CONFIG_CHANGED'],
  ['abandoned', 'PLATFORM_OUTCOME_UNKNOWN'],
] as const) {
  test(`a save that ends ${status} answers ${code} and stores nothing`, async (t) => {
    const { db, call, refused } = await testApi(t, { temporal: ending(status, 'Probe 1 (GET) answered 404') });
    const { workspace, apiKey: key } = await aTenant(db);
    const channel = await aChannel(db, workspace);
    const at = { key, workspace: workspace.publicId };
    const { body } = await refused(code, `PUT /webhook-config/${channel.publicId}`, { ...at, body: { webhookUrl } });
    if (status === 'failed') t.is(body.message, 'Probe 1 (GET) answered 404');
    t.is((await call(`GET /webhook-config/${channel.publicId}`, at)).body.webhookUrl, null);
  });
}

test('a save during a Temporal outage returns 503 and never commits', async (t) => {
  const { db, refused } = await testApi(t);
  const { workspace, apiKey: key } = await aTenant(db);
  const channel = await aChannel(db, workspace);
  const { headers } = await refused('WORKFLOW_UNAVAILABLE', `PUT /webhook-config/${channel.publicId}`, {
    key,
    workspace: workspace.publicId,
    body: { webhookUrl },
  });
  t.is(headers.get('retry-after'), '5');
  const { id: candidateId } = await db('webhook_candidates').first('id');
  t.is(await commitCandidate(db, { candidateId }), 'expired');
});

test('a save with a lost answer is decided by its row', async (t) => {
  const temporal = (db: Knex): WorkflowStarts => ({
    ...noTemporal,
    saveWebhook: async ({ candidateId }) => {
      await commitCandidate(db, { candidateId });
      return { state: 'unknown', cause: new Error('deadline') };
    },
  });
  const { db, call } = await testApi(t, { temporal });
  const { workspace, apiKey: key } = await aTenant(db);
  const channel = await aChannel(db, workspace);
  const at = { key, workspace: workspace.publicId };
  t.is((await call(`PUT /webhook-config/${channel.publicId}`, { ...at, body: { webhookUrl } })).status, 200);
});

test('a possibly started save is not reported as unavailable', async (t) => {
  const temporal: WorkflowStarts = {
    ...noTemporal,
    saveWebhook: () => Promise.resolve({ state: 'unknown', cause: null }),
  };
  const { db, refused } = await testApi(t, { temporal });
  const { workspace, apiKey: key } = await aTenant(db);
  const channel = await aChannel(db, workspace);
  const at = { key, workspace: workspace.publicId, body: { webhookUrl } };
  const { status, body } = await refused('PLATFORM_OUTCOME_UNKNOWN', `PUT /webhook-config/${channel.publicId}`, at);
  t.is(status, 504);
  t.regex(body.message, /GET \/webhook-config/);
});

test('the later of two concurrent saves wins', async (t) => {
  const staged: number[] = [];
  const held = Promise.withResolvers<void>();
  const temporal = (db: Knex): WorkflowStarts => ({
    ...noTemporal,
    saveWebhook: async ({ candidateId }) => {
      staged.push(candidateId);
      if (staged.length === 1) await held.promise;
      return { state: 'ended', result: await commitCandidate(db, { candidateId }) };
    },
  });
  const { db, call, refused } = await testApi(t, { temporal });
  const { workspace, apiKey: key } = await aTenant(db);
  const channel = await aChannel(db, workspace);
  const at = { key, workspace: workspace.publicId };
  const route = `PUT /webhook-config/${channel.publicId}`;
  const earlier = refused('WEBHOOK_CONFIG_CHANGED', route, { ...at, body: { webhookUrl: `${webhookUrl}/earlier` } });
  while (staged.length === 0) await new Promise((resolve) => setImmediate(resolve));
  const later = await call(route, { ...at, body: { webhookUrl: `${webhookUrl}/later` } });
  held.resolve();
  t.is((await earlier).status, 409);
  t.is(later.body.webhookUrl, `${webhookUrl}/later`);
});

test('a forbidden URL is refused before the workflow starts', async (t) => {
  const { db, refused } = await testApi(t);
  const { workspace, apiKey: key } = await aTenant(db);
  const channel = await aChannel(db, workspace);
  const put = { key, workspace: workspace.publicId };
  const route = `PUT /webhook-config/${channel.publicId}`;
  for (const url of [
    'http://receiver.example.com/',
    'https://127.0.0.1/',
    'https://localhost/',
    'ftp://example.com/',
  ]) {
    await refused('URL_NOT_ALLOWED', route, { ...put, body: { webhookUrl: url } });
  }
  t.is((await db('webhook_candidates')).length, 0);
});

test('an invalid body is refused with every invalid field named', async (t) => {
  const { db, refused } = await testApi(t);
  const { workspace, apiKey: key } = await aTenant(db);
  const channel = await aChannel(db, workspace);
  const put = { key, workspace: workspace.publicId };
  const route = `PUT /webhook-config/${channel.publicId}`;
  const { body } = await refused('VALIDATION_ERROR', route, {
    ...put,
    body: { webhookUrl: 'nowhere', verifyToken: 7, more: 1 },
  });
  t.regex(body.message, /webhookUrl.*verifyToken.*more/);
  await refused('VALIDATION_ERROR', route, put);
  await refused('VALIDATION_ERROR', route, { ...put, body: '"text"' });
  await refused('VALIDATION_ERROR', `${route}?pending=later`, { ...put, body: { webhookUrl } });
  await refused('MALFORMED_JSON', route, { ...put, body: '{"webhookUrl":' });
  await refused('UNSUPPORTED_MEDIA_TYPE', route, { ...put, body: 'a=b', headers: { 'content-type': 'text/plain' } });
  const large = JSON.stringify({ webhookUrl, verifyToken: 'x'.repeat(1024 * 1024) });
  await refused('PAYLOAD_TOO_LARGE', route, { ...put, body: large });
});

test('clearing a webhook cancels pending deliveries and is repeatable', async (t) => {
  const { db, call, endVoid } = await testApi(t);
  const { workspace, apiKey: key } = await aTenant(db);
  const channel = await aChannel(db, workspace);
  const destinationId = await aWebhook(db, channel);
  const delivery = await aLedgerDelivery(db, channel, { destinationId });
  const at = { key, workspace: workspace.publicId };
  t.is((await call(`DELETE /webhook-config/${channel.publicId}`, at)).status, 204);
  await endVoid();
  t.like(await db('deliveries').where({ id: delivery.id }).first(), { status: 'cancelled' });
  t.is((await call(`GET /webhook-config/${channel.publicId}`, at)).body.webhookUrl, null);
  t.is((await call(`DELETE /webhook-config/${channel.publicId}`, at)).status, 204);
});

test('the signing secret is stable and well-formed', async (t) => {
  const { db, call } = await testApi(t);
  const { workspace, apiKey: key } = await aTenant(db);
  const channel = await aChannel(db, workspace);
  const read = async () =>
    (await call(`GET /webhook-config/${channel.publicId}/hmac`, { key, workspace: workspace.publicId })).body;
  const { hmacSecret, channelId } = await read();
  t.is(channelId, channel.publicId);
  t.regex(hmacSecret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  t.is((await read()).hmacSecret, hmacSecret);
});

for (const [method, suffix] of [
  ['GET', ''],
  ['PUT', ''],
  ['DELETE', ''],
  ['GET', '/hmac'],
] as const) {
  test(`${method} /webhook-config/{ch}${suffix} does not reveal a foreign channel`, async (t) => {
    const { db, refused } = await testApi(t);
    const [mine, other] = [await aTenant(db), await aTenant(db)];
    const foreign = await aChannel(db, other.workspace);
    const at = {
      key: mine.apiKey,
      workspace: mine.workspace.publicId,
      ...(method === 'PUT' && { body: { webhookUrl } }),
    };
    await refused('CHANNEL_NOT_FOUND', `${method} /webhook-config/${foreign.publicId}${suffix}`, at);
    await refused('CHANNEL_NOT_FOUND', `${method} /webhook-config/ch_x${suffix}`, at);
    await refused('AUTH_REQUIRED', `${method} /webhook-config/${foreign.publicId}${suffix}`);
  });
}
