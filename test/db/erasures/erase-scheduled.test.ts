import test from 'ava';
import { abandonCreate } from '../../../db/containers/containers.ts';
import { eraseEndedContainers } from '../../../db/containers/erase-ended.ts';
import { eraseSlice } from '../../../db/erasures/erase-slice.ts';
import { type ErasureScope, findErasure, insertErasure } from '../../../db/erasures/erasures.ts';
import { insertWorkspace } from '../../../db/organizations/workspaces.ts';
import { moveScheduled } from '../../../db/scheduled/move.ts';
import { followPost, startDuePost } from '../../../db/scheduled/start-post.ts';
import { imageBody, setContainer } from '../../harness/containers/containers.ts';
import { testDatabase } from '../../harness/database/database.ts';
import { tablesWith } from '../../harness/database/tables-with.ts';
import {
  aScheduledMessage,
  aScheduledPost,
  readScheduled,
  type SampleScheduled,
} from '../../harness/scheduled/scheduled.ts';
import { aChannel, aTenant } from '../../harness/tenants.ts';

const PERSON = '15551230001';
const NAME = 'canary7f3e';
const naming = { ...imageBody, caption: `Hello @${NAME}!` };
const erased = { messageEncrypted: null, recipientHash: null, platformMessageId: null };

async function erasureStage(t: Parameters<typeof testDatabase>[0], type: 'chatapp' | 'photoapp' = 'chatapp') {
  const { db } = await testDatabase(t);
  const { organization, workspace } = await aTenant(db);
  const channel = await aChannel(db, workspace, { type });
  const organizationId = organization.id;
  const none = { eventId: null, sender: null, workspaceId: null, channelId: null };
  const begin = async (scope: Partial<ErasureScope> & Pick<ErasureScope, 'kind'>) =>
    await insertErasure(db, { organizationId, ...none, ...scope, reason: 'asked for' });
  const finish = async (publicId: string) => {
    while ((await eraseSlice(db, publicId, { lateMs: 0 }))?.status !== 'completed');
    return (await findErasure(db, { organizationId, publicId }))!.counts;
  };
  const place = { channel, workspace };
  return {
    ...{ db, organization, workspace, channel, begin, finish },
    message: async (sample: Partial<SampleScheduled> = {}) => await aScheduledMessage(db, { ...place, ...sample }),
    post: async (sample: Partial<SampleScheduled> = {}) =>
      await aScheduledPost(db, { ...place, content: naming, ...sample }),
    erase: async (scope: Parameters<typeof begin>[0]) => await finish(await begin(scope)),
  };
}

test('messages to an erased person are cancelled and emptied', async (t) => {
  const { db, message, erase } = await erasureStage(t);
  const waiting = await message({ content: { to: `+${PERSON}`, text: 'Hello' } });
  const sending = await message({ status: 'sending' });
  const sent = await message({ status: 'sent' });
  const other = await message({ content: { to: '15551230002', text: 'Hello' } });
  await db('workflow_starts').delete();
  t.is((await erase({ kind: 'sender', sender: PERSON })).scheduledMessages, 3);
  t.like(await readScheduled(db, waiting), { ...erased, status: 'cancelled' });
  t.like(await readScheduled(db, sending), { ...erased, status: 'unknown', reason: 'outcome_unknown' });
  t.like(await readScheduled(db, sent), { ...erased, status: 'sent' });
  t.deepEqual(await readScheduled(db, other), other);
  t.false(await moveScheduled(db, { id: sending.id, to: 'scheduled', from: ['sending'] }));
  const requested = await db('workflow_starts').where({ type: 'carryScheduled' }).pluck('subject_id');
  t.deepEqual(requested.sort(), [waiting.publicId, sending.publicId].sort(), 'their workflows end');
  t.is((await erase({ kind: 'sender', sender: PERSON })).scheduledMessages, 0);
});

test("a late answer does not restore an erased message's platform id", async (t) => {
  const { db, message, erase } = await erasureStage(t);
  const [erasedOne, other] = [await message({ status: 'sending' }), await message({ status: 'sending' })];
  await db('scheduled')
    .where({ id: other.id })
    .update({ created_at: new Date('2999-01-01T00:00:00Z') });
  await erase({ kind: 'sender', sender: PERSON });
  for (const { id } of [erasedOne, other]) t.true(await moveScheduled(db, { id, to: 'sent', platformMessageId: 'm' }));
  t.like(await readScheduled(db, erasedOne), { ...erased, status: 'sent' });
  t.like(await readScheduled(db, other), { status: 'sent', platformMessageId: 'm' });
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
  const waiting = await Promise.all(contents.map((content) => message({ content })));
  const other = await message({ content: { to: 'US.13491208655302749999', text: 'Hello' } });
  t.is((await erase({ kind: 'sender', sender: userId })).scheduledMessages, waiting.length);
  for (const one of waiting) t.like(await readScheduled(db, one), { ...erased, otherRecipientHash: null });
  t.deepEqual(await readScheduled(db, other), other);
});

