import test, { type ExecutionContext } from 'ava';
import { disconnectChannel } from '../../../db/channels/channels.ts';
import { findChannelRecord } from '../../../db/channels/records.ts';
import { linkAccounts } from '../../../db/channels/link-accounts.ts';
import { testAudit } from '../../harness/audit.ts';
import { aChannel, aTenant, type TestChannel } from '../../harness/tenants.ts';
import { tenantDatabase } from '../../harness/tenant-database.ts';

/** Creates a Page and its photo account as channels of one workspace. */
async function stage(t: ExecutionContext) {
  const { db, workspace, organization } = await tenantDatabase(t);
  const page = await aChannel(db, workspace, { type: 'pageapp', resourceId: 'page' });
  const photo = await aChannel(db, workspace, { type: 'photoapp', resourceId: 'photo' });
  const linkedOf = async ({ publicId }: TestChannel) =>
    (await findChannelRecord(db, { publicId }))?.linkedChannelPublicId ?? null;
  const tellPage = (linkedResourceId: string | null) =>
    linkAccounts(db, {
      channel: { ...page, workspaceId: workspace.id },
      type: 'pageapp',
      resourceId: 'page',
      linkedResourceId,
    });
  const tellPhoto = (linkedResourceId: string | null) =>
    linkAccounts(db, {
      channel: { ...photo, workspaceId: workspace.id },
      type: 'photoapp',
      resourceId: 'photo',
      linkedResourceId,
    });
  const idOf = async (name: string): Promise<unknown> =>
    (await db('channels').where({ resource_id: name }).first('linked_resource_id')).linked_resource_id;
  return { db, workspace, organization, page, photo, linkedOf, tellPage, tellPhoto, idOf };
}

test('a Page and its photo account link both ways in either order', async (t) => {
  for (const first of ['tellPage', 'tellPhoto'] as const) {
    const { page, photo, linkedOf, ...told } = await stage(t);
    await told[first](first === 'tellPage' ? 'photo' : 'page');
    t.deepEqual([await linkedOf(page), await linkedOf(photo)], [photo.publicId, page.publicId], first);
  }
});

test('records omit linked channels that are disconnected or in another workspace', async (t) => {
  const { db, workspace, organization, page, photo, linkedOf, tellPage, idOf } = await stage(t);
  await tellPage('photo');
  const [other] = await db('workspaces')
    .insert({ organization_id: organization.id, public_id: 'ws_0000000x', name: 'Other', kind: 'team' })
    .returning('id');
  await db('channels').where({ id: photo.id }).update({ workspace_id: other.id });
  t.deepEqual([await linkedOf(page), await linkedOf(photo)], [null, null]);
  await db('channels').where({ id: photo.id }).update({ workspace_id: workspace.id });
  t.is(await linkedOf(page), photo.publicId);
  await disconnectChannel(db, { ...photo, audit: testAudit });
  t.is(await linkedOf(page), null);
  t.is(await idOf('page'), 'photo');
  const again = await aChannel(db, workspace, { type: 'photoapp', resourceId: 'photo' });
  t.is(await linkedOf(page), again.publicId, 'the new channel');
});

test('the latest reported link replaces earlier links on both sides', async (t) => {
  const { db, workspace, page, photo, linkedOf, tellPage, tellPhoto, idOf } = await stage(t);
  await tellPage('photo');
  await tellPage('another');
  t.deepEqual([await linkedOf(page), await linkedOf(photo)], [null, null]);
  t.deepEqual([await idOf('page'), await idOf('photo')], ['another', null]);
  await tellPhoto('page');
  t.deepEqual([await idOf('page'), await idOf('photo')], ['photo', 'page']);
  await aChannel(db, workspace, { type: 'pageapp', resourceId: 'second' });
  await tellPhoto('second');
  t.deepEqual([await idOf('page'), await idOf('second')], [null, 'photo']);
});

test("a reported link does not change another workspace's channels", async (t) => {
  const { db, page, tellPhoto, idOf } = await stage(t);
  const { workspace: elsewhere } = await aTenant(db);
  await db('channels').where({ id: page.id }).update({ workspace_id: elsewhere.id });
  await tellPhoto('page');
  t.is(await idOf('page'), null);
});
