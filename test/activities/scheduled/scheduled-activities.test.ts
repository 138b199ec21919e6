import test, { type ExecutionContext } from 'ava';
import { createScheduledActivities } from '../../../activities/scheduled/scheduled-activities.ts';
import type { StartedContainer } from '../../../contract/containers/workflow.ts';
import type { OutboundCall } from '../../../db/operations/outbound-calls.ts';
import { endLostSend, takeDueMessage } from '../../../db/scheduled/due.ts';
import { findChannelRecord } from '../../../db/channels/records.ts';
import { insertWorkspace } from '../../../db/organizations/workspaces.ts';
import type { MessagingControlInput } from '../../../simulator/messaging/control.ts';
import { startPlatform } from '../../../simulator/platform.ts';
import { createPlatformOperations } from '../../../platform/operations/operations.ts';
import { createWorkerShares } from '../../../worker/worker-shares.ts';
import { fillShare } from '../../harness/deliveries/fill-share.ts';
import { rememberingLog } from '../../harness/quiet-log.ts';
import {
  aScheduledMessage,
  aScheduledPost,
  readScheduled,
  type SampleScheduled,
} from '../../harness/scheduled/scheduled.ts';
import { inActivity, type InActivity } from '../../harness/temporal/activity.ts';
import { aChannel, testSecretBox } from '../../harness/tenants.ts';
import { tenantDatabase } from '../../harness/tenant-database.ts';

type Fault = NonNullable<MessagingControlInput['faults']>[number];
const SECRET = 'app secret';

async function activityStage(t: ExecutionContext) {
  const { db, tenant } = await tenantDatabase(t);
  const channel = await aChannel(db, tenant.workspace, { resourceId: '100000000000011' });
  const quiet = { sentMs: null, deliveredMs: null, readMs: null, echoMs: null };
  const messaging = { webhooks: quiet };
  const platform = await startPlatform({ port: 0, appSecret: SECRET, webhookUrl: 'http://127.0.0.1:1/', messaging });
  const platformOperations = createPlatformOperations({ apiUrl: platform.url, clientId: 'demo', appSecret: SECRET });
  t.teardown(async () => {
    await platformOperations.close();
    await platform.stop();
  });
  const calls: OutboundCall[] = [];
  const log = rememberingLog();
  const outbound = { record: (call: OutboundCall) => void calls.push(call) };
  const { media: mediaShares } = createWorkerShares();
  const resumed: string[] = [];
  const resumeContainer = async ({ containerId }: StartedContainer) => void resumed.push(containerId);
  const deps = { db, secretBox: testSecretBox, outbound, platformOperations, mediaShares, resumeContainer, log };
  const activities = createScheduledActivities(deps);
  const place = { channel, workspace: tenant.workspace };
  return {
    db,
    ...tenant,
    channel,
    calls,
    log,
    mediaShares,
    resumed,
    message: async (sample: Partial<SampleScheduled> = {}) => await aScheduledMessage(db, { ...place, ...sample }),
    post: async (sample: Partial<SampleScheduled> = {}) => await aScheduledPost(db, { ...place, ...sample }),
    send: ({ publicId: scheduledId }: { publicId: string }, options?: InActivity) =>
      inActivity(() => activities.sendDueMessage({ scheduledId }), options),
    start: ({ publicId: scheduledId }: { publicId: string }, options?: InActivity) =>
      inActivity(() => activities.startDuePost({ scheduledId }), options),
    read: ({ publicId: scheduledId }: { publicId: string }) => activities.readScheduled({ scheduledId }),
    deps,
    fault: (...faults: Fault[]) => platform.messaging.control({ faults }),
    sent: () => platform.messaging.sent(),
  };
}

test('a due message is sent once, even if the activity runs twice', async (t) => {
  const { db, message, send, sent, calls, log } = await activityStage(t);
  const due = await message();
  t.like(await send(due), { status: 'sent', waitMs: null });
  t.like(await send(due), { status: 'sent', waitMs: null });
  t.is(sent().length, 1);
  const { status, platformMessageId, messageEncrypted } = await readScheduled(db, due);
  t.deepEqual([status, messageEncrypted], ['sent', null]);
  t.truthy(platformMessageId);
  t.like(calls, {
    0: {
      via: 'workflow',
      caller: `scheduled-message/${due.publicId}`,
      requestId: due.publicId,
      status: 200,
      method: 'POST',
    },
    length: 1,
  });
  t.regex(calls[0]!.path, /messages$/, 'usage counts it as a send');
  t.false(JSON.stringify(log.lines).includes('Hello'), 'no log line has the content');
});

