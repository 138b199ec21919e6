import test, { type ExecutionContext } from 'ava';
import {
  MAX_SEND_DELAY_MS,
  type ScheduledMessageStatus,
  scheduledMessageStatuses,
} from '../../../contract/operations/scheduled-message.ts';
import {
  cancelScheduledMessage,
  changeScheduledMessage,
  endRestoredMessages,
  moveScheduledMessage,
} from '../../../db/operations/move-scheduled-message.ts';
import { claimDueStarts, failLateMessage, releaseStart, takeDueMessage } from '../../../db/operations/due-messages.ts';
import { hashRecipient } from '../../../db/operations/recipient.ts';
import { insertScheduledMessage, sealScheduledMessage } from '../../../db/operations/scheduled-messages.ts';
import { testAudit } from '../../harness/audit.ts';
import { connectPatiently } from '../../harness/database/connect-patiently.ts';
import { testDatabase } from '../../harness/database/database.ts';
import { removeAllExpired } from '../../harness/database/remove-expired.ts';
import { aScheduledMessage, readMessage, type SampleMessage } from '../../harness/operations/scheduled-messages.ts';
import { aChannel, aTenant, testSecretBox } from '../../harness/tenants.ts';

const moves: Readonly<Record<ScheduledMessageStatus, string>> = {
  scheduled: 'sending failed unknown cancelled',
  sending: 'scheduled sent failed unknown',
  sent: '',
  failed: '',
  unknown: 'sent failed',
  cancelled: '',
};
const HOUR_MS = 3_600_000;

const byId = (one: { scheduledMessageId: string }, two: { scheduledMessageId: string }): number =>
  one.scheduledMessageId.localeCompare(two.scheduledMessageId);

async function messageStage(t: ExecutionContext) {
  const { db, url } = await testDatabase(t);
  const { workspace } = await aTenant(db);
  const channel = await aChannel(db, workspace);
  const other = connectPatiently({ url, applicationName: 'test-other' });
  t.teardown(() => other.destroy());
  const message = async (sample: Omit<SampleMessage, 'channel' | 'workspace'> = {}) =>
    await aScheduledMessage(db, { channel, workspace, ...sample });
  return { db, other, workspace, channel, message };
}

for (const from of scheduledMessageStatuses) {
  test(`moveScheduledMessage allows only the declared transitions from ${from}`, async (t) => {
    const { db, message } = await messageStage(t);
    for (const to of scheduledMessageStatuses) {
      const before = await message({ status: from });
      const may = moves[from].split(' ').includes(to);
      t.is(await moveScheduledMessage(db, { id: before.id, to, detail: 'why' }), may, to);
      const after = await readMessage(db, before);
      if (may) t.like(after, { status: to, statusDetail: 'why' });
      else t.deepEqual(after, before);
    }
  });
}

test('the end of a message erases its content', async (t) => {
  const { db, message } = await messageStage(t);
  for (const to of ['sent', 'failed', 'unknown'] as const) {
    const sending = await message({ status: 'sending' });
    t.truthy(sending.messageEncrypted);
    await moveScheduledMessage(db, { id: sending.id, to });
    const { messageEncrypted, endedAt } = await readMessage(db, sending);
    t.deepEqual([messageEncrypted, endedAt instanceof Date], [null, true]);
  }
});

test('concurrent claims of a message succeed once', async (t) => {
  const { db, other, message } = await messageStage(t);
  const due = await message();
  const pools = [db, other];
  const taken = await Promise.all(Array.from({ length: 8 }, (_, index) => takeDueMessage(pools[index % 2]!, due)));
  t.is(taken.filter((sealed) => sealed !== undefined).length, 1);
  t.like(await readMessage(db, due), { status: 'sending', attempts: 1 });
});

test('a message is claimed neither before its time nor an hour after', async (t) => {
  const { db, message } = await messageStage(t);
  for (const offsetMs of [60_000, -MAX_SEND_DELAY_MS]) {
    const early = await message({ values: { sendAt: new Date(Date.now() + offsetMs) } });
    t.is(await takeDueMessage(db, early), undefined);
    t.is(await failLateMessage(db, early), offsetMs < 0);
    t.like(
      await readMessage(db, early),
      offsetMs < 0 ? { status: 'failed', reason: 'too_late' } : { status: 'scheduled' },
    );
  }
});

for (const act of ['change', 'cancel'] as const) {
  test(`a claim and a concurrent ${act} have one winner`, async (t) => {
    const { db, other, message } = await messageStage(t);
    for (let round = 0; round < 10; round++) {
      const { id, publicId } = await message();
      const sendAt = new Date(Date.now() + HOUR_MS);
      const steer = () =>
        act === 'change'
          ? changeScheduledMessage(other, { id, publicId, sendAt, sealed: undefined, audit: testAudit })
          : cancelScheduledMessage(other, { id, publicId, audit: testAudit });
      const claim = () => takeDueMessage(db, { id });
      const [first, second] = await Promise.all(round % 2 === 0 ? [claim(), steer()] : [steer(), claim()]);
      const [taken, steered] = round % 2 === 0 ? [first, second] : [second, first];
      t.is(taken === undefined, steered === true);
      const expected = steered ? (act === 'change' ? 'scheduled' : 'cancelled') : 'sending';
      t.is((await readMessage(db, { publicId })).status, expected);
    }
  });
}

