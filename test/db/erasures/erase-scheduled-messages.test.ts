import test from 'ava';
import { eraseSlice } from '../../../db/erasures/erase-slice.ts';
import { type ErasureScope, findErasure, insertErasure } from '../../../db/erasures/erasures.ts';
import { moveScheduledMessage } from '../../../db/operations/move-scheduled-message.ts';
import { insertWorkspace } from '../../../db/organizations/workspaces.ts';
import { testDatabase } from '../../harness/database/database.ts';
import { aScheduledMessage, readMessage, type SampleMessage } from '../../harness/operations/scheduled-messages.ts';
import { aChannel, aTenant } from '../../harness/tenants.ts';

const PERSON = '15551230001';
const erased = { messageEncrypted: null, recipientHash: null, platformMessageId: null };

async function erasureStage(t: Parameters<typeof testDatabase>[0]) {
  const { db } = await testDatabase(t);
  const { organization, workspace } = await aTenant(db);
  const channel = await aChannel(db, workspace);
  const none = { eventId: null, sender: null, workspaceId: null, channelId: null };
  return {
    ...{ db, organization, workspace, channel },
    message: async (sample: Omit<SampleMessage, 'channel' | 'workspace'> = {}) =>
      await aScheduledMessage(db, { channel, workspace, ...sample }),
    erase: async (scope: Partial<ErasureScope> & Pick<ErasureScope, 'kind'>) => {
      const organizationId = organization.id;
      const publicId = await insertErasure(db, { organizationId, ...none, ...scope, reason: 'asked for' });
      while ((await eraseSlice(db, publicId, { lateMs: 0 }))?.status !== 'completed');
      return (await findErasure(db, { organizationId, publicId }))!.counts;
    },
  };
}

test('messages to an erased person are cancelled and emptied', async (t) => {
  const { db, message, erase } = await erasureStage(t);
  const waiting = await message({ values: { message: { to: `+${PERSON}`, text: 'Hello' } } });
  const sending = await message({ status: 'sending' });
  const sent = await message({ status: 'sent' });
  const other = await message({ values: { message: { to: '15551230002', text: 'Hello' } } });
  t.is((await erase({ kind: 'sender', sender: PERSON })).scheduledMessages, 3);
  t.like(await readMessage(db, waiting), { ...erased, status: 'cancelled' });
  t.like(await readMessage(db, sending), { ...erased, status: 'unknown', reason: 'outcome_unknown' });
  t.like(await readMessage(db, sent), { ...erased, status: 'sent' });
  t.deepEqual(await readMessage(db, other), other);
  t.false(await moveScheduledMessage(db, { id: sending.id, to: 'scheduled', from: ['sending'] }));
  t.is((await erase({ kind: 'sender', sender: PERSON })).scheduledMessages, 0);
});

test("a late answer does not restore an erased message's platform id", async (t) => {
  const { db, message, erase } = await erasureStage(t);
  const [erasedOne, other] = [await message({ status: 'sending' }), await message({ status: 'sending' })];
  await db('scheduled_messages')
    .where({ id: other.id })
    .update({ created_at: new Date('2999-01-01T00:00:00Z') });
  await erase({ kind: 'sender', sender: PERSON });
  for (const { id } of [erasedOne, other])
    t.true(await moveScheduledMessage(db, { id, to: 'sent', platformMessageId: 'm' }));
  t.like(await readMessage(db, erasedOne), { ...erased, status: 'sent' });
  t.like(await readMessage(db, other), { status: 'sent', platformMessageId: 'm' });
});

test('messages to a person are erased by each of their ids', async (t) => {
  const { db, message, erase } = await erasureStage(t);
  const userId = 'US.13491208655302741918';
  const text = { type: 'text', text: { body: 'Hello' } };
  const contents = [
    { to: userId, text: 'Hello' },
    { recipient: userId, ...text },
    { to: PERSON, recipient: userId, ...text },
    { recipient: { user_ref: userId }, message: { text: 'Hello' } },
  ];
  const waiting = await Promise.all(contents.map((content) => message({ values: { message: content } })));
  const other = await message({ values: { message: { to: 'US.13491208655302749999', text: 'Hello' } } });
  t.is((await erase({ kind: 'sender', sender: userId })).scheduledMessages, waiting.length);
  for (const one of waiting) t.like(await readMessage(db, one), { ...erased, otherRecipientHash: null });
  t.deepEqual(await readMessage(db, other), other);
});

test('an erased workspace loses its messages, and others keep theirs', async (t) => {
  const { db, message, erase, workspace, organization } = await erasureStage(t);
  const waiting = await message();
  const elsewhere = await insertWorkspace(db, { organizationId: organization.id, name: 'Other', kind: 'team' });
  const channel = await aChannel(db, elsewhere, { resourceId: '100000000000099' });
  const kept = await aScheduledMessage(db, { channel, workspace: elsewhere });
  t.is((await erase({ kind: 'workspace', workspaceId: workspace.id })).scheduledMessages, 1);
  t.like(await readMessage(db, waiting), { ...erased, status: 'cancelled' });
  t.deepEqual(await readMessage(db, kept), kept);
});

test('an erasure of one event leaves messages alone', async (t) => {
  const { db, message, erase } = await erasureStage(t);
  const waiting = await message();
  await erase({ kind: 'event', eventId: 1 });
  t.deepEqual(await readMessage(db, waiting), waiting);
});
