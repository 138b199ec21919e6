import test, { type ExecutionContext } from 'ava';
import { MAX_DELAY_MS } from '../../../contract/scheduled/scheduled.ts';
import { abandonCreate } from '../../../db/containers/containers.ts';
import { loadContainer } from '../../../db/containers/records.ts';
import { insertWorkspace } from '../../../db/organizations/workspaces.ts';
import { readStanding } from '../../../db/scheduled/due.ts';
import { followPost, startDuePost } from '../../../db/scheduled/start-post.ts';
import { aScheduledPost, readScheduled, type SampleScheduled } from '../../harness/scheduled/scheduled.ts';
import { aChannel } from '../../harness/tenants.ts';
import { tenantDatabase } from '../../harness/tenant-database.ts';

const HOUR_MS = 3_600_000;
const inMs = (ms: number): Date => new Date(Date.now() + ms);

async function postStage(t: ExecutionContext) {
  const { db, another, workspace, organization } = await tenantDatabase(t);
  const channel = await aChannel(db, workspace, { type: 'photoapp' });
  const other = another();
  const post = async (sample: Partial<SampleScheduled> = {}) =>
    await aScheduledPost(db, { channel, workspace, ...sample });
  return {
    db,
    other,
    workspace,
    organization,
    channel,
    post,
    read: async (one: { readonly publicId: string }) => await readScheduled(db, one),
    startOne: async () => {
      const one = await post();
      return { one, container: (await startDuePost(db, one))! };
    },
    follow: async (one: { readonly publicId: string }) => {
      const container = await followPost(db, await readScheduled(db, one));
      return { container, ...(await readStanding(db, await readScheduled(db, one))) };
    },
  };
}

test('a due post becomes one container, which is published when ready', async (t) => {
  const { db, other, post, read } = await postStage(t);
  const due = await post();
  const later = await post({ dueAt: inMs(HOUR_MS) });
  const started = await Promise.all([db, other, db, other].map((pool) => startDuePost(pool, due)));
  t.is(started.filter((one) => one !== undefined).length, 1);
  t.is(await startDuePost(db, later), undefined);
  const { status, containerPublicId } = await read(due);
  t.is(status, 'started');
  t.like(await loadContainer(db, containerPublicId!), { autoPublish: true, status: 'creating' });
  t.is((await db('media_containers')).length, 1);
});

test('a post waits for a new connection while its credential is refused', async (t) => {
  const { db, post, read } = await postStage(t);
  const late = await post({ dueAt: inMs(-MAX_DELAY_MS) });
  const due = await post();
  await db('connection_credentials').update({ refused_at: new Date(), refused_reason: 'Connect it again.' });
  for (const one of [late, due]) t.is(await startDuePost(db, one), undefined);
  t.like(await read(late), { status: 'failed', reason: 'too_late' });
  t.regex((await read(late)).statusDetail!, /Connect it again\.$/);
  const { status, waitMs } = await readStanding(db, due);
  t.true(status === 'scheduled' && waitMs! > 0);
  await db('connection_credentials').update({ refused_at: null, refused_reason: null });
  await db('scheduled').update({ act_at: new Date(0) });
  t.truthy(await startDuePost(db, due));
  t.is((await read(due)).status, 'started');
});

test('a late post and one of a lost channel fail', async (t) => {
  const { db, post, read, channel, organization } = await postStage(t);
  const failed = async (reason: string, sample: Partial<SampleScheduled> = {}) => {
    const one = await post(sample);
    t.is(await startDuePost(db, one), undefined);
    t.like(await read(one), { status: 'failed', reason, input: null });
  };
  await failed('too_late', { dueAt: inMs(-MAX_DELAY_MS) });
  await db('channels').where({ id: channel.id }).update({ disconnected_at: new Date() });
  await failed('channel_disconnected');
  const elsewhere = await insertWorkspace(db, { organizationId: organization.id, name: 'Other', kind: 'team' });
  await db('channels').where({ id: channel.id }).update({ workspace_id: elsewhere.id, disconnected_at: null });
  await failed('channel_moved');
  t.is((await db('media_containers')).length, 0);
});

test('a post whose container was not sent is scheduled again', async (t) => {
  const { db, startOne, follow } = await postStage(t);
  const { one, container } = await startOne();
  t.like(await follow(one), { status: 'started', container: { publicId: container.publicId } });
  t.true(await abandonCreate(db, container));
  t.like(await follow(one), { status: 'scheduled', container: undefined });
  await db('scheduled').update({ act_at: new Date(0) });
  t.not((await startDuePost(db, one))?.publicId, container.publicId);
});

test('a post whose container may have been sent stays started', async (t) => {
  const { db, startOne, follow } = await postStage(t);
  for (const outcome of ['lost', 'rejected'] as const) {
    const { one, container } = await startOne();
    await db('container_parts').where({ container_id: container.id }).update({ sent_at: new Date(), outcome });
    await db('media_containers').update({ status: 'error', ended_at: new Date(), next_check_at: null });
    t.like(await follow(one), { status: 'started', waitMs: null }, outcome);
  }
});

test('a post is followed until its container is taken or late', async (t) => {
  const { db, startOne, follow } = await postStage(t);
  const taken = await startOne();
  const late = await startOne();
  await db('media_containers').where({ id: taken.container.id }).update({ status: 'in_progress' });
  await db('scheduled')
    .where({ id: late.one.id })
    .update({ due_at: inMs(-MAX_DELAY_MS) });
  for (const { one } of [taken, late]) {
    t.like(await follow(one), { status: 'started', waitMs: null, container: undefined });
  }
});
