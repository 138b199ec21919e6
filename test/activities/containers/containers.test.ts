import { once } from 'node:events';
import test from 'ava';
import { CancelledFailure } from '@temporalio/activity';
import { takePart } from '../../../db/containers/parts.ts';
import { fillShare } from '../../harness/deliveries/fill-share.ts';
import type { MediaControlInput } from '../../../simulator/media/control.ts';
import { findChannelAccount } from '../../../db/channels/account.ts';
import { testSecretBox } from '../../harness/tenants.ts';
import { inActivity } from '../../harness/temporal/activity.ts';
import { activityStage } from './containers-stage.ts';

const minuteAgo = () => new Date(Date.now() - 60_000);

test('a repeated create returns the known outcome and sends nothing', async (t) => {
  const { create, image, read, callsAt } = await activityStage(t);
  const container = await image();
  t.is(await create(container), 'accepted');
  t.is(await create(container), 'accepted');
  t.is(callsAt('create').length, 1);
  t.like(await read(container), { status: 'in_progress', platformContainerId: callsAt('create')[0]!.madeId });
});

for (const isDisconnected of [false, true]) {
  test(`a part whose call was interrupted is lost (${isDisconnected ? 'disconnected' : 'connected'})`, async (t) => {
    const { db, create, settle, image, read, disconnect, callsAt } = await activityStage(t);
    const container = await image();
    await takePart(db, { id: container.id, position: 0 });
    if (isDisconnected) await disconnect();
    t.is(await create(container), 'lost');
    t.is(await settle(container), 'lost');
    t.is(await create(container), 'lost');
    t.is(callsAt('create').length, 0);
    t.is((await read(container)).status, 'unknown');
  });
}

type Stage = Awaited<ReturnType<typeof activityStage>>;

const unsent: Readonly<Record<string, (stage: Stage, containerId: string) => Promise<unknown>>> = {
  disconnected: ({ disconnect }) => disconnect(),
  late: ({ db }) => db('media_containers').update({ create_by: minuteAgo() }),
  cancelled: ({ activities }, containerId) => activities.endContainer({ containerId, reason: 'cancelled' }),
  settled: ({ activities }, containerId) => activities.settleCreate({ containerId, position: 0 }),
};
for (const [what, change] of Object.entries(unsent)) {
  test(`a create that was ${what} before it is not sent`, async (t) => {
    const stage = await activityStage(t);
    const container = await stage.image();
    await change(stage, container.publicId);
    t.is(await stage.create(container), 'not_sent');
    t.is(await stage.settle(container), 'not_sent');
    t.is(stage.callsAt('create').length, 0);
    const { status, acceptance, statusDetail } = await stage.read(container);
    t.deepEqual([status, acceptance], ['error', 'not_sent']);
    if (what === 'disconnected') {
      t.is(statusDetail, 'Not created: the channel is disconnected. Connect it again.');
    }
  });
}

test('a container of a scheduled post waits for a slot', async (t) => {
  const { db, create, image, read, mediaShares } = await activityStage(t);
  const requested = await image();
  const planned = await image();
  const next = await image();
  const { organizationId } = planned;
  await db('media_containers')
    .whereIn('id', [planned.id, next.id])
    .update({ create_by: new Date(Date.now() + 3_600_000) });
  const release = fillShare(mediaShares, { organizationId });
  const count = mediaShares.count();
  t.is(await create(requested), 'accepted', 'the API has a share for requests');
  await t.throwsAsync(create(planned), { message: /Other attempts/ });
  t.is((await read(planned)).status, 'creating');
  t.is(await create(planned, 0, { attempt: 10 }), 'not_sent', 'then its post is scheduled again');
  t.is(mediaShares.count(), count);
  release();
  t.is(await create(next), 'accepted');
  t.is(mediaShares.count(), 0);
});

test('a rejected create fails the container with code and message', async (t) => {
  const { create, image, read, script } = await activityStage(t);
  script({ faults: [{ at: 'create', status: 400, code: 36003, subcode: 2207009, message: 'Bad aspect ratio' }] });
  const container = await image();
  t.is(await create(container), 'rejected');
  t.like(await read(container), {
    status: 'error',
    refusalCode: 'MEDIA_REJECTED',
    refusalRetryAt: null,
    statusDetail: 'The container was rejected by the platform: code 36003, subcode 2207009: Bad aspect ratio',
  });
});

test('a create refused at a limit frees its Idempotency-Key', async (t) => {
  const { db, create, image, read, script } = await activityStage(t);
  script({ faults: [{ at: 'create', status: 400, code: 9, subcode: 2207042, message: 'Too many' }] });
  const container = await image();
  await db('media_containers').update({ idempotency_key_hash: Buffer.alloc(32) });
  t.is(await create(container), 'rejected');
  const { refusalCode, refusalRetryAt } = await read(container);
  t.is(refusalCode, 'PUBLISH_QUOTA_EXCEEDED');
  t.true((refusalRetryAt?.getTime() ?? 0) > Date.now());
  t.deepEqual(await db('media_containers').pluck('idempotency_key_hash'), [null]);
});

