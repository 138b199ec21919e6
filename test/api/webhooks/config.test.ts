import test, { type ExecutionContext } from 'ava';
import type { Knex } from 'knex';
import type { WorkflowStarts } from '../../../workflow-starts/workflow-starts.ts';
import {
  type CandidateStatus,
  commitCandidate,
  type ProbeRecord,
  recordCandidateFailure,
  recordProbe,
} from '../../../db/webhooks/candidates.ts';
import { mcpClient, refusalOf } from '../../harness/api/mcp.ts';
import { channelStage } from '../../harness/api/stages.ts';
import { fieldsOf } from '../../harness/fields-of.ts';
import { aChannel } from '../../harness/tenants.ts';

type Save = (db: Knex, candidateId: number) => ReturnType<WorkflowStarts['saveWebhook']>;

const passing: Save = async (db, candidateId) => ({
  state: 'ended',
  result: await commitCandidate(db, { candidateId }),
});

const failing =
  (status: Exclude<CandidateStatus, 'staged' | 'committed'>, failure: string): Save =>
  async (db, candidateId) => {
    await recordCandidateFailure(db, { candidateId, status, failure });
    return { state: 'ended', result: 'failed' };
  };

const webhookUrl = 'https://receiver.example.com/hook';

/** Optional `save`. Default: Temporal is unreachable. */
async function stage(t: ExecutionContext, save?: Save) {
  const api = await channelStage(t, {
    starts: (db) => ({ ...(save && { saveWebhook: ({ candidateId }) => save(db, candidateId) }) }),
  });
  const { at, channel } = api;
  const path = `/webhook-config/${channel.publicId}`;
  return {
    ...api,
    path,
    put: `PUT ${path}`,
    save: async (body: object = { webhookUrl }) => await api.call(`PUT ${path}`, { ...at, body }),
    read: async () => (await api.call(`GET ${path}`, at)).body,
  };
}

test('a refused save names each field once', async (t) => {
  const { save } = await stage(t);
  const { code, message } = (await save({ webhookUrl: 'here', verifyToken: '', foo: 1 })).body;
  t.is(code, 'VALIDATION_ERROR');
  t.deepEqual(
    message.split('; ').map((text: string) => text.split(':')[0]),
    ['body.webhookUrl', 'body.verifyToken', 'body.foo'],
  );
});

test('a saved webhook keeps its verify token if omitted later', async (t) => {
  const { db, channel, save, read } = await stage(t, passing);
  const before = await read();
  t.regex(before.verifyToken, /^[\w-]{32}$/);
  t.deepEqual(before, {
    channelId: channel.publicId,
    webhookUrl: null,
    verifyToken: before.verifyToken,
    verifiedAt: null,
    updatedAt: null,
    disabledReason: null,
    lastVerification: null,
  });
  const saved = (await save({ webhookUrl, verifyToken: 'mine' })).body;
  t.like(saved, { channelId: channel.publicId, webhookUrl, verifyToken: 'mine' });
  t.deepEqual(await read(), saved);
  const moved = `${webhookUrl}/2`;
  t.like((await save({ webhookUrl: moved })).body, { webhookUrl: moved, verifyToken: 'mine' });
  t.is((await db('destinations')).length, 1, 'an edited URL stays the same destination');
});

test('a channel has one verify token before and after its first save', async (t) => {
  const { db, call, workspace, at, path, save, read } = await stage(t, passing);
  const { verifyToken: first } = await read();
  t.is((await save()).body.verifyToken, first);
  t.is((await call(`DELETE ${path}`, at)).status, 204);
  const { verifyToken: next } = await read();
  t.not(next, first, 'clearing the webhook ends its token');
  t.is((await read()).verifyToken, next);
  const { publicId } = await aChannel(db, workspace);
  t.not((await call(`GET /webhook-config/${publicId}`, at)).body.verifyToken, next);
});

for (const [status, code] of [
  ['failed', 'WEBHOOK_URL_VERIFICATION_FAILED'],
  ['blocked', 'URL_NOT_ALLOWED'],
  ['overtaken', 'WEBHOOK_CONFIG_CHANGED'],
  ['abandoned', 'PLATFORM_OUTCOME_UNKNOWN'],
] as const) {
  test(`a save that ends ${status} answers ${code} and stores nothing`, async (t) => {
    const { refused, put, at, read } = await stage(t, failing(status, 'Probe 1 (GET) answered 404'));
    const { body } = await refused(code, put, { ...at, body: { webhookUrl } });
    if (status === 'failed') t.is(body.message, 'Probe 1 (GET) answered 404');
    t.is((await read()).webhookUrl, null);
  });
}

test('a save during a Temporal outage returns 503 and never commits', async (t) => {
  const { db, refused, put, at } = await stage(t);
  const { headers } = await refused('WORKFLOW_UNAVAILABLE', put, { ...at, body: { webhookUrl } });
  t.is(headers.get('retry-after'), '5');
  const { id: candidateId } = await db('webhook_candidates').first('id');
  t.is(await commitCandidate(db, { candidateId }), 'expired');
});

test('a save with a lost answer is decided by its row', async (t) => {
  const { save } = await stage(t, async (db, candidateId) => {
    await commitCandidate(db, { candidateId });
    return { state: 'unknown', cause: new Error('deadline') };
  });
  t.is((await save()).status, 200);
});

test('a possibly started save is not reported as unavailable', async (t) => {
  const { refused, put, at } = await stage(t, () => Promise.resolve({ state: 'unknown', cause: null }));
  const { status, body } = await refused('PLATFORM_OUTCOME_UNKNOWN', put, { ...at, body: { webhookUrl } });
  t.is(status, 504);
  t.regex(body.message, /GET \/webhook-config/);
});

