import test from 'ava';
import { takePublish } from '../../../db/containers/publish.ts';
import { setContainer } from '../../harness/containers/containers.ts';
import { activityStage } from './containers-stage.ts';

test('a finished container is published once; a repeat returns published', async (t) => {
  const { finished, publish, read, callsAt, platform } = await activityStage(t);
  const container = await finished();
  t.is(await publish(container), 'published');
  t.is(await publish(container), 'published');
  t.is(callsAt('publish').length, 1);
  const [post] = platform.media.posts();
  const now = await read(container);
  t.like(now, { status: 'published', mediaId: post!.id, statusDetail: null });
  t.regex(now.permalink!, /^https:/);
});

test('concurrent publishes make one call', async (t) => {
  const { finished, publish, callsAt, platform } = await activityStage(t);
  const container = await finished();
  const steps = await Promise.all([publish(container), publish(container), publish(container)]);
  t.is(callsAt('publish').length, 1);
  t.is(platform.media.posts().length, 1);
  t.true(steps.includes('published'));
  t.true(steps.every((step) => step === 'published' || step === 'lost'));
});

test('a container without a readable permalink is still published', async (t) => {
  const { finished, publish, read, script } = await activityStage(t);
  script({
    faults: [
      { at: 'permalink', status: 403, code: 4 },
      { at: 'list', status: 403, code: 4 },
    ],
  });
  const container = await finished();
  t.is(await publish(container), 'published');
  t.like(await read(container), { status: 'published', permalink: null });
});

test('a used-up quota is reported before anything is sent', async (t) => {
  const { finished, publish, read, script, callsAt } = await activityStage(t);
  script({ quota: { used: 50, total: 50 } });
  const container = await finished();
  t.is(await publish(container), 'quota_exceeded');
  t.is(callsAt('publish').length, 0);
  t.like(await read(container), {
    status: 'finished',
    statusDetail: 'Not published: the account has used 50 of its 50 posts per 24 hours.',
  });
  script({ quota: { used: 49 } });
  t.is(await publish(container), 'published');
});

for (const [what, fault, step, status, refusalCode] of [
  ['not ready', { status: 400, code: 9007, subcode: 2207027 }, 'not_ready', 'in_progress', 'CONTAINER_NOT_READY'],
  [
    'over its quota',
    { status: 400, code: 9, subcode: 2207042 },
    'quota_exceeded',
    'finished',
    'PUBLISH_QUOTA_EXCEEDED',
  ],
  ['at a limit', { status: 403, code: 4 }, 'rejected_for_now', 'finished', 'PLATFORM_RATE_LIMITED'],
  ['without a valid token', { status: 401, code: 190 }, 'rejected_for_now', 'finished', 'CREDENTIAL_REFUSED'],
  ['refused', { status: 400, code: 25, subcode: 2207050 }, 'rejected', 'finished', 'ACCOUNT_RESTRICTED'],
  ['a duplicate', { status: 400, code: 506 }, 'rejected', 'finished', 'DUPLICATE_POST'],
] as const) {
  test(`a publish that is ${what} returns ${step} and can be repeated later`, async (t) => {
    const { db, finished, publish, check, read, script, platform } = await activityStage(t);
    script({ faults: [{ at: 'publish', ...fault, message: 'Sorry', times: 1 }] });
    const container = await finished();
    t.is(await publish(container), step);
    const now = await read(container);
    t.is(now.status, status);
    t.is(now.refusalCode, refusalCode);
    t.is(now.refusalRetryAt !== null, step !== 'rejected' && refusalCode !== 'CREDENTIAL_REFUSED');
    t.is(now.publishSentAt, null);
    t.regex(now.statusDetail!, new RegExp(`code ${fault.code}.*Sorry`));
    t.is(platform.media.posts().length, 0);
    await check(container);
    // As a health check or a new connection of the account does.
    await db('connection_credentials').update({ refused_at: null, refused_reason: null });
    t.is(await publish(container), 'published');
  });
}