for (const lost of ['before', 'after'] as const) {
  test(`a create lost ${lost} its effect is unknown and never repeated`, async (t) => {
    const { create, image, read, script, callsAt } = await activityStage(t);
    script({ faults: [{ at: 'create', lost }] });
    const container = await image();
    t.is(await create(container), 'lost');
    t.is(await create(container), 'lost');
    t.is(callsAt('create').length, 1);
    t.is((await read(container)).status, 'unknown');
  });
}

test('one call each creates the children and the parent of a carousel', async (t) => {
  const { create, check, carousel, read, platform, callsAt } = await activityStage(t);
  const container = await carousel();
  for (const position of [1, 2]) {
    t.is(await create(container, position), 'accepted');
    t.is(await create(container, position), 'accepted');
  }
  t.is((await read(container)).status, 'creating');
  t.is(await check(container, true), 'finished');
  t.is(await create(container, 0), 'accepted');
  t.is(callsAt('create').length, 3);
  const parent = platform.media.containers().find(({ mediaType }) => mediaType === 'CAROUSEL');
  const children = (await read(container)).parts.filter(({ position }) => position > 0);
  t.deepEqual(
    parent?.children,
    children.map(({ platformId }) => platformId),
  );
  t.is(await check(container), 'finished');
  t.is((await read(container)).status, 'finished');
});

for (const [reads, detail] of [
  ['shown', /2207052/],
  ['no_code', /^Error: .* 2207052/],
] as const) {
  test(`checks record the states in progress, finished and failed (${reads})`, async (t) => {
    const { create, check, image, read, script } = await activityStage(t);
    script({ reads, processing: { imageMs: 60_000 } });
    const container = await image();
    await create(container);
    t.is(await check(container), 'in_progress');
    t.is((await read(container)).status, 'in_progress');
    script({ clockOffsetSeconds: 61 });
    t.is(await check(container), 'finished');
    t.is(await check(container), 'finished');
    t.is((await read(container)).status, 'finished');
    script({ processing: { imageMs: 0 }, outcomes: [{ subcode: 2207052 }] });
    const failing = await image();
    await create(failing);
    t.is(await check(failing), 'error');
    t.is((await read(failing)).status, 'error');
    t.regex((await read(failing)).statusDetail!, detail);
  });
}

test('an unreadable platform only moves the time of the next check', async (t) => {
  const { create, check, image, read, script, disconnect } = await activityStage(t);
  const container = await image();
  await create(container);
  script({ faults: [{ at: 'status', status: 403, code: 4, message: 'Limit' }] });
  t.is(await check(container), 'unreadable');
  const { status, statusDetail, checkedAt, nextCheckAt } = await read(container);
  t.deepEqual([status, checkedAt], ['in_progress', null]);
  t.regex(statusDetail!, /code 4, .*Limit$/);
  t.true(nextCheckAt!.getTime() > Date.now());
  script({ faults: [] });
  await disconnect();
  t.is(await check(container), 'unreadable');
  t.is((await read(container)).statusDetail, 'The channel is disconnected. Connect it again.');
});

const missingReads: readonly [name: string, change: MediaControlInput][] = [
  ['calls it missing', { reads: 'missing' }],
  ['calls its media missing', { faults: [{ at: 'status', code: 24, subcode: 2207006 }] }],
  ['lacks a permission to show it', { faults: [{ at: 'status', code: 10 }] }],
];
for (const [name, change] of missingReads) {
  test(`a container can be published while the platform ${name}`, async (t) => {
    const { create, check, publish, image, read, script, platform } = await activityStage(t);
    const container = await image();
    await create(container);
    script(change);
    t.is(await check(container), 'finished');
    const { status, statusDetail, nextCheckAt, expiresAt } = await read(container);
    t.is(status, 'finished');
    t.regex(statusDetail!, /^The platform answered 400 with code .*The platform accepted it, so it can be published\./);
    t.deepEqual(nextCheckAt, expiresAt);
    t.is(await publish(container), 'published');
    t.like(await read(container), { status: 'published', mediaId: platform.media.posts()[0]!.id, statusDetail: null });
  });
}

