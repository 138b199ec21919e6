import test, { type ExecutionContext } from 'ava';
import { erasuresOf } from '../../harness/erasures.ts';
import { abandonCreate } from '../../../db/containers/containers.ts';
import { eraseEndedContainers } from '../../../db/containers/erase-ended.ts';
import { insertWorkspace } from '../../../db/organizations/workspaces.ts';
import { moveScheduled } from '../../../db/scheduled/move.ts';
import { followPost, startDuePost } from '../../../db/scheduled/start-post.ts';
import { imageBody, setContainer } from '../../harness/containers/containers.ts';
import { tablesWith } from '../../harness/database/tables-with.ts';
import {
  aScheduled,
  aScheduledMessage,
  aScheduledPost,
  readScheduled,
  type SampleScheduled,
} from '../../harness/scheduled/scheduled.ts';
import { aChannel } from '../../harness/tenants.ts';
import { tenantDatabase } from '../../harness/tenant-database.ts';

const PERSON = '15551230001';
const NAME = 'canary7f3e';
const naming = { ...imageBody, caption: `Hello @${NAME}!` };
const erased = { messageEncrypted: null, recipientHash: null, platformMessageId: null };

async function erasureStage(t: ExecutionContext, type: 'chatapp' | 'photoapp' = 'chatapp') {
  const { db, organization, workspace } = await tenantDatabase(t);
  const channel = await aChannel(db, workspace, { type });
  const place = { channel, workspace };
  return {
    db,
    organization,
    workspace,
    channel,
    ...erasuresOf(db, organization.id),
    message: async (sample: Partial<SampleScheduled> = {}) => await aScheduledMessage(db, { ...place, ...sample }),
    post: async (sample: Partial<SampleScheduled> = {}) =>
      await aScheduledPost(db, { ...place, content: naming, ...sample }),
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
  const erasedOne = await message({ status: 'sending' });
  const other = await message({ status: 'sending' });
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

for (const kind of ['message', 'post'] as const) {
  test(`an erased workspace loses its ${kind}s, and others keep theirs`, async (t) => {
    const type = kind === 'post' ? 'photoapp' : 'chatapp';
    const { db, erase, workspace, organization, ...stage } = await erasureStage(t, type);
    const waiting = await stage[kind]();
    const elsewhere = await insertWorkspace(db, { organizationId: organization.id, name: 'Other', kind: 'team' });
    const channel = await aChannel(db, elsewhere, { type });
    const kept = await aScheduled(db, kind, { channel, workspace: elsewhere });
    const started = kind === 'post' ? await stage.post({ status: 'started' }) : undefined;
    const counts = await erase({ kind: 'workspace', workspaceId: workspace.id });
    t.is(kind === 'post' ? counts.scheduledPosts : counts.scheduledMessages, started ? 2 : 1);
    t.like(await readScheduled(db, waiting), { ...erased, status: 'cancelled', input: null });
    if (started) t.false('caption' in (await readScheduled(db, started)).input!);
    t.deepEqual(await readScheduled(db, kept), kept);
  });

  test(`an erasure of one event leaves ${kind}s alone`, async (t) => {
    const { db, erase, ...stage } = await erasureStage(t, kind === 'post' ? 'photoapp' : 'chatapp');
    const waiting = await stage[kind]();
    await erase({ kind: 'event', eventId: 1 });
    t.deepEqual(await readScheduled(db, waiting), waiting);
  });
}

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

test('a post that starts during an erasure loses its texts', async (t) => {
  const { db, post, begin, finish } = await erasureStage(t, 'photoapp');
  const due = await post();
  const erasureId = await begin({ kind: 'sender', sender: NAME });
  const container = await startDuePost(db, due);
  t.is((await finish(erasureId)).counts.scheduledPosts, 1);
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
