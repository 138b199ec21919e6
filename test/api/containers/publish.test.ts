import test, { type ExecutionContext } from 'ava';
import type { Knex } from 'knex';
import type { PublishAnswer, WorkflowStarts } from '../../../workflow-starts/workflow-starts.ts';
import type { ErrorCode } from '../../../contract/errors.ts';
import type { ContainerStatus } from '../../../contract/containers/status.ts';
import { channelStage } from '../../harness/api/stages.ts';
import { noTemporal } from '../../harness/api/api.ts';
import { aContainer, setContainer } from '../../harness/containers/containers.ts';

type Publish = (db: Knex, containerId: string) => ReturnType<WorkflowStarts['publishContainer']>;

async function aStage(t: ExecutionContext, { from, publish }: { from: ContainerStatus; publish?: Publish }) {
  const requests: string[] = [];
  const temporal = (db: Knex): Partial<WorkflowStarts> => ({
    publishContainer: async (container) => {
      requests.push(container.containerId);
      return publish ? await publish(db, container.containerId) : await noTemporal.publishContainer(container);
    },
  });
  const api = await channelStage(t, { starts: temporal, type: 'photoapp' });
  const { workspace, channel } = api;
  const { publicId } = await aContainer(api.db, { channel, workspace, status: from });
  const location = `/channels/${channel.publicId}/photoapp/containers/${publicId}`;
  return { ...api, publicId, location, route: `POST ${location}/publish`, requests };
}

const answering =
  (result: PublishAnswer, row?: { readonly status: ContainerStatus } & Readonly<Record<string, unknown>>): Publish =>
  async (db, containerId) => {
    if (row) await setContainer(db, containerId, row);
    return { state: 'ended', result };
  };
const post = { media_id: '4711', permalink: 'https://p.example.com/4711' };

test("a published container returns its post; repeats don't call the workflow", async (t) => {
  const publish = answering('published', { status: 'published', ...post });
  const { call, db, key, channel, publicId, route, requests } = await aStage(t, { from: 'finished', publish });
  const expected = { channelId: channel.publicId, containerId: publicId, mediaId: '4711', permalink: post.permalink };
  const first = await call(route, { key });
  t.is(first.status, 200);
  t.deepEqual(first.body, expected);
  await db('channels').update({ disconnected_at: new Date() });
  t.deepEqual((await call(route, { key })).body, expected);
  t.deepEqual(requests, [publicId]);
});

test('a published container without a known post returns null fields', async (t) => {
  const { call, key, route, requests } = await aStage(t, { from: 'published' });
  const { status, body } = await call(route, { key });
  t.is(status, 200);
  t.like(body, { mediaId: null, permalink: null });
  t.is(requests.length, 0);
});

for (const [from, code] of [
  ['expired', 'CONTAINER_EXPIRED'],
  ['error', 'CONTAINER_FAILED'],
  ['unknown', 'CONTAINER_FAILED'],
] as const) {
  test(`publishing from ${from} answers ${code} without calling the workflow`, async (t) => {
    const { refused, db, key, publicId, route, requests } = await aStage(t, { from });
    await setContainer(db, publicId, { status: from, status_detail: 'The video is too long.' });
    const { body } = await refused(code, route, { key });
    if (code === 'CONTAINER_FAILED') t.regex(body.message, /The video is too long\./);
    t.is(requests.length, 0);
  });
}

interface Case {
  readonly answer: PublishAnswer;
  readonly row?: { readonly status: ContainerStatus } & Readonly<Record<string, unknown>>;
  readonly code: ErrorCode;
  readonly message?: RegExp;
  readonly retryAfter?: RegExp;
  readonly location?: true;
}

