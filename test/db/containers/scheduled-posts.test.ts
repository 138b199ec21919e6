import test, { type ExecutionContext } from 'ava';
import { MAX_PUBLISH_DELAY_MS } from '../../../contract/containers/scheduled-post.ts';
import { loadContainer } from '../../../db/containers/records.ts';
import { abandonCreate } from '../../../db/containers/containers.ts';
import {
  cancelScheduledPost,
  changeScheduledPost,
  insertScheduledPost,
} from '../../../db/containers/scheduled-posts.ts';
import {
  endRestoredPosts,
  rescheduleUnsentPosts,
  startDuePost,
} from '../../../db/containers/start-scheduled-post.ts';
import { insertWorkspace } from '../../../db/organizations/workspaces.ts';
import { containerInput } from '../../../openapi/containers/schema.ts';
import { testAudit } from '../../harness/audit.ts';
import { imageBody } from '../../harness/containers/containers.ts';
import { aScheduledPost, readPost, type SamplePost } from '../../harness/containers/scheduled-posts.ts';
import { connectPatiently } from '../../harness/database/connect-patiently.ts';
import { testDatabase } from '../../harness/database/database.ts';
import { removeAllExpired } from '../../harness/database/remove-expired.ts';
import { aChannel, aTenant } from '../../harness/tenants.ts';

const HOUR_MS = 3_600_000;

async function postStage(t: ExecutionContext) {
  const { db, url } = await testDatabase(t);
  const { workspace, organization } = await aTenant(db);
  const channel = await aChannel(db, workspace, { type: 'photoapp' });
  const other = connectPatiently({ url, applicationName: 'test-other' });
  t.teardown(() => other.destroy());
  return {
    ...{ db, other, workspace, organization, channel },
    post: async (sample: Omit<SamplePost, 'channel' | 'workspace'> = {}) =>
      await aScheduledPost(db, { channel, workspace, ...sample }),
    read: async ({ publicId }: { readonly publicId: string }) => await readPost(db, { channel, workspace, publicId }),
    insert: async (on: typeof db, values: { requestHash?: Buffer; keyHash?: Buffer; max?: number } = {}) =>
      await insertScheduledPost(on, {
        ...{ channelId: channel.id, workspaceId: workspace.id, createdBy: 'key_1', publishAt: new Date() },
        ...{ input: containerInput.parse(imageBody), requestHash: Buffer.alloc(32), keyHash: null, audit: testAudit },
        ...values,
      }),
  };
}

test('a due post becomes one container, which is published when ready', async (t) => {
  const { db, other, post, read } = await postStage(t);
  const due = await post();
  await post({ publishAt: new Date(Date.now() + HOUR_MS) });
  const started = await Promise.all([db, other, db, other].map((pool) => startDuePost(pool)));
  t.is(started.filter((one) => one !== undefined).length, 1);
  const { status, containerPublicId } = await read(due);
  t.is(status, 'started');
  t.like(await loadContainer(db, containerPublicId!), { autoPublish: true, status: 'creating' });
  t.is((await db('media_containers')).length, 1);
  t.is(await startDuePost(db), undefined);
});

test('a post waits for a new connection while its credential is refused', async (t) => {
  const { db, post, read } = await postStage(t);
  const late = await post({ publishAt: new Date(Date.now() - MAX_PUBLISH_DELAY_MS) });
  const due = await post();
  await db('connection_credentials').update({ refused_at: new Date(), refused_reason: 'Connect it again.' });
  t.like(await startDuePost(db), { publicId: late.publicId, container: undefined });
  t.like(await read(late), { status: 'failed', reason: 'too_late' });
  t.regex((await read(late)).statusDetail!, /Connect it again\.$/);
  t.is(await startDuePost(db), undefined);
  await db('connection_credentials').update({ refused_at: null, refused_reason: null });
  t.like(await startDuePost(db), { publicId: due.publicId });
  t.is((await read(due)).status, 'started');
});

for (const act of ['change', 'cancel'] as const) {
  test(`a start and a concurrent ${act} have one winner`, async (t) => {
    const { db, other, post, read } = await postStage(t);
    for (let round = 0; round < 10; round++) {
      const { id, publicId } = await post();
      const publishAt = new Date(Date.now() + HOUR_MS);
      const steer = () =>
        act === 'change'
          ? changeScheduledPost(other, { id, publicId, publishAt, input: undefined, audit: testAudit })
          : cancelScheduledPost(other, { id, publicId, audit: testAudit });
      const [started, isSteered] =
        round % 2 === 0
          ? await Promise.all([startDuePost(db), steer()])
          : await Promise.all([steer(), startDuePost(db)]).then(([one, two]) => [two, one] as const);
      if (started === undefined) t.true(isSteered);
      else t.false(isSteered);
      const expected = isSteered ? (act === 'change' ? 'scheduled' : 'cancelled') : 'started';
      t.is((await read({ publicId })).status, expected);
    }
  });
}

