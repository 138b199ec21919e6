import test from 'ava';
import {
  attributedPosts,
  recordPermalink,
  recordPublished,
  recordUnpublished,
  takePublish,
} from '../../../db/containers/publish.ts';
import { containerStatuses } from '../../../contract/containers/status.ts';
import { containerStage } from '../../harness/containers/container-stage.ts';
import { aChannel } from '../../harness/tenants.ts';

test('concurrent claims of a publish succeed once', async (t) => {
  const { db, another, image, read } = await containerStage(t);
  const container = await image({ status: 'finished' });
  const pools = [db, another()];
  const taken = await Promise.all(Array.from({ length: 8 }, (_, index) => takePublish(pools[index % 2]!, container)));
  t.is(taken.filter(Boolean).length, 1);
  const { status, publishSentAt } = await read(container);
  t.is(status, 'publishing');
  t.true(publishSentAt instanceof Date);
});

test('only a finished container can be published', async (t) => {
  const { db, image } = await containerStage(t);
  for (const status of containerStatuses) {
    t.is(await takePublish(db, await image({ status })), status === 'finished', status);
  }
});

test('a published container keeps its post and accepts a later permalink', async (t) => {
  const { db, image, read } = await containerStage(t);
  const container = await image({ status: 'publishing' });
  t.true(await recordPublished(db, { id: container.id, mediaId: '900' }));
  t.false(await recordPublished(db, { id: container.id, mediaId: '901' }));
  await recordPermalink(db, { id: container.id, permalink: 'https://post.example/1' });
  await recordPermalink(db, { id: container.id, permalink: 'https://post.example/2' });
  t.like(await read(container), { status: 'published', mediaId: '900', permalink: 'https://post.example/1' });
});

test('an unsuccessful publish returns the container to finished or in progress', async (t) => {
  const { db, image, read } = await containerStage(t);
  for (const to of ['finished', 'in_progress'] as const) {
    const container = await image({ status: 'finished' });
    await takePublish(db, container);
    t.true(await recordUnpublished(db, { id: container.id, to, detail: 'refused' }));
    t.like(await read(container), { status: to, statusDetail: 'refused', publishSentAt: null });
    t.false(await recordUnpublished(db, { id: container.id, to, detail: 'again' }));
  }
});

test('a post belongs to one container of its channel', async (t) => {
  const { db, tenant, channel, image } = await containerStage(t);
  const other = await aChannel(db, tenant.workspace, { type: 'photoapp' });
  const first = await image({ status: 'publishing' });
  const second = await image({ status: 'publishing' });
  await recordPublished(db, { id: first.id, mediaId: '900' });
  const asked = { mediaIds: ['900', '901'] };
  t.deepEqual([...(await attributedPosts(db, { channelId: channel.id, ...asked }))], ['900']);
  t.deepEqual([...(await attributedPosts(db, { channelId: other.id, ...asked }))], []);
  await t.throwsAsync(recordPublished(db, { id: second.id, mediaId: '900' }), { message: /belongs to one container/ });
});