test('a change replaces the time and the content', async (t) => {
  const { db, message } = await messageStage(t);
  const { id, publicId } = await message();
  const sendAt = new Date(Date.now() + HOUR_MS);
  const sealed = sealScheduledMessage(testSecretBox, { publicId, message: { to: '+1 555 123 0002', text: 'New' } });
  t.deepEqual(sealed.recipientHash, hashRecipient('15551230002'));
  t.true(await changeScheduledMessage(db, { id, publicId, sendAt, sealed, audit: testAudit }));
  t.like(await readMessage(db, { publicId }), { sendAt, nextAttemptAt: sendAt, nextStartAt: sendAt, ...sealed });
  t.deepEqual(await db('audit_entries').orderBy('id').pluck('action'), [
    'scheduledMessage.created',
    'scheduledMessage.changed',
  ]);
});

test('a channel has a limited number of scheduled messages', async (t) => {
  const { db, other, channel, workspace, message } = await messageStage(t);
  await message({ status: 'sent' });
  const place = { channelId: channel.id, workspaceId: workspace.id };
  const insert = (on: typeof db) =>
    insertScheduledMessage(on, testSecretBox, {
      ...{ ...place, createdBy: 'key_1', sendAt: new Date(), message: {}, keyHash: null, max: 3, audit: testAudit },
      requestHash: Buffer.alloc(32),
    });
  const made = await Promise.all(Array.from({ length: 6 }, (_, index) => insert(index % 2 ? db : other)));
  t.is(made.filter(({ outcome }) => outcome === 'created').length, 3);
  t.is(made.filter(({ outcome }) => outcome === 'too_many').length, 3);
});

test('a repeated key returns the first message', async (t) => {
  const { db, other, channel, workspace } = await messageStage(t);
  const insert = (on: typeof db, requestHash: Buffer) =>
    insertScheduledMessage(on, testSecretBox, {
      ...{ channelId: channel.id, workspaceId: workspace.id, createdBy: 'key_1', sendAt: new Date(), message: {} },
      ...{ requestHash, keyHash: Buffer.alloc(32, 'k'), audit: testAudit },
    });
  const same = Buffer.alloc(32, 'a');
  const made = await Promise.all(Array.from({ length: 6 }, (_, index) => insert(index % 2 ? db : other, same)));
  t.deepEqual(made.map(({ outcome }) => outcome).sort(), ['created', ...Array.from({ length: 5 }, () => 'repeated')]);
  t.is((await insert(db, Buffer.alloc(32, 'b'))).outcome, 'key_reused');
  t.is((await db('scheduled_messages').pluck('id')).length, 1);
});

test('a restore ends messages that may have gone since the backup', async (t) => {
  const { db, message } = await messageStage(t);
  const past = await message();
  const sending = await message({ status: 'sending' });
  const future = await message({ values: { sendAt: new Date(Date.now() + HOUR_MS) } });
  const cancelled = await message({ status: 'cancelled' });
  t.is(await endRestoredMessages(db), 2);
  for (const one of [past, sending]) t.like(await readMessage(db, one), { status: 'unknown', reason: 'restored' });
  t.is((await readMessage(db, future)).status, 'scheduled');
  t.is((await readMessage(db, cancelled)).status, 'cancelled');
});

test('concurrent claims start each due message once', async (t) => {
  const { db, other, message, channel, workspace } = await messageStage(t);
  const due = [await message(), await message({ values: { sendAt: new Date(Date.now() + 2_000) } })];
  await message({ values: { sendAt: new Date(Date.now() + HOUR_MS) } });
  await message({ status: 'sent' });
  const claims = await Promise.all([db, other, db, other].map((pool) => claimDueStarts(pool, { limit: 10 })));
  const place = { channelId: channel.publicId, workspaceId: workspace.publicId };
  t.deepEqual(
    claims.flat().sort(byId),
    due.map(({ publicId }) => ({ scheduledMessageId: publicId, ...place })).sort(byId),
  );
});

test('a start is due again after its run, or when released', async (t) => {
  const { db, message } = await messageStage(t);
  const due = await message();
  t.is((await claimDueStarts(db, { limit: 10 })).length, 1);
  t.is((await claimDueStarts(db, { limit: 10 })).length, 0);
  const { nextStartAt } = await readMessage(db, due);
  await releaseStart(db, due);
  const released = await readMessage(db, due);
  t.true(released.nextStartAt < nextStartAt && released.nextStartAt > released.nextAttemptAt);
  await db('scheduled_messages').update({ next_start_at: new Date(0) });
  t.is((await claimDueStarts(db, { limit: 10 })).length, 1);
  t.is((await claimDueStarts(db, { limit: 10 })).length, 0);
});

test('a message that ended has no more starts', async (t) => {
  const { db, message } = await messageStage(t);
  for (const status of ['sent', 'failed', 'unknown', 'cancelled'] as const) await message({ status });
  t.deepEqual(await claimDueStarts(db, { limit: 10 }), []);
});

test('retention deletes only messages that ended before it', async (t) => {
  const { db, message } = await messageStage(t);
  for (let count = 0; count < 5; count++) await message({ status: 'sent' });
  await db('scheduled_messages').update({ created_at: new Date(0), ended_at: new Date(0) });
  const kept = [await message({ status: 'sent' }), await message()];
  t.is(await removeAllExpired(db, 'scheduled_messages', { cutoff: new Date(Date.now() - HOUR_MS) }), 5);
  t.deepEqual(
    await db('scheduled_messages').orderBy('id').pluck('public_id'),
    kept.map(({ publicId }) => publicId),
  );
});
