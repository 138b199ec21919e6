import test from 'ava';
import {
  couldBe,
  createContainerPublishActivities,
} from '../../../activities/containers/container-publish-activities.ts';
import { recordPublished, takePublish } from '../../../db/containers/publish.ts';
import { PlatformRejected, PlatformUnavailable } from '../../../platform/client/errors.ts';
import type { RecentMedia } from '../../../platform/media/answers.ts';
import type { PlatformMedia } from '../../../platform/media/media.ts';
import { inActivity } from '../../harness/temporal/activity.ts';
import { containerStage } from '../../harness/containers/container-stage.ts';
import { rememberingLog } from '../../harness/quiet-log.ts';
import { testSecretBox } from '../../harness/tenants.ts';

const unused = () => Promise.reject(new Error('not asked for'));

/** A publish whose answer was lost, and which the platform says is done; the list of posts is scripted. */
async function lostPublish(t: Parameters<typeof containerStage>[0], recentMedia: PlatformMedia['recentMedia']) {
  const stage = await containerStage(t);
  const container = await stage.image({ status: 'finished' });
  await takePublish(stage.db, container);
  const platformMedia: PlatformMedia = {
    createContainer: unused,
    publishContainer: unused,
    readContainer: () => Promise.resolve({ status: 'published', detail: null }),
    readQuota: unused,
    readPermalink: unused,
    recentMedia,
    close: () => Promise.resolve(),
  };
  const deps = { db: stage.db, secretBox: testSecretBox, platformMedia, log: rememberingLog() };
  const { resolvePublish } = createContainerPublishActivities(deps);
  const look = { containerId: container.publicId, nextCheckAtMs: Date.now() };
  return { ...stage, container, resolve: () => inActivity(() => resolvePublish(look)) };
}

const post = (others: Partial<RecentMedia> = {}): RecentMedia => ({
  id: '900',
  caption: 'Hello',
  kind: 'image',
  postedAt: new Date(),
  permalink: 'https://post.example/900',
  ...others,
});

test('two posts that could be it leave the post unknown', async (t) => {
  const { resolve, read, container } = await lostPublish(t, async () => [post(), post({ id: '901' })]);
  t.is(await resolve(), 'published');
  const now = await read(container);
  t.like(now, { status: 'published', mediaId: null, permalink: null });
  t.regex(now.statusDetail!, /no single recent post/);
});

test('a post that belongs to another container is not taken, so that the other one is', async (t) => {
  const posts = async () => [post(), post({ id: '901' })];
  const { db, resolve, read, container, image } = await lostPublish(t, posts);
  const other = await image({ status: 'publishing' });
  await recordPublished(db, { id: other.id, mediaId: '900' });
  t.is(await resolve(), 'published');
  t.is((await read(container)).mediaId, '901');
});

test('where no post fits, it is published and its post unknown', async (t) => {
  const { resolve, read, container } = await lostPublish(t, async () => [post({ caption: 'Other' })]);
  t.is(await resolve(), 'published');
  t.like(await read(container), { status: 'published', mediaId: null });
});

test('a list of posts that may not be read does not hide that it is published', async (t) => {
  const refused = new PlatformRejected({ status: 403, code: 10, subcode: null, isTransient: false, text: 'No' });
  const { resolve, read, container } = await lostPublish(t, () => Promise.reject(refused));
  t.is(await resolve(), 'published');
  t.like(await read(container), { status: 'published', mediaId: null });
});

test('a list of posts that cannot be read now is waited for', async (t) => {
  const { resolve, read, container } = await lostPublish(t, () => Promise.reject(new PlatformUnavailable('away')));
  t.is(await resolve(), 'unreadable');
  t.is((await read(container)).status, 'publishing');
});

test('a post could be it by its time, its caption and its kind', async (t) => {
  const { image, read, db } = await containerStage(t);
  const made = await image({ status: 'finished' });
  t.false(couldBe(post(), made), 'nothing was sent');
  await takePublish(db, made);
  const container = await read(made);
  const at = (ms: number) => new Date(container.publishSentAt!.getTime() + ms);
  t.true(couldBe(post({ postedAt: at(1_000) }), container));
  t.true(couldBe(post({ postedAt: at(-30_000) }), container), 'clocks differ');
  t.false(couldBe(post({ postedAt: at(-61_000) }), container));
  t.true(couldBe(post({ caption: ' Hello\n' }), container));
  t.false(couldBe(post({ caption: null }), container));
  t.false(couldBe(post({ kind: 'video' }), container));
  t.true(couldBe(post({ kind: 'carousel' }), { ...container, mediaType: 'CAROUSEL' }));
  t.true(couldBe(post({ kind: 'video' }), { ...container, mediaType: 'REELS' }));
  t.true(couldBe(post({ caption: null }), { ...container, mediaType: 'STORIES' }));
});