test('an erased workspace loses its messages, and others keep theirs', async (t) => {
  const { db, message, erase, workspace, organization } = await erasureStage(t);
  const waiting = await message();
  const elsewhere = await insertWorkspace(db, { organizationId: organization.id, name: 'Other', kind: 'team' });
  const channel = await aChannel(db, elsewhere, { resourceId: '100000000000099' });
  const kept = await aScheduledMessage(db, { channel, workspace: elsewhere });
  t.is((await erase({ kind: 'workspace', workspaceId: workspace.id })).scheduledMessages, 1);
  t.like(await readScheduled(db, waiting), { ...erased, status: 'cancelled' });
  t.deepEqual(await readScheduled(db, kept), kept);
});

test('an erasure of one event leaves messages alone', async (t) => {
  const { db, message, erase } = await erasureStage(t);
  const waiting = await message();
  await erase({ kind: 'event', eventId: 1 });
  t.deepEqual(await readScheduled(db, waiting), waiting);
});

test('waiting posts that name an erased person are cancelled', async (t) => {
  const { db, post, erase } = await erasureStage(t, 'photoapp');
  const waiting = await post();
  const started = await post({ status: 'started' });
  const other = await post({ content: { ...imageBody, caption: `Hello ${NAME}2` } });
  t.is((await erase({ kind: 'sender', sender: NAME })).scheduledPosts, 2);
  t.like(await readScheduled(db, waiting), { status: 'cancelled', input: null });
  const emptied = await readScheduled(db, started);
  t.is(emptied.status, 'started');
  t.false('caption' in emptied.input!);
  t.is(emptied.input!.imageUrl, imageBody.imageUrl);
  t.deepEqual(await readScheduled(db, other), other);
  t.is((await erase({ kind: 'sender', sender: NAME })).scheduledPosts, 0);
  await db('scheduled').where({ id: other.id }).delete();
  t.deepEqual(await tablesWith(db, NAME), []);
});

test('an erased workspace loses its posts, and others keep theirs', async (t) => {
  const { db, post, erase, workspace, organization } = await erasureStage(t, 'photoapp');
  const waiting = await post({ content: imageBody });
  const started = await post({ status: 'started' });
  const elsewhere = await insertWorkspace(db, { organizationId: organization.id, name: 'Other', kind: 'team' });
  const channel = await aChannel(db, elsewhere, { type: 'photoapp', resourceId: '200000000000099' });
  const place = { channel, workspace: elsewhere };
  const kept = await aScheduledPost(db, { ...place, content: naming });
  t.is((await erase({ kind: 'workspace', workspaceId: workspace.id })).scheduledPosts, 2);
  t.like(await readScheduled(db, waiting), { status: 'cancelled', input: null });
  t.false('caption' in (await readScheduled(db, started)).input!);
  t.deepEqual(await readScheduled(db, kept), kept);
});

test('an erasure of one event leaves posts alone', async (t) => {
  const { db, post, erase } = await erasureStage(t, 'photoapp');
  const waiting = await post();
  await erase({ kind: 'event', eventId: 1 });
  t.deepEqual(await readScheduled(db, waiting), waiting);
});

test('a post that starts during an erasure loses its texts', async (t) => {
  const { db, post, begin, finish } = await erasureStage(t, 'photoapp');
  const due = await post();
  const erasureId = await begin({ kind: 'sender', sender: NAME });
  const container = await startDuePost(db, due);
  t.is((await finish(erasureId)).scheduledPosts, 1);
  await setContainer(db, container!.publicId, { status: 'published' });
  await eraseEndedContainers(db);
  t.deepEqual(await tablesWith(db, NAME), []);
});

test('an emptied post is not scheduled again', async (t) => {
  const { db, post, erase } = await erasureStage(t, 'photoapp');
  const due = await post();
  const container = await startDuePost(db, due);
  await erase({ kind: 'sender', sender: NAME });
  t.true(await abandonCreate(db, container!));
  await followPost(db, await readScheduled(db, due));
  t.is((await readScheduled(db, due)).status, 'started');
});