test('a message is sent neither before its time nor an hour after', async (t) => {
  const { db, message, send, sent } = await activityStage(t);
  const later = await message({ dueAt: new Date(Date.now() + 60_000) });
  const { status, waitMs } = await send(later);
  t.is(status, 'scheduled');
  t.true(waitMs! > 0 && waitMs! <= 60_000);
  const late = await message({ dueAt: new Date(Date.now() - 3_600_000) });
  t.like(await send(late), { status: 'failed' });
  t.like(await readScheduled(db, late), { reason: 'too_late' });
  t.is(sent().length, 0);
});

test('a claimed message is not sent again and ends as unknown', async (t) => {
  const { db, message, send, read, sent } = await activityStage(t);
  const due = await message();
  await takeDueMessage(db, due);
  const { status, waitMs } = await send(due);
  t.is(status, 'sending');
  t.true(waitMs! > 30_000, 'its call may still run');
  await db('scheduled').update({ act_at: new Date(0) });
  for (const _ of [1, 2]) t.deepEqual(await send(due), { status: 'unknown', waitMs: null });
  t.deepEqual(await read(due), { status: 'unknown', waitMs: null });
  t.like(await readScheduled(db, due), { reason: 'outcome_unknown', messageEncrypted: null });
  t.is(sent().length, 0);
});

test('an answer that arrives late tells what happened', async (t) => {
  const { db, deps, message, fault } = await activityStage(t);
  const sendLate = async () => {
    const due = await message();
    const actFor: typeof deps.platformOperations.actFor = (account) => {
      const client = deps.platformOperations.actFor(account);
      const write: typeof client.write = async (...call) => {
        const answer = await Promise.allSettled([client.write(...call)]);
        // As after a pause of the worker, whose send counts as lost.
        await db('scheduled')
          .where({ id: due.id })
          .update({ act_at: new Date(0) });
        await endLostSend(db, { id: due.id, detail: 'lost' });
        if (answer[0].status === 'rejected') throw answer[0].reason;
        return answer[0].value;
      };
      return { ...client, write };
    };
    const { sendDueMessage } = createScheduledActivities({ ...deps, platformOperations: { actFor } });
    await inActivity(() => sendDueMessage({ scheduledId: due.publicId }));
    return await readScheduled(db, due);
  };
  const sent = await sendLate();
  t.like(sent, { status: 'sent', reason: null, statusDetail: null });
  t.truthy(sent.platformMessageId);
  fault({ at: 'send', status: 400, code: 131_030, times: 1 });
  t.like(await sendLate(), { status: 'failed', reason: 'refused' });
  fault({ at: 'send', status: 429, code: 80_007, times: 1 });
  t.like(await sendLate(), { status: 'unknown', reason: 'outcome_unknown' });
});

test('a lost answer ends the message as unknown', async (t) => {
  const { db, message, send, fault, sent } = await activityStage(t);
  fault({ at: 'send', lost: 'after' });
  const due = await message();
  t.like(await send(due), { status: 'unknown' });
  t.is(sent().length, 1);
  t.like(await readScheduled(db, due), { reason: 'outcome_unknown' });
});

test('a temporary refusal is retried later, and a final one is not', async (t) => {
  const { db, message, send, fault, sent } = await activityStage(t);
  fault({ at: 'send', status: 429, code: 80_007, times: 1 });
  const limited = await message();
  const { status, waitMs } = await send(limited);
  t.is(status, 'scheduled');
  t.true(waitMs! > 0);
  t.like(await readScheduled(db, limited), { attempts: 1, status: 'scheduled' });
  fault({ at: 'send', status: 400, code: 131_030, times: 1 });
  const refused = await message();
  t.like(await send(refused), { status: 'failed', waitMs: null });
  const { reason, statusDetail } = await readScheduled(db, refused);
  t.is(reason, 'refused');
  t.regex(statusDetail!, /131030/);
  t.is(sent().length, 0);
});