test('a refused credential stops creates and publishes until it is accepted', async (t) => {
  const { db, create, image, finished, publish, read, script, callsAt } = await activityStage(t);
  const container = await finished();
  script({ faults: [{ at: 'publish', code: 190, subcode: 460, times: 1 }] });
  t.is(await publish(container), 'rejected_for_now');
  t.is(await publish(container), 'rejected_for_now');
  t.is(callsAt('publish').length, 1);
  t.regex((await read(container)).statusDetail!, /^Not published: .*code 190, subcode 460.* Connect the account again/);
  const other = await image();
  t.is(await create(other), 'not_sent');
  t.regex((await read(other)).statusDetail!, /^Not created: .*Connect the account again/);
  await db('connection_credentials').update({ refused_at: null, refused_reason: null });
  t.is(await publish(container), 'published');
});

test('an unreachable platform leaves the container finished and unsent', async (t) => {
  const { finished, publish, read, platform } = await activityStage(t);
  const container = await finished();
  await platform.stop();
  t.is(await publish(container), 'unreachable');
  t.like(await read(container), { status: 'finished', publishSentAt: null });
});

test('publishing in any other status returns the reason', async (t) => {
  const { image, publish, disconnect, finished, read } = await activityStage(t);
  for (const [status, step] of [
    ['creating', 'not_ready'],
    ['in_progress', 'not_ready'],
    ['publishing', 'lost'],
    ['error', 'ended'],
    ['expired', 'ended'],
    ['unknown', 'ended'],
  ] as const) {
    t.is(await publish(await image({ status })), step);
  }
  const container = await finished();
  await disconnect();
  t.is(await publish(container), 'rejected');
  t.is((await read(container)).statusDetail, 'Not published: the channel is disconnected. Connect it again.');
});

test('a publish lost after its effect is found by status and post', async (t) => {
  const { finished, publish, resolve, read, script, platform, callsAt } = await activityStage(t);
  script({ faults: [{ at: 'publish', lost: 'after', times: 1 }] });
  const container = await finished();
  t.is(await publish(container), 'lost');
  t.is((await read(container)).status, 'publishing');
  t.is(await resolve(container), 'published');
  t.is(await resolve(container), 'published');
  t.is(callsAt('publish').length, 1);
  t.is(callsAt('list').length, 1);
  const now = await read(container);
  t.like(now, { status: 'published', mediaId: platform.media.posts()[0]!.id, statusDetail: null });
  t.truthy(now.permalink);
});

for (const [what, fault] of [
  ['as spam', { code: 4, subcode: 2207051 }],
  ['for a restricted account', { code: 25, subcode: 2207050 }],
  ['as missing', { code: 24, subcode: 2207006 }],
] as const) {
  for (const reads of ['shown', 'missing'] as const) {
    test(`a publish refused ${what} that happened is found (${reads})`, async (t) => {
      const { finished, publish, read, script, platform, callsAt } = await activityStage(t);
      const container = await finished();
      script({ reads, faults: [{ at: 'publish', ...fault, afterEffect: true, times: 1 }] });
      t.is(await publish(container), 'published');
      t.is(callsAt('publish').length, 1);
      const [post] = platform.media.posts();
      t.like(await read(container), { status: 'published', mediaId: post!.id, statusDetail: null });
      t.truthy((await read(container)).permalink);
    });
  }
}

test('a refused publish without an effect stays refused while reads are missing', async (t) => {
  const { finished, publish, check, read, script } = await activityStage(t);
  const container = await finished();
  script({ reads: 'missing', faults: [{ at: 'publish', code: 4, subcode: 2207051, message: 'Spam', times: 1 }] });
  t.is(await publish(container), 'rejected');
  t.is(await check(container), 'finished');
  t.regex((await read(container)).statusDetail!, /subcode 2207051: Spam/);
  t.is(await publish(container), 'published');
});

