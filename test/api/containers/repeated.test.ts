import { connect } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import type { Knex } from 'knex';
import { openApiDocument } from '../../../openapi/document/open-api-document.ts';
import type { WorkflowStarts } from '../../../workflow-starts/workflow-starts.ts';
import type { PartOutcome } from '../../../contract/containers/status.ts';
import { insertWorkspace } from '../../../db/organizations/workspaces.ts';
import { fieldsOf } from '../../harness/fields-of.ts';
import { channelStage } from '../../harness/api/stages.ts';
import { imageBody, settleCreate } from '../../harness/containers/containers.ts';
import { aChannel } from '../../harness/tenants.ts';

async function aStage(t: ExecutionContext, outcome: PartOutcome = 'accepted') {
  const starts: string[] = [];
  const temporal = (db: Knex): Partial<WorkflowStarts> => ({
    createContainer: async ({ containerId }) => {
      starts.push(containerId);
      await settleCreate(db, containerId, { outcome, detail: 'As the platform says.' });
      return { state: 'ended', result: outcome };
    },
  });
  const api = await channelStage(t, { starts: temporal, type: 'photoapp' });
  const { tenant, channel } = api;
  const route = `POST /channels/${channel.publicId}/photoapp/containers`;
  const at = (idempotencyKey: string) => ({ key: tenant.apiKey, headers: { 'idempotency-key': idempotencyKey } });
  return { ...api, route, at, starts };
}

test('the same key and body return one container in any field order', async (t) => {
  const { call, db, channel, route, at, starts } = await aStage(t);
  const first = await call(route, { ...at('one'), body: { ...imageBody, userTags: [{ username: 'a', x: 0, y: 1 }] } });
  await db('channels').where({ id: channel.id }).update({ disconnected_at: new Date() });
  const { mediaType, imageUrl, caption } = imageBody;
  const again = await call(route, {
    ...at('one'),
    body: { userTags: [{ y: 1, x: 0, username: 'a' }], autoPublish: false, caption, imageUrl, mediaType },
  });
  t.is(again.status, 201);
  t.deepEqual(again.body, first.body);
  t.is(again.headers.get('location'), first.headers.get('location'));
  t.deepEqual(starts, [first.body.containerId], 'a settled create starts no workflow');
});

for (const [outcome, code] of [
  ['rejected', 'PLATFORM_REJECTED'],
  ['lost', 'PLATFORM_OUTCOME_UNKNOWN'],
  ['not_sent', 'WORKFLOW_UNAVAILABLE'],
] as const) {
  test(`a repeat of a ${outcome} create repeats the refusal`, async (t) => {
    const { refused, route, at, starts } = await aStage(t, outcome);
    const first = await refused(code, route, { ...at('one'), body: imageBody });
    const again = await refused(code, route, { ...at('one'), body: imageBody });
    t.is(again.body.message, first.body.message);
    t.is(again.headers.get('location'), first.headers.get('location'));
    t.is(starts.length, 1);
  });
}

test('the same key with another body is refused', async (t) => {
  const { call, refused, db, route, at } = await aStage(t);
  await call(route, { ...at('one'), body: imageBody });
  await refused('IDEMPOTENCY_KEY_REUSED', route, { ...at('one'), body: { ...imageBody, caption: 'Other' } });
  t.is((await db('media_containers')).length, 1);
});

test('every request without a key creates its own container', async (t) => {
  const { call, apiKey: key, route } = await aStage(t);
  const one = await call(route, { key, body: imageBody });
  const two = await call(route, { key, body: imageBody });
  t.not(one.body.containerId, two.body.containerId);
});

test('concurrent requests with one key create one container', async (t) => {
  const { call, db, route, at } = await aStage(t);
  const answers = await Promise.all([1, 2].map(() => call(route, { ...at('one'), body: imageBody })));
  t.deepEqual(fieldsOf(answers, 'status'), [201, 201]);
  t.is(answers[0]!.body.containerId, answers[1]!.body.containerId);
  t.is((await db('media_containers')).length, 1);
});

test('another channel may use the same key', async (t) => {
  const { call, db, workspace, route, at } = await aStage(t);
  const other = await aChannel(db, workspace, { type: 'photoapp' });
  const one = await call(route, { ...at('one'), body: imageBody });
  const two = await call(`POST /channels/${other.publicId}/photoapp/containers`, { ...at('one'), body: imageBody });
  t.is(two.body.channelId, other.publicId);
  t.not(one.body.containerId, two.body.containerId);
});

test('a key used before a move does not reveal the earlier container', async (t) => {
  const { call, refused, db, organization, channel, route, at } = await aStage(t);
  const { body } = await call(route, { ...at('one'), body: imageBody });
  const next = await insertWorkspace(db, { organizationId: organization.id, name: 'Next', kind: 'team' });
  await db('channels').where({ id: channel.id }).update({ workspace_id: next.id });
  const { body: refusal } = await refused('IDEMPOTENCY_KEY_REUSED', route, { ...at('one'), body: imageBody });
  t.false(refusal.message.includes(body.containerId));
  await refused('CONTAINER_NOT_FOUND', `GET ${route.slice(5)}/${body.containerId}`, at('one'));
});

test('a key is 1 to 255 printable ASCII characters', async (t) => {
  const { call, refused, route, at } = await aStage(t);
  for (const key of ['', 'x'.repeat(256), 'tab\there', 'sch\u00f6n']) {
    const { body } = await refused('VALIDATION_ERROR', route, { ...at(key), body: imageBody });
    t.regex(body.message, /Idempotency-Key/);
  }
  for (const key of ['x', '~'.repeat(255), 'with space, and "quotes"']) {
    t.is((await call(route, { ...at(key), body: imageBody })).status, 201);
  }
});

test('the OpenAPI document lists the optional Idempotency-Key', (t) => {
  const { paths, components } = JSON.parse(
    JSON.stringify(openApiDocument({ baseUrl: 'https://api.example.com', deployment: 'production' })),
  );
  const { post, get } = paths['/channels/{ch}/photoapp/containers'];
  const keyOf = ({ parameters }: { parameters: { name: string }[] }) =>
    parameters.find(({ name }) => name === 'Idempotency-Key');
  t.like(keyOf(post), { in: 'header', schema: { type: 'string' } });
  t.not((keyOf(post) as { required?: boolean } | undefined)?.required, true);
  t.is(keyOf(get), undefined);
  t.truthy(post.responses['201'].headers.Location);
  const lost = components.responses[post.responses['504'].$ref.split('/').at(-1)];
  t.truthy(lost.headers.Location);
});

test('a request with two Idempotency-Keys is refused', async (t) => {
  const { url, apiKey, channel } = await aStage(t);
  const body = JSON.stringify(imageBody);
  const lines = [
    `POST /channels/${channel.publicId}/photoapp/containers HTTP/1.1`,
    'Host: api',
    'Connection: close',
    `Authorization: Bearer ${apiKey}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Idempotency-Key: one',
    'Idempotency-Key: two',
  ];
  const answer = await sendRaw(url, `${lines.join('\r\n')}\r\n\r\n${body}`);
  t.regex(answer, /^HTTP\/1\.1 400 /);
  t.regex(answer, /Idempotency-Key is given more than once/);
});

/** Sends requests that an HTTP client refuses to build. */
async function sendRaw(url: string, request: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(request);
  let answer = '';
  for await (const chunk of socket) answer += chunk;
  return answer;
}
