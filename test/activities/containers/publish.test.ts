import test from 'ava';
import { createContainerPublishActivities } from '../../../activities/containers/container-publish-activities.ts';
import { createContainerActivities } from '../../../activities/containers/container-activities.ts';
import { takePublish } from '../../../db/containers/publish.ts';
import { createOutboundLog, type OutboundCall } from '../../../db/operations/outbound-calls.ts';
import type { MediaControlInput } from '../../../simulator/media/control.ts';
import { setContainer } from '../../harness/containers/containers.ts';
import { aTenant } from '../../harness/tenants.ts';
import { inActivity } from '../../harness/temporal/activity.ts';
import { activityStage } from './containers-stage.ts';

type Faults = NonNullable<MediaControlInput['faults']>;

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

test('a refused read of the permalink or the quota stops no publish', async (t) => {
  const { finished, publish, read, script, platform } = await activityStage(t);
  const publishedWith = async (change: MediaControlInput) => {
    const container = await finished();
    script(change);
    t.is(await publish(container), 'published');
    return (await read(container)).permalink;
  };
  const unread: Faults = [
    { at: 'permalink', status: 403, code: 4 },
    { at: 'list', status: 403, code: 4 },
  ];
  t.is(await publishedWith({ faults: unread }), null);
  t.truthy(await publishedWith({ faults: [{ at: 'quota', code: 10 }] }));
  const listed = await publishedWith({ reads: 'missing', faults: [] });
  t.true(
    platform.media.posts().some(({ permalink }) => permalink === listed),
    'the list shows what the post hides',
  );
});

test('a used-up quota is reported before anything is sent', async (t) => {
  const { finished, publish, read, script, callsAt } = await activityStage(t);
  script({ otherPosts: 100 });
  const container = await finished();
  t.is(await publish(container), 'quota_exceeded');
  t.is(callsAt('publish').length, 0);
  t.like(await read(container), {
    status: 'finished',
    statusDetail: 'Not published: the account has used 100 of its 100 posts per 24 hours.',
  });
  script({ otherPosts: 99 });
  t.is(await publish(container), 'published');
});

for (const [what, fault, step, status, refusalCode] of [
  ['not ready', { status: 400, code: 9007, subcode: 2207027 }, 'not_ready', 'in_progress', 'CONTAINER_NOT_READY'],
  ['over its quota', { code: 9, subcode: 2207042 }, 'quota_exceeded', 'finished', 'PUBLISH_QUOTA_EXCEEDED'],
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
    t.like(now, { status, refusalCode, publishSentAt: null });
    t.is(now.refusalRetryAt !== null, step !== 'rejected' && refusalCode !== 'CREDENTIAL_REFUSED');
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

test('a container publishes nothing after its channel moved to another workspace', async (t) => {
  const { db, channel, finished, publish, callsAt } = await activityStage(t);
  const container = await finished();
  const { workspace } = await aTenant(db);
  await db('channels').where({ id: channel.id }).update({ workspace_id: workspace.id });
  t.is(await publish(container), 'rejected');
  t.is(callsAt('publish').length, 0);
});

const story = { mediaType: 'STORIES', imageUrl: 'https://media.example.com/1.jpg' };
for (const [what, options, reads] of [
  ['by status and post', {}, 'shown'],
  ['by its post while reads are missing', {}, 'missing'],
  ['among the stories', { body: story }, 'shown'],
] as const) {
  test(`a publish lost after its effect is found ${what}`, async (t) => {
    const { finished, publish, resolve, read, script, platform, callsAt } = await activityStage(t);
    const container = await finished(options);
    script({ reads, faults: [{ at: 'publish', lost: 'after', times: 1 }] });
    t.is(await publish(container), 'lost');
    t.is((await read(container)).status, 'publishing');
    t.is(await resolve(container), 'published');
    const lists = callsAt('list').length;
    t.is(await resolve(container), 'published');
    t.is(callsAt('publish').length, 1);
    t.is(callsAt('list').length, lists);
    const now = await read(container);
    t.like(now, { status: 'published', mediaId: platform.media.posts()[0]!.id, statusDetail: null });
    t.truthy(now.permalink);
  });
}

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

test('a publish without an effect is not found while reads are missing', async (t) => {
  const { finished, publish, resolve, check, read, script } = await activityStage(t);
  const refused = await finished();
  const lost = await finished();
  script({ reads: 'missing', faults: [{ at: 'publish', code: 4, subcode: 2207051, message: 'Spam', times: 1 }] });
  t.is(await publish(refused), 'rejected');
  t.is(await check(refused), 'finished');
  t.regex((await read(refused)).statusDetail!, /subcode 2207051: Spam/);
  script({ faults: [{ at: 'publish', lost: 'before', times: 1 }] });
  t.is(await publish(lost), 'lost');
  t.is(await resolve(lost), 'unreadable');
  t.is((await read(lost)).status, 'publishing');
  t.is(await publish(refused), 'published');
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

test('a publish stays unresolved while the platform cannot be read', async (t) => {
  const { db, image, publish, resolve, read, script, disconnect } = await activityStage(t);
  const container = await image();
  await setContainer(db, container.publicId, { status: 'finished' });
  script({
    faults: [
      { at: 'publish', lost: 'after' },
      { at: 'status', status: 403, code: 4 },
    ],
  });
  t.is(await publish(container), 'lost');
  await db('media_containers').update({ next_check_at: new Date(0) });
  t.is(await resolve(container), 'unreadable');
  const now = await read(container);
  t.is(now.status, 'publishing');
  t.true(now.nextCheckAt!.getTime() > Date.now());
  await disconnect();
  t.is(await resolve(container), 'unreadable');
});

test('a container that expired during its publish ends', async (t) => {
  const { finished, resolve, read, script, db } = await activityStage(t);
  const container = await finished();
  await takePublish(db, container);
  script({ clockOffsetSeconds: 25 * 3_600 });
  t.is(await resolve(container), 'ended');
  t.is((await read(container)).status, 'expired');
});

test('every call for a container is recorded with its id and workflow', async (t) => {
  const { db, deps, image, channel } = await activityStage(t);
  const calls: OutboundCall[] = [];
  const recording = { ...deps, outbound: { record: (call: OutboundCall) => void calls.push(call) } };
  const { createPart, checkContainer } = createContainerActivities(recording);
  const { publishOnce } = createContainerPublishActivities(recording);
  const { publicId: containerId } = await image();
  await inActivity(() => createPart({ containerId, position: 0 }));
  await inActivity(() => checkContainer({ containerId, children: false, nextCheckAtMs: Date.now() + 60_000 }));
  await inActivity(() => publishOnce({ containerId }));
  const shared = { channelId: channel.id, via: 'workflow', requestId: containerId, caller: `container/${containerId}` };
  for (const call of calls) t.like(call, { ...shared, status: 200, error: null });
  const operations = new Set(calls.map(({ operation }) => operation));
  t.deepEqual(operations, new Set(['createContainer', 'readContainer', 'publishContainer']));
  t.false(JSON.stringify(calls).includes('https://'));
  const log = createOutboundLog({ db, log: deps.log });
  for (const call of calls) log.record(call);
  await log.stop();
  t.is((await db('outbound_calls')).length, calls.length);
});
