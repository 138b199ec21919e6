import test from 'ava';
import { createContainerPublishActivities } from '../../../activities/containers/container-publish-activities.ts';
import { isPossiblePost } from '../../../activities/containers/find-post.ts';
import { recordPublished, takePublish } from '../../../db/containers/publish.ts';
import { PlatformRejected, PlatformUnavailable } from '../../../platform/client/errors.ts';
import type { RecentMedia } from '../../../platform/media/answers.ts';
import type { PlatformMedia } from '../../../platform/media/media.ts';
import { inActivity } from '../../harness/temporal/activity.ts';
import { containerStage } from '../../harness/containers/container-stage.ts';
import { rememberingLog } from '../../harness/quiet-log.ts';
import { testSecretBox } from '../../harness/tenants.ts';

const unused = () => Promise.reject(new Error('unexpected call'));

/** The publish succeeded but its response was lost. */
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
  const input = { containerId: container.publicId, nextCheckAtMs: Date.now() };
  return { ...stage, container, resolve: () => inActivity(() => resolvePublish(input)) };
}

const post = (others: Partial<RecentMedia> = {}): RecentMedia => ({
  id: '900',
  caption: 'Hello',
  kind: 'image',
  postedAt: new Date(),
  permalink: 'https://post.example/900',
  ...others,
});

const refused = new PlatformRejected({ status: 403, code: 10, subcode: null, isTransient: false, text: 'No' });
/** Read by the test: this file can be loaded long before, and a post has the time of its publish. */
const lists: Readonly<Record<string, readonly [list: PlatformMedia['recentMedia'], mediaId: string | null]>> = {
  'two matching posts': [async () => [post(), post({ id: '901' })], null],
  'no matching post': [async () => [post({ caption: 'Other' })], null],
  'one matching post': [async () => [post({ caption: 'Other' }), post({ id: '901' })], '901'],
  'a rejected list of posts': [() => Promise.reject(refused), null],
};
for (const [what, [recentMedia, mediaId]] of Object.entries(lists)) {
  test(`${what} publishes the container with its post ${mediaId ? 'known' : 'unknown'}`, async (t) => {
    const { resolve, read, container } = await lostPublish(t, recentMedia);
    t.is(await resolve(), 'published');
    const now = await read(container);
    t.like(now, { status: 'published', mediaId });
    if (what.startsWith('two')) t.regex(now.statusDetail!, /no single recent post/);
  });
}

test('a post of another container is not considered', async (t) => {
  const posts = async () => [post(), post({ id: '901' })];
  const { db, resolve, read, container, image } = await lostPublish(t, posts);
  const other = await image({ status: 'publishing' });
  await recordPublished(db, { id: other.id, mediaId: '900' });
  t.is(await resolve(), 'published');
  t.is((await read(container)).mediaId, '901');
});

test('an unavailable list of posts leaves the publish unresolved', async (t) => {
  const { resolve, read, container } = await lostPublish(t, () => Promise.reject(new PlatformUnavailable('away')));
  t.is(await resolve(), 'unreadable');
  t.is((await read(container)).status, 'publishing');
});

test('a post matches by its time, caption and kind', async (t) => {
  const { image, read, db } = await containerStage(t);
  const made = await image({ status: 'finished' });
  t.true(isPossiblePost(post(), made), 'published by others');
  t.false(isPossiblePost(post({ postedAt: new Date(made.createdAt.getTime() - 61_000) }), made));
  await takePublish(db, made);
  const container = await read(made);
  const at = (ms: number) => new Date(container.publishSentAt!.getTime() + ms);
  t.true(isPossiblePost(post({ postedAt: at(1_000) }), container));
  t.true(isPossiblePost(post({ postedAt: at(-30_000) }), container), 'within the clock tolerance');
  t.false(isPossiblePost(post({ postedAt: at(-61_000) }), container));
  t.true(isPossiblePost(post({ caption: ' Hello\n' }), container));
  t.false(isPossiblePost(post({ caption: null }), container));
  t.false(isPossiblePost(post({ kind: 'video' }), container));
  t.true(isPossiblePost(post({ kind: 'carousel' }), { ...container, mediaType: 'CAROUSEL' }));
  t.true(isPossiblePost(post({ kind: 'video' }), { ...container, mediaType: 'REELS' }));
  t.true(isPossiblePost(post({ caption: null }), { ...container, mediaType: 'STORIES' }));
});