test('a publish that was too early pauses before the next one', async (t) => {
  const { db, create, check, publish, image, read, script, callsAt } = await activityStage(t);
  script({ reads: 'missing', processing: { imageMs: 3_600_000 } });
  const container = await image();
  await create(container);
  t.is(await check(container), 'finished');
  t.is(await publish(container), 'not_ready');
  t.is(await check(container), 'unreadable');
  t.is((await read(container)).status, 'in_progress');
  t.is(await publish(container), 'not_ready', 'the row is not finished');
  t.is(callsAt('publish').length, 1);
  const ago = (ms: number) => new Date(Date.now() - ms);
  await db('media_containers').update({ too_early_at: ago(40_000), created_at: ago(3_600_000) });
  t.is(await check(container), 'unreadable', 'the pause grows with the age');
  await db('media_containers').update({ too_early_at: ago(400_000) });
  t.is(await check(container), 'finished');
});

test('a container missing at its expiry is not published', async (t) => {
  const { db, activities, create, check, image, read, platform } = await activityStage(t);
  const container = await image();
  await create(container);
  platform.media.reset();
  await db('media_containers').update({ expires_at: minuteAgo() });
  t.is(await check(container), 'unreadable');
  t.is(await activities.endContainer({ containerId: container.publicId, reason: 'expired' }), 'expired');
  t.regex((await read(container)).statusDetail!, /^Not published within 24 hours/);
});

test('one reading alone ends no container', async (t) => {
  const { create, check, answering, image, read } = await activityStage(t);
  const container = await image();
  await create(container);
  const input = { containerId: container.publicId, children: false, nextCheckAtMs: Date.now() + 60_000 };
  for (const status of ['error', 'expired', 'published'] as const) {
    let count = 0;
    const readContainer = async () => ({ status: count++ === 0 ? status : ('in_progress' as const), detail: null });
    const wavering = answering({ readContainer });
    t.is(await inActivity(() => wavering.checkContainer(input)), 'in_progress');
    t.is(count, 2);
  }
  t.is((await read(container)).status, 'in_progress');
  t.is(await check(container), 'finished');
});

test('a status that is not understood is shown', async (t) => {
  const { create, answering, image, read } = await activityStage(t);
  const container = await image();
  await create(container);
  const { checkContainer } = answering({ readContainer: async () => ({ status: null, detail: 'Under review' }) });
  const input = { containerId: container.publicId, children: false, nextCheckAtMs: Date.now() + 60_000 };
  t.is(await inActivity(() => checkContainer(input)), 'finished');
  t.regex((await read(container)).statusDetail!, /^The platform shows no status code, but: Under review\./);
});

test('a carousel whose children are missing is created and published', async (t) => {
  const { create, check, publish, carousel, read, script } = await activityStage(t);
  script({ reads: 'missing' });
  const container = await carousel();
  await create(container, 1);
  await create(container, 2);
  t.is(await check(container, true), 'finished');
  t.is((await read(container)).status, 'creating');
  t.is(await create(container, 0), 'accepted');
  t.is(await check(container), 'finished');
  t.is(await publish(container), 'published');
});

test('a carousel created too early is created later', async (t) => {
  const { db, create, check, carousel, read, script, callsAt } = await activityStage(t);
  script({ reads: 'missing', processing: { videoMs: 3_600_000 } });
  const container = await carousel();
  await create(container, 1);
  await create(container, 2);
  t.is(await check(container, true), 'finished');
  t.is(await create(container, 0), 'not_sent');
  t.like(await read(container), { status: 'creating', acceptance: 'accepted' });
  t.regex((await read(container)).statusDetail!, /code 9007/);
  t.is(await check(container, true), 'unreadable', 'after a pause');
  script({ reads: 'shown', clockOffsetSeconds: 3_601 });
  t.is(await check(container, true), 'in_progress', 'the pause is for visible children, too');
  await db('media_containers').update({ too_early_at: minuteAgo() });
  t.is(await check(container, true), 'finished');
  for (const _ of [1, 2]) {
    t.is(await create(container, 0), 'accepted');
    t.is(callsAt('create').length, 4);
  }
});

test('a check finds the post of a container that others published', async (t) => {
  const { db, create, check, finished, image, read, script, platform, platformMedia } = await activityStage(t);
  const container = await finished();
  const account = (await findChannelAccount(db, testSecretBox, { id: container.channelId }))!;
  const { signal } = new AbortController();
  await platformMedia.publishContainer(account, container.platformContainerId!, signal);
  t.is(await check(container), 'published');
  const [post] = platform.media.posts();
  t.like(await read(container), { status: 'published', mediaId: post!.id, statusDetail: null });
  t.truthy((await read(container)).permalink);
  script({ faults: [{ at: 'list', code: 10 }] });
  const unlisted = await image();
  await create(unlisted);
  await platformMedia.publishContainer(account, (await read(unlisted)).platformContainerId!, signal);
  t.is(await check(unlisted), 'published');
  t.like(await read(unlisted), { status: 'published', mediaId: null });
  t.regex((await read(unlisted)).statusDetail!, /its post is unknown/);
});