test('a lost publish is found by its post while reads are missing', async (t) => {
  const { finished, publish, resolve, read, script, platform } = await activityStage(t);
  const container = await finished();
  script({ reads: 'missing', faults: [{ at: 'publish', lost: 'after', times: 1 }] });
  t.is(await publish(container), 'lost');
  t.is(await resolve(container), 'published');
  t.is((await read(container)).mediaId, platform.media.posts()[0]!.id);
});

test('a lost publish without a post stays unresolved while reads are missing', async (t) => {
  const { finished, publish, resolve, read, script } = await activityStage(t);
  const container = await finished();
  script({ reads: 'missing', faults: [{ at: 'publish', lost: 'before', times: 1 }] });
  t.is(await publish(container), 'lost');
  t.is(await resolve(container), 'unreadable');
  t.is((await read(container)).status, 'publishing');
});

test('the list of posts shows a permalink that the post hides', async (t) => {
  const { finished, publish, read, script, platform } = await activityStage(t);
  const container = await finished();
  script({ reads: 'missing' });
  t.is(await publish(container), 'published');
  t.is((await read(container)).permalink, platform.media.posts()[0]!.permalink);
});

test('a refused read of the quota does not stop a publish', async (t) => {
  const { finished, publish, script } = await activityStage(t);
  const container = await finished();
  script({ faults: [{ at: 'quota', code: 10 }] });
  t.is(await publish(container), 'published');
});

test('a publish lost before its effect can be repeated after its release', async (t) => {
  const { finished, publish, resolve, release, read, script, platform } = await activityStage(t);
  script({ faults: [{ at: 'publish', lost: 'before', times: 1 }] });
  const container = await finished();
  t.is(await publish(container), 'lost');
  t.is(await resolve(container), 'unpublished');
  t.is(await resolve(container), 'unpublished');
  t.is((await read(container)).status, 'publishing');
  await release(container);
  await release(container);
  const released = await read(container);
  t.is(released.status, 'finished');
  t.regex(released.statusDetail!, /found the container unpublished/);
  t.is(await resolve(container), 'ended');
  t.is(await publish(container), 'published');
  t.is(platform.media.posts().length, 1);
});

test('a lost story is searched among the stories', async (t) => {
  const { finished, publish, resolve, read, script, platform } = await activityStage(t);
  script({ faults: [{ at: 'publish', lost: 'after', times: 1 }] });
  const container = await finished({
    body: { mediaType: 'STORIES', imageUrl: 'https://media.example.com/1.jpg' },
  });
  t.is(await publish(container), 'lost');
  t.is(await resolve(container), 'published');
  t.is((await read(container)).mediaId, platform.media.posts()[0]!.id);
});

test('a publish stays unresolved while the platform cannot be read', async (t) => {
  const { db, finished, publish, resolve, read, script, disconnect } = await activityStage(t);
  script({
    faults: [
      { at: 'publish', lost: 'after' },
      { at: 'status', status: 403, code: 4 },
    ],
  });
  const container = await finished().catch(() => undefined);
  t.truthy(container);
  await setContainer(db, container!.publicId, { status: 'finished' });
  t.is(await publish(container!), 'lost');
  await db('media_containers').update({ next_check_at: new Date(0) });
  t.is(await resolve(container!), 'unreadable');
  const now = await read(container!);
  t.is(now.status, 'publishing');
  t.true(now.nextCheckAt!.getTime() > Date.now());
  await disconnect();
  t.is(await resolve(container!), 'unreadable');
});

test('a container that expired during its publish ends', async (t) => {
  const { finished, resolve, read, script, db } = await activityStage(t);
  const container = await finished();
  await takePublish(db, container);
  script({ clockOffsetSeconds: 25 * 3_600 });
  t.is(await resolve(container), 'ended');
  t.is((await read(container)).status, 'expired');
});