test('the later of two concurrent saves wins', async (t) => {
  const begun = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  let saves = 0;
  const { refused, put, at, save } = await stage(t, async (db, candidateId) => {
    if (++saves === 1) {
      begun.resolve();
      await held.promise;
    }
    return await passing(db, candidateId);
  });
  const earlier = refused('WEBHOOK_CONFIG_CHANGED', put, { ...at, body: { webhookUrl: `${webhookUrl}/earlier` } });
  await begun.promise;
  const later = await save({ webhookUrl: `${webhookUrl}/later` });
  held.resolve();
  t.is((await earlier).status, 409);
  t.is(later.body.webhookUrl, `${webhookUrl}/later`);
});

test('an invalid body is refused with every invalid field named', async (t) => {
  const { refused, put, at } = await stage(t);
  const wrong = { webhookUrl: 'nowhere', verifyToken: 7, more: 1 };
  const { body } = await refused('VALIDATION_ERROR', put, { ...at, body: wrong });
  t.regex(body.message, /webhookUrl.*verifyToken.*more/);
  await refused('VALIDATION_ERROR', put, at);
  await refused('VALIDATION_ERROR', put, { ...at, body: '"text"' });
  await refused('VALIDATION_ERROR', `${put}?pending=later`, { ...at, body: { webhookUrl } });
  await refused('MALFORMED_JSON', put, { ...at, body: '{"webhookUrl":' });
  await refused('UNSUPPORTED_MEDIA_TYPE', put, { ...at, body: 'a=b', headers: { 'content-type': 'text/plain' } });
  const large = JSON.stringify({ webhookUrl, verifyToken: 'x'.repeat(1024 * 1024) });
  await refused('PAYLOAD_TOO_LARGE', put, { ...at, body: large });
});

test('the signing secret is stable and well-formed', async (t) => {
  const { call, at, path, channel } = await stage(t);
  const first = await call(`GET ${path}/hmac`, at);
  const second = await call(`GET ${path}/hmac`, at);
  t.is(first.body.channelId, channel.publicId);
  t.regex(first.body.hmacSecret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  t.deepEqual(second.body, first.body);
});

const nothing = { found: null, responseBody: null, error: null };
const passed: ProbeRecord = { outcome: 'passed', status: 200, durationMs: 12, ...nothing };
const wrong: ProbeRecord = {
  outcome: 'rejected',
  status: 500,
  durationMs: 7,
  responseBody: 'oops',
  error: null,
  found: 'the receiver answered status 500: "oops"',
};

/** The second probe gets status 500. */
const failingPost: Save = async (db, candidateId) => {
  await recordProbe(db, { candidateId, probe: 'GET', record: passed });
  await recordProbe(db, { candidateId, probe: 'POST', record: wrong });
  return await failing('failed', 'The POST probe failed.')(db, candidateId);
};

test('a refused save answers four fields, and the webhook shows its probes', async (t) => {
  const { refused, put, at, read } = await stage(t, failingPost);
  const { body } = await refused('WEBHOOK_URL_VERIFICATION_FAILED', put, { ...at, body: { webhookUrl } });
  t.deepEqual(Object.keys(body), ['statusCode', 'code', 'message', 'requestId']);
  const { webhookUrl: saved, lastVerification } = await read();
  t.is(saved, null);
  t.like(lastVerification, { url: webhookUrl, ok: false, failure: 'The POST probe failed.' });
  const [get, post] = lastVerification.probes;
  t.regex(get.expected, /status 200 with the Verify Token/);
  t.regex(post.expected, /a 2xx status/);
  t.deepEqual(lastVerification.probes, [
    { probe: 'GET', ...passed, expected: get.expected },
    { probe: 'POST', ...wrong, expected: post.expected },
  ]);
});

test('an MCP client that saves a webhook gets the same result', async (t) => {
  const { url, key, workspace, channel } = await stage(t, failingPost);
  const client = await mcpClient(t, url, { key });
  const place = { workspaceId: workspace.publicId, channelId: channel.publicId };
  const saved = await client.callTool({ name: 'putWebhookConfig', arguments: { ...place, webhookUrl } });
  const { code, ...rest } = refusalOf(saved);
  t.is(code, 'WEBHOOK_URL_VERIFICATION_FAILED');
  t.deepEqual(Object.keys(rest).sort(), ['message', 'requestId', 'statusCode']);
  const read = await client.callTool({ name: 'getWebhookConfig', arguments: place });
  t.like(Object(read.structuredContent)['lastVerification'].probes, [
    { outcome: 'passed' },
    { outcome: 'rejected', status: 500, responseBody: 'oops' },
  ]);
});

test('an unsent probe is reported, and a successful save lists both probes', async (t) => {
  let fails = true;
  const { refused, put, at, save, read } = await stage(t, async (db, candidateId) => {
    await recordProbe(db, { candidateId, probe: 'GET', record: fails ? wrong : passed });
    if (fails) return await failing('failed', 'The GET probe failed.')(db, candidateId);
    await recordProbe(db, { candidateId, probe: 'POST', record: passed });
    return await passing(db, candidateId);
  });
  await refused('WEBHOOK_URL_VERIFICATION_FAILED', put, { ...at, body: { webhookUrl } });
  t.like((await read()).lastVerification.probes, [
    { probe: 'GET', outcome: 'rejected', status: 500 },
    { probe: 'POST', outcome: 'not_sent', status: null, durationMs: null, found: null },
  ]);
  fails = false;
  const { lastVerification } = (await save()).body;
  t.deepEqual(fieldsOf(lastVerification.probes, 'probe', 'outcome', 'status', 'durationMs'), [
    ['GET', 'passed', 200, 12],
    ['POST', 'passed', 200, 12],
  ]);
  t.deepEqual((await read()).lastVerification, lastVerification);
});