test('a late post and one of a lost channel fail', async (t) => {
  const { db, post, read, channel, organization } = await postStage(t);
  const late = await post({ publishAt: new Date(Date.now() - MAX_PUBLISH_DELAY_MS) });
  t.is((await startDuePost(db))?.container, undefined);
  t.like(await read(late), { status: 'failed', reason: 'too_late', input: null });
  const disconnected = await post();
  await db('channels').where({ id: channel.id }).update({ disconnected_at: new Date() });
  await startDuePost(db);
  t.like(await read(disconnected), { status: 'failed', reason: 'channel_disconnected' });
  const moved = await post();
  const elsewhere = await insertWorkspace(db, { organizationId: organization.id, name: 'Other', kind: 'team' });
  await db('channels').where({ id: channel.id }).update({ workspace_id: elsewhere.id, disconnected_at: null });
  await startDuePost(db);
  t.like(await read(moved), { status: 'failed', reason: 'channel_moved' });
  t.is((await db('media_containers')).length, 0);
});

test('a post whose container was not sent is scheduled again', async (t) => {
  const { db, post, read } = await postStage(t);
  const due = await post();
  const started = await startDuePost(db);
  t.deepEqual(await rescheduleUnsentPosts(db), []);
  t.true(await abandonCreate(db, started!.container!));
  t.deepEqual(await rescheduleUnsentPosts(db), [due.publicId]);
  t.deepEqual(await rescheduleUnsentPosts(db), []);
  t.is((await read(due)).status, 'scheduled');
  await db('scheduled_posts').update({ next_start_at: new Date() });
  t.not((await startDuePost(db))?.container?.publicId, started?.container?.publicId);
});

test('refused posts do not hide one whose container was not sent', async (t) => {
  const { db, post } = await postStage(t);
  await post();
  const { container: refused } = (await startDuePost(db))!;
  await db('container_parts').where({ container_id: refused!.id }).update({ sent_at: new Date(), outcome: 'rejected' });
  await db('media_containers')
    .where({ id: refused!.id })
    .update({ status: 'error', ended_at: new Date(), next_check_at: null });
  // More than one look takes, all of them before the unsent one.
  for (let count = 0; count < 100; count++) {
    const { id } = await post({ status: 'started', publishAt: new Date(Date.now() - HOUR_MS / 2) });
    await db('scheduled_posts').where({ id }).update({ container_public_id: refused!.publicId });
  }
  const due = await post();
  t.true(await abandonCreate(db, (await startDuePost(db))!.container!));
  t.deepEqual(await rescheduleUnsentPosts(db), [due.publicId]);
});

test('a post whose container may have been sent stays started', async (t) => {
  const { db, post, read } = await postStage(t);
  const due = await post();
  const { container } = (await startDuePost(db))!;
  await db('container_parts').where({ container_id: container!.id }).update({ sent_at: new Date(), outcome: 'lost' });
  await db('media_containers').update({ status: 'error', ended_at: new Date(), next_check_at: null });
  t.deepEqual(await rescheduleUnsentPosts(db), []);
  t.is((await read(due)).status, 'started');
});

test('a channel has a limited number of scheduled posts', async (t) => {
  const { db, other, insert, post } = await postStage(t);
  await post({ status: 'cancelled' });
  const made = await Promise.all(Array.from({ length: 6 }, (_, index) => insert(index % 2 ? db : other, { max: 3 })));
  t.is(made.filter(({ outcome }) => outcome === 'created').length, 3);
  t.is(made.filter(({ outcome }) => outcome === 'too_many').length, 3);
});

test('a repeated key returns the first post', async (t) => {
  const { db, other, insert } = await postStage(t);
  const keyHash = Buffer.alloc(32, 'k');
  const made = await Promise.all([db, other, db, other].map((pool) => insert(pool, { keyHash })));
  t.deepEqual(made.map(({ outcome }) => outcome).sort(), ['created', 'repeated', 'repeated', 'repeated']);
  t.is((await insert(db, { keyHash, requestHash: Buffer.alloc(32, 'b') })).outcome, 'key_reused');
});

test('a restore ends posts that may have been published since', async (t) => {
  const { db, post, read } = await postStage(t);
  const past = await post();
  const future = await post({ publishAt: new Date(Date.now() + HOUR_MS) });
  t.is(await endRestoredPosts(db), 1);
  t.like(await read(past), { status: 'failed', reason: 'restored', input: null });
  t.is((await read(future)).status, 'scheduled');
});

test('retention deletes old posts and keeps waiting ones', async (t) => {
  const { db, post } = await postStage(t);
  const old = new Date(Date.now() - 10 * HOUR_MS);
  for (let count = 0; count < 3; count++) await post({ status: 'started', publishAt: old });
  const cancelled = await post({ status: 'cancelled' });
  await db('scheduled_posts').where({ id: cancelled.id }).update({ ended_at: old });
  const kept = [await post({ publishAt: old }), await post({ status: 'started' }), await post({ status: 'cancelled' })];
  await db('scheduled_posts').update({ created_at: new Date(0) });
  await removeAllExpired(db, 'scheduled_posts', { cutoff: new Date(Date.now() - HOUR_MS) });
  t.deepEqual(
    await db('scheduled_posts').orderBy('id').pluck('public_id'),
    kept.map(({ publicId }) => publicId),
  );
});