test('a message waits for a new connection while its credential is refused', async (t) => {
  const { db, message, send, sent, fault, channel } = await activityStage(t);
  fault({ at: 'send', status: 401, code: 190, times: 1 });
  const due = await message();
  const isDue = () => db('scheduled').update({ act_at: new Date(0) });
  t.like(await send(due), { status: 'scheduled' });
  await isDue();
  t.true((await send(due)).waitMs! > 0);
  t.regex((await readScheduled(db, due)).statusDetail!, /^Not sent yet: .*code 190.*Connect the account again/);
  t.like(await findChannelRecord(db, { publicId: channel.publicId }), { connected: true });
  t.is(sent().length, 0);
  await db('connection_credentials').update({ refused_at: null, refused_reason: null });
  await isDue();
  t.like(await send(due), { status: 'sent' });
});

test('a disconnected or moved channel sends nothing', async (t) => {
  const { db, message, send, sent, channel, organization } = await activityStage(t);
  const first = await message();
  const second = await message();
  await db('channels').where({ id: channel.id }).update({ disconnected_at: new Date() });
  t.like(await send(first), { status: 'failed' });
  t.like(await readScheduled(db, first), { reason: 'channel_disconnected' });
  const elsewhere = await insertWorkspace(db, { organizationId: organization.id, name: 'Other', kind: 'team' });
  await db('channels').where({ id: channel.id }).update({ workspace_id: elsewhere.id, disconnected_at: null });
  t.like(await send(second), { status: 'failed' });
  t.like(await readScheduled(db, second), { reason: 'channel_moved' });
  t.is(sent().length, 0);
});

test('a stopping worker sends nothing it has not begun', async (t) => {
  const { db, message, send, sent } = await activityStage(t);
  const due = await message();
  const stopped = new AbortController();
  stopped.abort();
  t.like(await send(due, { signal: stopped.signal }), { status: 'scheduled' });
  t.is(sent().length, 0);
  t.like(await readScheduled(db, due), { status: 'scheduled' });
});

test('a message waits for a slot without holding one', async (t) => {
  const { message, send, sent, mediaShares, organization } = await activityStage(t);
  const due = await message();
  const release = fillShare(mediaShares, { organizationId: organization.id });
  const count = mediaShares.count();
  t.true(count <= mediaShares.capacity / 4, 'others find slots');
  await t.throwsAsync(send(due), { message: /Other attempts/ });
  const { status, waitMs } = await send(due, { attempt: 10 });
  t.deepEqual([status, waitMs], ['scheduled', 60_000], 'then the workflow waits');
  t.is(mediaShares.count(), count);
  release();
  t.like(await send(due), { status: 'sent' });
  t.is(mediaShares.count(), 0);
  t.is(sent().length, 1);
});

test('a due post starts one container, even if the activity runs twice', async (t) => {
  const { db, post, start, resumed } = await activityStage(t);
  const due = await post();
  const { status, waitMs } = await start(due);
  t.is(status, 'started');
  t.true(waitMs! > 0, 'its container is followed');
  await start(due);
  const { containerPublicId } = await readScheduled(db, due);
  t.deepEqual(resumed, [containerPublicId!, containerPublicId!], 'a workflow that runs is joined');
  t.is((await db('media_containers')).length, 1);
  await db('media_containers').update({ status: 'in_progress' });
  t.deepEqual(await start(due), { status: 'started', waitMs: null });
});

test('a post waits for its time and for a slot', async (t) => {
  const { db, post, start, mediaShares, organization } = await activityStage(t);
  const due = await post();
  const release = fillShare(mediaShares, { organizationId: organization.id });
  await t.throwsAsync(start(due), { message: /Other attempts/ });
  t.deepEqual(await start(due, { attempt: 10 }), { status: 'scheduled', waitMs: 60_000 });
  release();
  const later = await start(await post({ dueAt: new Date(Date.now() + 60_000) }));
  t.true(later.status === 'scheduled' && later.waitMs! > 0);
  t.is((await db('media_containers')).length, 0);
  t.like(await start(await post({ dueAt: new Date(0) })), { status: 'failed' });
});