test('one failed child fails the carousel and is named by index', async (t) => {
  const { create, check, carousel, read, script } = await activityStage(t);
  script({ outcomes: [{ subcode: 2207026, match: { urlIncludes: '2.mp4' } }], processing: { imageMs: 60_000 } });
  const container = await carousel();
  await create(container, 1);
  await create(container, 2);
  t.is(await check(container, true), 'error');
  t.is(await check(container, true), 'error');
  const { status, statusDetail } = await read(container);
  t.is(status, 'error');
  t.regex(statusDetail!, /^children\[1\]: .*2207026/);
});

test('a carousel waits until its last child is finished', async (t) => {
  const { create, check, carousel, read, script } = await activityStage(t);
  script({ processing: { imageMs: 0, videoMs: 60_000 } });
  const container = await carousel();
  await create(container, 1);
  await create(container, 2);
  t.is(await check(container, true), 'in_progress');
  t.like((await read(container)).parts, [{ state: null }, { state: 'finished' }, { state: 'in_progress' }]);
  script({ clockOffsetSeconds: 61 });
  t.is(await check(container, true), 'finished');
  t.is(await check(container, true), 'finished');
});

test('a container ends once and then stays unchanged', async (t) => {
  const { activities, image, read } = await activityStage(t);
  for (const [status, reason, to] of [
    ['in_progress', 'expired', 'expired'],
    ['unknown', 'expired', 'expired'],
    ['finished', 'cancelled', 'error'],
    ['creating', 'cancelled', 'error'],
    ['publishing', 'unresolved', 'unknown'],
    // The outcome of a sent publish must be resolved first.
    ['publishing', 'cancelled', 'publishing'],
    ['publishing', 'expired', 'publishing'],
    ['published', 'cancelled', 'published'],
    ['unknown', 'cancelled', 'error'],
  ] as const) {
    const container = await image({ status });
    t.is(await activities.endContainer({ containerId: container.publicId, reason }), to);
    const ended = await read(container);
    t.is(await activities.endContainer({ containerId: container.publicId, reason }), to);
    t.deepEqual(await read(container), ended);
  }
});

test('the status is that of the row; an unknown container fails permanently', async (t) => {
  const { activities, image } = await activityStage(t);
  const { publicId: containerId } = await image({ status: 'publishing' });
  t.is(await activities.readStanding({ containerId }), 'publishing');
  await t.throwsAsync(activities.readStanding({ containerId: 'ctr_00000000' }), {
    instanceOf: Error,
    message: 'Container ctr_00000000 not found',
  });
});

test('a slow create sends heartbeats, and its late response counts', async (t) => {
  const { answering, image, read, settle, platformMedia } = await activityStage(t);
  const container = await image();
  const cancelling = new AbortController();
  const slow = answering({
    async createContainer(...call) {
      await once(cancelling.signal, 'abort');
      return await platformMedia.createContainer(...call);
    },
  });
  const part = { containerId: container.publicId, position: 0 };
  const seen: unknown[] = [];
  // As after a pause of the worker: the server has ended the activity, and the workflow has settled it.
  const settleAndCancel = async () => {
    seen.push(await settle(container), (await read(container)).status);
    cancelling.abort();
  };
  const options = { signal: cancelling.signal, onHeartbeat: () => void settleAndCancel() };
  t.is(await inActivity(() => slow.createPart(part), options), 'accepted');
  t.deepEqual(seen.slice(0, 2), ['lost', 'unknown']);
  t.is((await read(container)).status, 'in_progress');
});

test('a create that a stopping worker cuts is lost', async (t) => {
  const { answering, image, read } = await activityStage(t);
  const container = await image();
  const stopping = new AbortController();
  const { createPart } = answering({
    async createContainer(_account, _parameters, signal) {
      await once(signal, 'abort');
      return { outcome: 'lost', text: 'cut' };
    },
  });
  const part = { containerId: container.publicId, position: 0 };
  const onHeartbeat = () => stopping.abort(new CancelledFailure('WORKER_SHUTDOWN'));
  t.is(await inActivity(() => createPart(part), { signal: stopping.signal, onHeartbeat }), 'lost');
  t.is((await read(container)).status, 'unknown');
});

test('log lines contain the container id, but no token or URL', async (t) => {
  const { create, check, image, log } = await activityStage(t);
  const container = await image();
  await create(container);
  await check(container);
  t.like(log.lines, { 0: { event: 'container.created' }, 1: { event: 'container.checked' }, length: 2 });
  t.false(/platform-token|https:/.test(JSON.stringify(log.lines)));
  t.true(log.lines.every((line) => line['containerId'] === container.publicId));
});
