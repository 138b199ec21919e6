import test, { type ExecutionContext } from 'ava';
import { requestHash } from '../../../api/routing/request-hash.ts';
import { scheduledPostInput } from '../../../openapi/containers/scheduled-post-schema.ts';
import { imageBody } from '../../harness/containers/containers.ts';
import { platformStage } from '../../harness/operations/platform-stage.ts';
import { aKey, aTenant } from '../../harness/tenants.ts';

const DAY_MS = 86_400_000;
const inMs = (ms: number): string => new Date(Date.now() + ms).toISOString();

async function postStage(t: ExecutionContext) {
  const stage = await platformStage(t, 'photoapp');
  const body = { publishAt: inMs(DAY_MS), container: imageBody };
  const schedule = async (more: object = {}, headers = {}) =>
    await stage.ok('POST /photoapp/scheduled-posts', { ...body, ...more }, { headers });
  return { ...stage, body, schedule };
}

test('a scheduled post is listed, changed and cancelled', async (t) => {
  const { schedule, ok, call, db, channel, calls } = await postStage(t);
  const scheduled = await schedule();
  const at = `/photoapp/scheduled-posts/${scheduled.scheduledPostId}`;
  t.like(scheduled, { channelId: channel.publicId, status: 'scheduled', containerId: null, container: imageBody });
  t.deepEqual(await ok(`GET ${at}`), scheduled);
  const listed = await ok('GET /photoapp/scheduled-posts?status=scheduled&limit=1');
  t.deepEqual(listed, { scheduledPosts: [scheduled], nextCursor: null });
  t.deepEqual((await ok('GET /photoapp/scheduled-posts?status=started')).scheduledPosts, []);

  const publishAt = inMs(2 * DAY_MS);
  const container = { ...imageBody, caption: 'New' };
  t.like(await ok(`PATCH ${at}`, { publishAt, container }), { publishAt, container, status: 'scheduled' });
  const cancels = await Promise.all([1, 2, 3].map(() => ok(`POST ${at}/cancel`)));
  for (const cancel of cancels) t.like(cancel, { status: 'cancelled', container: null });
  t.like(await ok(`POST ${at}/cancel`), { status: 'cancelled' });
  const late = await call(`PATCH ${at}`, { publishAt });
  t.deepEqual([late.status, late.body.code], [409, 'POST_NOT_SCHEDULED']);
  t.deepEqual(await db('audit_entries').where({ target_id: scheduled.scheduledPostId }).orderBy('id').pluck('action'), [
    'scheduledPost.created',
    'scheduledPost.changed',
    'scheduledPost.cancelled',
  ]);
  t.deepEqual(calls, [], 'nothing was sent');
  t.is((await db('media_containers')).length, 0);
});

test('times and content are checked before a post is stored', async (t) => {
  const { expectRefusal, schedule, db, body } = await postStage(t);
  const { scheduledPostId } = await schedule();
  const refused: readonly object[] = [
    ...[inMs(-120_000), inMs(91 * DAY_MS), 'soon', null].map((publishAt) => ({ publishAt })),
    ...[{}, { ...imageBody, mediaType: 'REELS' }, { ...imageBody, imageUrl: 'http://localhost/1.jpg' }].map(
      (container) => ({ container }),
    ),
  ];
  for (const change of refused) {
    await expectRefusal('VALIDATION_ERROR', 'POST /photoapp/scheduled-posts', { ...body, ...change });
    await expectRefusal('VALIDATION_ERROR', `PATCH /photoapp/scheduled-posts/${scheduledPostId}`, change);
  }
  await expectRefusal('VALIDATION_ERROR', `PATCH /photoapp/scheduled-posts/${scheduledPostId}`, {});
  t.is((await db('scheduled_posts')).length, 1);
});

test('a repeated Idempotency-Key schedules one post', async (t) => {
  const { schedule, expectRefusal, body, db } = await postStage(t);
  const headers = { 'idempotency-key': 'post-1' };
  const first = await schedule(body, headers);
  t.is((await schedule(body, headers)).scheduledPostId, first.scheduledPostId);
  const other = { ...body, publishAt: inMs(3 * DAY_MS) };
  await expectRefusal('IDEMPOTENCY_KEY_REUSED', 'POST /photoapp/scheduled-posts', other, { headers });
  t.is((await db('scheduled_posts')).length, 1);
});

test('a repeat gets the first post after its time and a disconnect', async (t) => {
  const { schedule, expectRefusal, db, channel, workspace, body } = await postStage(t);
  const headers = { 'idempotency-key': 'post-1' };
  const first = await schedule(body, headers);
  // The stored request is the repeated one, whose time has passed since.
  const past = { ...body, publishAt: inMs(-120_000) };
  const hash = requestHash({ workspaceId: workspace.id, body: scheduledPostInput.parse(past) });
  await db('scheduled_posts').update({ publish_at: past.publishAt, request_hash: hash });
  await db('channels').where({ id: channel.id }).update({ disconnected_at: new Date() });
  t.is((await schedule(past, headers)).scheduledPostId, first.scheduledPostId);
  await expectRefusal('IDEMPOTENCY_KEY_REUSED', 'POST /photoapp/scheduled-posts', body, { headers });
  await expectRefusal('CHANNEL_DISCONNECTED', 'POST /photoapp/scheduled-posts', past);
  t.is((await db('scheduled_posts')).length, 1);
});

test('only connected photo accounts schedule posts', async (t) => {
  const { expectRefusal, body, db, channel } = await postStage(t);
  await db('channels').where({ id: channel.id }).update({ disconnected_at: new Date() });
  await expectRefusal('CHANNEL_DISCONNECTED', 'POST /photoapp/scheduled-posts', body);
  const chat = await platformStage(t, 'chatapp');
  await chat.expectRefusal('CHANNEL_TYPE_MISMATCH', 'POST /photoapp/scheduled-posts', body);
});

test('scheduling requires channel.manage, and other tenants see nothing', async (t) => {
  const { schedule, expectRefusal, call, body, db, organization, user } = await postStage(t);
  const { scheduledPostId } = await schedule();
  const reader = await aKey(db, { organization, user, scopes: ['channel.read'] });
  await expectRefusal('AGENT_SCOPE_INSUFFICIENT', 'POST /photoapp/scheduled-posts', body, { key: reader });
  t.is((await call('GET /photoapp/scheduled-posts', undefined, { key: reader })).status, 200);
  const { apiKey } = await aTenant(db);
  const at = `/photoapp/scheduled-posts/${scheduledPostId}`;
  for (const route of [`GET ${at}`, `POST ${at}/cancel`, 'GET /photoapp/scheduled-posts']) {
    t.is((await call(route, undefined, { key: apiKey })).status, 404, route);
  }
  await expectRefusal('SCHEDULED_POST_NOT_FOUND', 'GET /photoapp/scheduled-posts/sp_00000000');
});
