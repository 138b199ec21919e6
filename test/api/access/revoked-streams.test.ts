import test from 'ava';
import { createApiShares } from '../../../api/requests/api-shares.ts';
import { changeApiKey, revokeApiKey } from '../../../db/organizations/api-keys.ts';
import { removeFromOrganization } from '../../../db/people/members.ts';
import { deleteWorkspace } from '../../../db/organizations/delete-workspace.ts';
import { endSessionsOf } from '../../../db/people/sessions.ts';
import { insertWorkspace } from '../../../db/organizations/workspaces.ts';
import { connectPatiently } from '../../harness/database/connect-patiently.ts';
import { openEventStream } from '../../harness/connections/event-stream.ts';
import { eventually } from '../../harness/eventually.ts';
import { listenerStage } from '../../harness/listeners/listener-stage.ts';
import { aSession } from '../../harness/people/sessions.ts';
import { streamStage } from '../../harness/api/stream-stage.ts';
import { aMember } from '../../harness/tenants.ts';

/** Heartbeats come too late to end a stream within a test. */
const rareBeats = { times: { pollMs: 10, heartbeatMs: 3_600_000, stalledMs: 60_000 } };

/** Only the watch can end these streams. Another process revokes. */
async function watchedStage(t: Parameters<typeof streamStage>[0]) {
  const stage = await streamStage(t, rareBeats);
  const elsewhere = connectPatiently({ url: stage.databaseUrl, applicationName: 'another-process', poolSize: 1 });
  t.teardown(() => elsewhere.destroy());
  const openAs = async (headers: Readonly<Record<string, string>>) => {
    const stream = await openEventStream(t, `${stage.url}${stage.path}`, {
      ...headers,
      'x-workspace-id': stage.workspace.publicId,
    });
    await stream.next();
    return stream;
  };
  const endOf = async (stream: Awaited<ReturnType<typeof openAs>>) => {
    const closed = await stream.next(({ event }) => event === 'closed');
    return [closed?.data, await stream.next()];
  };
  return { ...stage, elsewhere, openAs, endOf };
}

const accessEnded = [{ reason: 'access_ended' }, undefined];

test('a key revoked by another process loses its streams', async (t) => {
  const { openAs, endOf, elsewhere, apiKey, db, organization } = await watchedStage(t);
  const stream = await openAs({ authorization: `Bearer ${apiKey}` });
  const key = await db('api_keys').where({ organization_id: organization.id }).first('public_id');
  await revokeApiKey(elsewhere, { organizationId: organization.id, publicId: key.public_id });
  t.deepEqual(await endOf(stream), accessEnded);
});

test('a key narrowed by another process loses its streams', async (t) => {
  const { openAs, endOf, elsewhere, apiKey, db, organization } = await watchedStage(t);
  const { id } = await insertWorkspace(elsewhere, { organizationId: organization.id, name: 'Other', kind: 'team' });
  const { public_id: publicId } = await db('api_keys').where({ organization_id: organization.id }).first('public_id');
  for (const change of [
    { workspaceIds: [id] },
    { allowedCidrs: ['192.0.2.1'] },
    { scopes: ['channel.read'] },
  ] as const) {
    await db('api_keys').update({ scopes: null, workspace_ids: null, allowed_cidrs: null });
    const stream = await openAs({ authorization: `Bearer ${apiKey}` });
    await elsewhere.transaction((trx) => changeApiKey(trx, { organizationId: organization.id, publicId, ...change }));
    t.deepEqual(await endOf(stream), accessEnded);
  }
});

test('a session ended by another process loses its streams', async (t) => {
  const { openAs, endOf, elsewhere, db, user } = await watchedStage(t);
  const stream = await openAs((await aSession(db, user)).headers);
  await endSessionsOf(elsewhere, user.id);
  t.deepEqual(await endOf(stream), accessEnded);
});

test('a removed member loses their streams, and others keep theirs', async (t) => {
  const { openAs, endOf, elsewhere, db, organization, apiKey } = await watchedStage(t);
  const member = await aMember(db, organization, 'admin');
  const theirs = await openAs((await aSession(db, member)).headers);
  const others = await openAs({ authorization: `Bearer ${apiKey}` });
  await elsewhere.transaction((trx) =>
    removeFromOrganization(trx, { organizationId: organization.id, userId: member.id }),
  );
  t.deepEqual(await endOf(theirs), accessEnded);
  const isOpen = await Promise.race([others.next().then(() => false), eventually(() => true)]);
  t.true(isOpen);
});

test('a user who loses access to the workspace loses their streams', async (t) => {
  const { openAs, endOf, elsewhere, db, organization } = await watchedStage(t);
  const member = await aMember(db, organization, 'admin');
  const stream = await openAs((await aSession(db, member)).headers);
  await elsewhere('organization_members').where({ user_id: member.id }).update({ role: 'member' });
  t.deepEqual(await endOf(stream), accessEnded);
});

test('deleting a workspace ends its streams', async (t) => {
  const { openAs, endOf, elsewhere, organization, workspace, apiKey } = await watchedStage(t);
  await insertWorkspace(elsewhere, { organizationId: organization.id, name: 'Other', kind: 'team' });
  const stream = await openAs({ authorization: `Bearer ${apiKey}` });
  const audit = { organizationId: organization.id, actor: { type: 'system', id: 'test' } } as const;
  await deleteWorkspace(elsewhere, { ...workspace, organizationId: organization.id, audit });
  t.deepEqual(await endOf(stream), accessEnded);
});

test('revoking a key ends its waiting reader', async (t) => {
  const slots = createApiShares().waitingReaders;
  const stage = await listenerStage(t, { shares: { waitingReaders: slots }, accessCheckMs: 20 });
  const waiting = stage.read('?waitSeconds=25');
  await eventually(() => slots.count() === 1);
  const key = await stage.db('api_keys').where({ organization_id: stage.organization.id }).first('public_id');
  await revokeApiKey(stage.db, { organizationId: stage.organization.id, publicId: key.public_id });
  t.is((await waiting).body.code, 'AUTH_REQUIRED');
});