const hence = (seconds: number) => new Date(Date.now() + seconds * 1_000);
const detail = (status: ContainerStatus, text: string) => ({ status, status_detail: text });
const cases: readonly Case[] = [
  { answer: 'not_ready', row: { status: 'in_progress' }, code: 'CONTAINER_NOT_READY', retryAfter: /^\d+$/ },
  { answer: 'refused_not_ready', code: 'CONTAINER_NOT_READY', retryAfter: /^\d+$/ },
  { answer: 'refused_not_ready', row: detail('expired', 'late'), code: 'CONTAINER_EXPIRED' },
  { answer: 'quota_exceeded', code: 'PUBLISH_QUOTA_EXCEEDED', retryAfter: /^3600$/ },
  {
    answer: 'rejected',
    row: detail('finished', '100 No'),
    code: 'PLATFORM_REJECTED',
    message: /^100 No$/,
    location: true,
  },
  {
    answer: 'rejected',
    row: { ...detail('finished', '4 Wait'), refusal_code: 'PLATFORM_RATE_LIMITED', refusal_retry_at: hence(3_600) },
    code: 'PLATFORM_RATE_LIMITED',
    message: /^4 Wait$/,
    retryAfter: /^\d+$/,
    location: true,
  },
  {
    answer: 'rejected',
    row: { ...detail('finished', '25 No'), refusal_code: 'ACCOUNT_RESTRICTED' },
    code: 'ACCOUNT_RESTRICTED',
    location: true,
  },
  { answer: 'unreachable', code: 'PLATFORM_UNAVAILABLE', message: /Nothing was published/, retryAfter: /^\d+$/ },
  {
    answer: 'lost',
    row: { status: 'finished' },
    code: 'PLATFORM_OUTCOME_UNKNOWN',
    message: /ctr_\w{8}/,
    location: true,
  },
  { answer: 'published', code: 'PLATFORM_OUTCOME_UNKNOWN', location: true },
  { answer: 'expired', row: detail('expired', 'late'), code: 'CONTAINER_EXPIRED' },
  { answer: 'expired', code: 'CONTAINER_EXPIRED' },
  { answer: 'failed', row: detail('error', 'Too long.'), code: 'CONTAINER_FAILED', message: /Too long\./ },
  { answer: 'refused_ended', row: detail('unknown', 'Lost.'), code: 'CONTAINER_FAILED', message: /Lost\./ },
  { answer: 'refused_ended', code: 'CONTAINER_FAILED' },
];

for (const { answer, row, code, message, retryAfter, location: hasLocation } of cases) {
  test(`a publish answered ${answer} with row ${row?.status ?? 'unchanged'} returns ${code}`, async (t) => {
    const stage = await aStage(t, { from: 'finished', publish: answering(answer, row) });
    const { body, headers } = await stage.refused(code, stage.route, { key: stage.key });
    if (message) t.regex(body.message, message);
    t.regex(headers.get('retry-after') ?? '', retryAfter ?? /^$/);
    t.is(headers.get('location'), hasLocation ? stage.location : null);
  });
}

test("a published row takes precedence over the workflow's answer", async (t) => {
  for (const answer of ['lost', 'refused_ended', 'rejected'] as const) {
    const publish = answering(answer, { status: 'published', ...post, media_id: answer });
    const { call, key, route } = await aStage(t, { from: 'finished', publish });
    t.like((await call(route, { key })).body, { mediaId: answer });
  }
});

test('Retry-After of an early publish follows the next poll', async (t) => {
  const { refused, db, key, publicId, route } = await aStage(t, {
    from: 'in_progress',
    publish: answering('refused_not_ready'),
  });
  const secondsFor = async (status: ContainerStatus, nextInSeconds: number | null) => {
    const next = nextInSeconds === null ? null : new Date(Date.now() + nextInSeconds * 1_000);
    await setContainer(db, publicId, { status, next_check_at: next });
    return Number((await refused('CONTAINER_NOT_READY', route, { key })).headers.get('retry-after'));
  };
  const soon = await secondsFor('in_progress', 280);
  t.true(soon >= 150 && soon <= 280, `${soon}`);
  t.is(await secondsFor('in_progress', -5), 1);
  t.is(await secondsFor('in_progress', null), 60);
  t.is(await secondsFor('in_progress', 86_400), 300);
  t.is(await secondsFor('finished', 86_400), 1);
});

test('a publish during a Temporal outage is refused', async (t) => {
  const { refused, key, route } = await aStage(t, { from: 'finished' });
  await refused('WORKFLOW_UNAVAILABLE', route, { key });
});

test('an unanswered publish is unknown unless the row is published', async (t) => {
  let row: Record<string, unknown> | undefined = undefined;
  const { call, refused, key, location, route } = await aStage(t, {
    from: 'finished',
    publish: async (db, containerId) => {
      if (row) await setContainer(db, containerId, { status: 'published', ...row });
      return { state: 'unknown', cause: new Error('no answer') };
    },
  });
  const { body, headers } = await refused('PLATFORM_OUTCOME_UNKNOWN', route, { key });
  t.regex(body.message, /Do not repeat this blindly/);
  t.is(headers.get('location'), location);
  row = post;
  t.like((await call(route, { key })).body, { mediaId: '4711' });
});

test("a disconnected channel can't publish", async (t) => {
  const { refused, db, key, route, requests } = await aStage(t, { from: 'finished' });
  await db('channels').update({ disconnected_at: new Date() });
  await refused('CHANNEL_DISCONNECTED', route, { key });
  t.is(requests.length, 0);
});
