import test, { type ExecutionContext } from 'ava';
import { createScheduledMessageActivities } from '../../../activities/operations/scheduled-message-activities.ts';
import { SEND_DEADLINE_MS, START_HOLD_MS } from '../../../contract/operations/scheduled-message.ts';
import type { OutboundCall } from '../../../db/operations/outbound-calls.ts';
import { takeDueMessage } from '../../../db/operations/due-messages.ts';
import { findChannelRecord } from '../../../db/channels/records.ts';
import { insertWorkspace } from '../../../db/organizations/workspaces.ts';
import type { MessagingControlInput } from '../../../simulator/messaging/control.ts';
import { startPlatform } from '../../../simulator/platform.ts';
import { createPlatformOperations } from '../../../platform/operations/operations.ts';
import { testDatabase } from '../../harness/database/database.ts';
import { aScheduledMessage, readMessage, type SampleMessage } from '../../harness/operations/scheduled-messages.ts';
import { rememberingLog } from '../../harness/quiet-log.ts';
import { inActivity, type InActivity } from '../../harness/temporal/activity.ts';
import { aChannel, aTenant, testSecretBox } from '../../harness/tenants.ts';

type Fault = NonNullable<MessagingControlInput['faults']>[number];
const SECRET = 'app secret';

async function activityStage(t: ExecutionContext) {
  const { db } = await testDatabase(t);
  const tenant = await aTenant(db);
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
  const deps = { db, secretBox: testSecretBox, outbound, platformOperations, log };
  const activities = createScheduledMessageActivities(deps);
  return {
    ...{ db, ...tenant, channel, calls, log },
    message: async (sample: Omit<SampleMessage, 'channel' | 'workspace'> = {}) =>
      await aScheduledMessage(db, { channel, workspace: tenant.workspace, ...sample }),
    send: ({ publicId: scheduledMessageId }: { publicId: string }, options?: InActivity) =>
      inActivity(() => activities.sendDueMessage({ scheduledMessageId }), options),
    settle: ({ publicId: scheduledMessageId }: { publicId: string }) =>
      activities.settleMessage({ scheduledMessageId }),
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
  const { status, platformMessageId, messageEncrypted } = await readMessage(db, due);
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

test('a message that is not due is not sent', async (t) => {
  const { message, send, sent } = await activityStage(t);
  const sendAt = new Date(Date.now() + 60_000);
  const later = await message({ values: { sendAt } });
  const { status, waitMs } = await send(later);
  t.is(status, 'scheduled');
  t.true(waitMs! > 0 && waitMs! <= 60_000);
  t.is(sent().length, 0);
});

test('a claimed message is not sent again and settles as unknown', async (t) => {
  const { db, message, send, settle, sent } = await activityStage(t);
  const due = await message();
  await takeDueMessage(db, due);
  t.like(await send(due), { status: 'sending' });
  t.is(sent().length, 0);
  t.deepEqual(await settle(due), { status: 'unknown', waitMs: null });
  t.deepEqual(await settle(due), { status: 'unknown', waitMs: null });
  t.like(await readMessage(db, due), { reason: 'outcome_unknown', messageEncrypted: null });
});

test('an answer that arrives late tells what happened', async (t) => {
  const { db, deps, message, settle, fault } = await activityStage(t);
  const sendLate = async () => {
    const due = await message();
    const actFor: typeof deps.platformOperations.actFor = (account) => {
      const client = deps.platformOperations.actFor(account);
      const write: typeof client.write = async (...call) => {
        const answer = await Promise.allSettled([client.write(...call)]);
        // As after a pause of the worker: the workflow has settled the message.
        await settle(due);
        if (answer[0].status === 'rejected') throw answer[0].reason;
        return answer[0].value;
      };
      return { ...client, write };
    };
    const { sendDueMessage } = createScheduledMessageActivities({ ...deps, platformOperations: { actFor } });
    await inActivity(() => sendDueMessage({ scheduledMessageId: due.publicId }));
    return await readMessage(db, due);
  };
  const sent = await sendLate();
  t.like(sent, { status: 'sent', reason: null, statusDetail: null });
  t.truthy(sent.platformMessageId);
  fault({ at: 'send', status: 400, code: 131_030, times: 1 });
  t.like(await sendLate(), { status: 'failed', reason: 'refused' });
  fault({ at: 'send', status: 429, code: 80_007, times: 1 });
  t.like(await sendLate(), { status: 'unknown', reason: 'outcome_unknown' });
});

test('a later run ends a claimed message whose run was lost', async (t) => {
  const { db, message, send, sent } = await activityStage(t);
  const due = await message();
  await takeDueMessage(db, due);
  const longAgo = new Date(Date.now() - SEND_DEADLINE_MS);
  await db('scheduled_messages').update({ sent_at: longAgo });
  t.deepEqual(await send(due), { status: 'unknown', waitMs: null });
  t.deepEqual(await send(due), { status: 'unknown', waitMs: null });
  t.is(sent().length, 0);
});

test('a settled message that was not claimed can be started again', async (t) => {
  const { db, message, settle } = await activityStage(t);
  const due = await message();
  await db('scheduled_messages').update({ next_start_at: new Date(Date.now() + START_HOLD_MS) });
  t.like(await settle(due), { status: 'scheduled' });
  const { nextStartAt } = await readMessage(db, due);
  t.true(nextStartAt.getTime() < Date.now() + START_HOLD_MS);
});

test('a lost answer ends the message as unknown', async (t) => {
  const { db, message, send, fault, sent } = await activityStage(t);
  fault({ at: 'send', lost: 'after' });
  const due = await message();
  t.like(await send(due), { status: 'unknown' });
  t.is(sent().length, 1);
  t.like(await readMessage(db, due), { reason: 'outcome_unknown' });
});

test('a temporary refusal is retried later, and a final one is not', async (t) => {
  const { db, message, send, fault, sent } = await activityStage(t);
  fault({ at: 'send', status: 429, code: 80_007, times: 1 });
  const limited = await message();
  const { status, waitMs } = await send(limited);
  t.is(status, 'scheduled');
  t.true(waitMs! > 0);
  t.like(await readMessage(db, limited), { attempts: 1, sentAt: null });
  fault({ at: 'send', status: 400, code: 131_030, times: 1 });
  const refused = await message();
  t.like(await send(refused), { status: 'failed', waitMs: null });
  const { reason, statusDetail } = await readMessage(db, refused);
  t.is(reason, 'refused');
  t.regex(statusDetail!, /131030/);
  t.is(sent().length, 0);
});

test('a message waits for a new connection while its credential is refused', async (t) => {
  const { db, message, send, sent, fault, channel } = await activityStage(t);
  fault({ at: 'send', status: 401, code: 190, times: 1 });
  const due = await message();
  const isDue = () => db('scheduled_messages').update({ next_attempt_at: new Date(0), next_start_at: new Date(0) });
  t.like(await send(due), { status: 'scheduled' });
  await isDue();
  t.like(await send(due), { status: 'scheduled' });
  t.regex((await readMessage(db, due)).statusDetail!, /^Not sent yet: .*code 190.*Connect the account again/);
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
  t.like(await readMessage(db, first), { reason: 'channel_disconnected' });
  const elsewhere = await insertWorkspace(db, { organizationId: organization.id, name: 'Other', kind: 'team' });
  await db('channels').where({ id: channel.id }).update({ workspace_id: elsewhere.id, disconnected_at: null });
  t.like(await send(second), { status: 'failed' });
  t.like(await readMessage(db, second), { reason: 'channel_moved' });
  t.is(sent().length, 0);
});

test('a stopping worker sends nothing it has not begun', async (t) => {
  const { db, message, send, sent } = await activityStage(t);
  const due = await message();
  const stopped = new AbortController();
  stopped.abort();
  t.like(await send(due, { signal: stopped.signal }), { status: 'scheduled' });
  t.is(sent().length, 0);
  t.like(await readMessage(db, due), { status: 'scheduled', sentAt: null });
});

test('a message an hour late fails', async (t) => {
  const { db, message, send, sent } = await activityStage(t);
  const late = await message({ values: { sendAt: new Date(Date.now() - 3_600_000) } });
  t.like(await send(late), { status: 'failed' });
  t.like(await readMessage(db, late), { reason: 'too_late' });
  t.is(sent().length, 0);
});
