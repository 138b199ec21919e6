import test from 'ava';
import { abandonCreate } from '../../../db/containers/containers.ts';
import { eraseEndedContainers } from '../../../db/containers/erase-ended.ts';
import { rescheduleUnsentPosts, startDuePost } from '../../../db/containers/start-scheduled-post.ts';
import { eraseSlice } from '../../../db/erasures/erase-slice.ts';
import { type ErasureScope, findErasure, insertErasure } from '../../../db/erasures/erasures.ts';
import { insertWorkspace } from '../../../db/organizations/workspaces.ts';
import { imageBody, setContainer } from '../../harness/containers/containers.ts';
import { aScheduledPost, readPost, type SamplePost } from '../../harness/containers/scheduled-posts.ts';
import { testDatabase } from '../../harness/database/database.ts';
import { tablesWith } from '../../harness/database/tables-with.ts';
import { aChannel, aTenant } from '../../harness/tenants.ts';

const PERSON = 'canary7f3e';
const body = { ...imageBody, caption: `Hello @${PERSON}!` };

async function erasureStage(t: Parameters<typeof testDatabase>[0]) {
  const { db } = await testDatabase(t);
  const { organization, workspace } = await aTenant(db);
  const channel = await aChannel(db, workspace, { type: 'photoapp' });
  const organizationId = organization.id;
  const none = { eventId: null, sender: null, workspaceId: null, channelId: null };
  const begin = async (scope: Partial<ErasureScope> & Pick<ErasureScope, 'kind'>) =>
    await insertErasure(db, { organizationId, ...none, ...scope, reason: 'asked for' });
  const finish = async (publicId: string) => {
    while ((await eraseSlice(db, publicId, { lateMs: 0 }))?.status !== 'completed');
    return (await findErasure(db, { organizationId, publicId }))!.counts;
  };
  return {
    ...{ db, organization, workspace, begin, finish },
    post: async (sample: Omit<SamplePost, 'channel' | 'workspace'> = {}) =>
      await aScheduledPost(db, { channel, workspace, body, ...sample }),
    read: async ({ publicId }: { readonly publicId: string }) => await readPost(db, { channel, workspace, publicId }),
    erase: async (scope: Parameters<typeof begin>[0]) => await finish(await begin(scope)),
  };
}

test('waiting posts that name an erased person are cancelled', async (t) => {
  const { db, post, read, erase } = await erasureStage(t);
  const waiting = await post();
  const started = await post({ status: 'started' });
  const other = await post({ body: { ...imageBody, caption: `Hello ${PERSON}2` } });
  t.is((await erase({ kind: 'sender', sender: PERSON })).scheduledPosts, 2);
  t.like(await read(waiting), { status: 'cancelled', input: null });
  const emptied = await read(started);
  t.is(emptied.status, 'started');
  t.false('caption' in emptied.input!);
  t.is(emptied.input!.imageUrl, imageBody.imageUrl);
  t.deepEqual(await read(other), other);
  t.is((await erase({ kind: 'sender', sender: PERSON })).scheduledPosts, 0);
  await db('scheduled_posts').where({ id: other.id }).delete();
  t.deepEqual(await tablesWith(db, PERSON), []);
});

test('an erased workspace loses its posts, and others keep theirs', async (t) => {
  const { db, post, read, erase, workspace, organization } = await erasureStage(t);
  const waiting = await post({ body: imageBody });
  const started = await post({ status: 'started' });
  const elsewhere = await insertWorkspace(db, { organizationId: organization.id, name: 'Other', kind: 'team' });
  const channel = await aChannel(db, elsewhere, { type: 'photoapp', resourceId: '200000000000099' });
  const place = { channel, workspace: elsewhere };
  const kept = await aScheduledPost(db, { ...place, body });
  t.is((await erase({ kind: 'workspace', workspaceId: workspace.id })).scheduledPosts, 2);
  t.like(await read(waiting), { status: 'cancelled', input: null });
  t.false('caption' in (await read(started)).input!);
  t.deepEqual(await readPost(db, { ...place, publicId: kept.publicId }), kept);
});

test('an erasure of one event leaves posts alone', async (t) => {
  const { post, read, erase } = await erasureStage(t);
  const waiting = await post();
  await erase({ kind: 'event', eventId: 1 });
  t.deepEqual(await read(waiting), waiting);
});

test('a post that starts during an erasure loses its texts', async (t) => {
  const { db, post, begin, finish } = await erasureStage(t);
  await post();
  const erasureId = await begin({ kind: 'sender', sender: PERSON });
  const { container } = (await startDuePost(db))!;
  t.is((await finish(erasureId)).scheduledPosts, 1);
  await setContainer(db, container!.publicId, { status: 'published' });
  await eraseEndedContainers(db);
  t.deepEqual(await tablesWith(db, PERSON), []);
});

test('an emptied post is not scheduled again', async (t) => {
  const { db, post, read, erase } = await erasureStage(t);
  const due = await post();
  const { container } = (await startDuePost(db))!;
  await erase({ kind: 'sender', sender: PERSON });
  t.true(await abandonCreate(db, container!));
  t.deepEqual(await rescheduleUnsentPosts(db), []);
  t.is((await read(due)).status, 'started');
});
