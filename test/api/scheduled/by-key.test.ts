import test, { type ExecutionContext } from 'ava';
import { insertApiKey } from '../../../db/organizations/api-keys.ts';
import type { User } from '../../../db/people/users.ts';
import { fieldsOf } from '../../harness/fields-of.ts';
import { tokenKeys } from '../../harness/channels/channel-tokens.ts';
import { untilBlockedByLock } from '../../harness/deliveries/hot-ledger.ts';
import { revealStage } from '../../harness/reveals/reveal-stage.ts';
import { aScheduledMessage, aScheduledPost } from '../../harness/scheduled/scheduled.ts';
import { aChannel, aTenant } from '../../harness/tenants.ts';

const HOUR_MS = 3_600_000;
const inHours = (hours: number): Date => new Date(Date.now() + hours * HOUR_MS);

interface Listed {
  readonly id: string;
  readonly kind: string;
  readonly outcome?: string;
}

async function keyStage(t: ExecutionContext) {
  const stage = await revealStage(t);
  const { db, tenant, channel, org, sessionOf } = stage;
  const { organization, workspace, user } = tenant;
  const owner = { organizationId: organization.id, userId: user.id };
  const { publicId: keyId, token } = await insertApiKey(db, await tokenKeys(db), {
    ...owner,
    name: 'Campaigns',
    scopes: null,
  });
  const place = { channel, workspace };
  const message = async (createdBy: string, hours = 1, at = place) =>
    (await aScheduledMessage(db, { ...at, createdBy, dueAt: inHours(hours) })).publicId;
  const post = async (createdBy: string, hours = 2) =>
    (await aScheduledPost(db, { ...place, createdBy, dueAt: inHours(hours) })).publicId;
  return { ...stage, keyId, token, key: `${org}/keys/${keyId}`, admin: await sessionOf(user), message, post };
}

const idsOf = (records: readonly Listed[]): string[] => records.map(({ id }) => id);
const outcomesOf = (records: readonly Listed[]) => records.map(({ id, outcome }) => [id, outcome]);

test('what a key has scheduled is listed, the first due first', async (t) => {
  const { db, call, tenant, channel, key, keyId, admin, message, post } = await keyStage(t);
  const later = await message(keyId, 3);
  const soon = await message(keyId, 1);
  const own = await post(keyId);
  await message('key_other001');
  await post(tenant.user.publicId);
  await db('scheduled')
    .where({ public_id: await message(keyId) })
    .update({ status: 'sending' });

  const { status, body } = await call(`GET ${key}/scheduled`, admin);

  t.is(status, 200);
  t.deepEqual(idsOf(body.scheduled), [soon, own, later]);
  t.like(body, { messageCount: 2, postCount: 1 });
  t.like(body.scheduled[1], {
    kind: 'post',
    channelId: channel.publicId,
    workspaceId: tenant.workspace.publicId,
  });
});

test('what a revoked key has scheduled is cancelled once', async (t) => {
  const { db, call, refused, org, key, keyId, token, admin, message, post } = await keyStage(t);
  const sm = await message(keyId);
  const sp = await post(keyId);
  const kept = await message('key_other001');
  t.is((await call(`DELETE ${key}`, admin)).status, 204);
  await refused('AUTH_REQUIRED', `GET ${org}/workspaces`, { key: token });
  t.deepEqual(idsOf((await call(`GET ${key}/scheduled`, admin)).body.scheduled), [sm, sp]);

  const { body } = await call(`POST ${key}/cancel-scheduled`, admin);

  t.deepEqual(outcomesOf(body.cancellations), [
    [sm, 'cancelled'],
    [sp, 'cancelled'],
  ]);
  t.is(body.remaining, 0);
  const empty = { scheduled: [], messageCount: 0, postCount: 0 };
  t.deepEqual((await call(`GET ${key}/scheduled`, admin)).body, empty);
  t.deepEqual((await call(`POST ${key}/cancel-scheduled`, admin)).body, { cancellations: [], remaining: 0 });
  const entries = await db('audit_entries').whereIn('target_id', [sm, sp]).whereLike('action', '%.cancelled');
  t.deepEqual(fieldsOf(entries, 'action').toSorted(), ['scheduledMessage.cancelled', 'scheduledPost.cancelled']);
  for (const entry of entries) t.truthy(entry.organization_id && entry.workspace_id);
  t.is((await db('scheduled').where({ public_id: kept }).first()).status, 'scheduled');
});

test('a message whose send begins meanwhile is too late', async (t) => {
  const { db, call, key, keyId, admin, message } = await keyStage(t);
  const sm = await message(keyId);
  const sending = await db.transaction();
  await sending('scheduled').where({ public_id: sm }).update({ status: 'sending' });
  const answer = call(`POST ${key}/cancel-scheduled`, admin);
  await untilBlockedByLock(db);
  await sending.commit();
  t.deepEqual(outcomesOf((await answer).body.cancellations), [[sm, 'too_late']]);
});

test('one request cancels a bounded number and counts the rest', async (t) => {
  const { call, key, keyId, admin, message } = await keyStage(t);
  for (let count = 0; count < 101; count += 1) await message(keyId, 1 + count);
  const listed = (await call(`GET ${key}/scheduled`, admin)).body;
  t.deepEqual([listed.scheduled.length, listed.messageCount], [100, 101]);
  const cancel = async () => (await call(`POST ${key}/cancel-scheduled`, admin)).body;
  const first = await cancel();
  t.deepEqual([first.cancellations.length, first.remaining], [100, 1]);
  const second = await cancel();
  t.deepEqual([second.cancellations.length, second.remaining], [1, 0]);
});

test("a person cancels what a revoked agent's credential has scheduled", async (t) => {
  const { call, org, tenant, admin, agentOf, inWorkspace, sessionOf, message, post } = await keyStage(t);
  const developer = await inWorkspace('developer');
  const agent = await agentOf(developer, ['message.send']);
  const sm = await message(agent.credentialId);
  const sp = await post(agent.credentialId);
  const path = `/agent/credentials/${agent.credentialId}`;
  const session = async (user: User) => ({ headers: (await sessionOf(user)).headers });
  const own = await session(developer);
  const { keys } = (await call(`GET ${org}/keys`, admin)).body;
  const { keyId } = keys.find((one: { agentCredentialId: string }) => one.agentCredentialId === agent.credentialId);
  t.is((await call(`DELETE ${path}`, own)).status, 204);

  for (const reader of [own, await session(tenant.user), { key: tenant.apiKey }])
    t.deepEqual(idsOf((await call(`GET ${path}/scheduled`, reader)).body.scheduled), [sm, sp]);
  t.deepEqual(idsOf((await call(`GET ${org}/keys/${keyId}/scheduled`, admin)).body.scheduled), [sm, sp]);

  t.deepEqual(outcomesOf((await call(`POST ${path}/cancel-scheduled`, own)).body.cancellations), [
    [sm, 'cancelled'],
    [sp, 'cancelled'],
  ]);
});

test('a person cancels nothing in workspaces that they have left', async (t) => {
  const { db, call, tenant, agentOf, inWorkspace, sessionOf, message } = await keyStage(t);
  const developer = await inWorkspace('developer');
  const agent = await agentOf(developer, ['message.send']);
  const sm = await message(agent.credentialId);
  await db('workspace_members').where({ user_id: developer.id }).delete();
  const path = `/agent/credentials/${agent.credentialId}`;
  const { headers } = await sessionOf(developer);
  t.like((await call(`GET ${path}/scheduled`, { headers })).body, { scheduled: [], messageCount: 0 });
  t.deepEqual((await call(`POST ${path}/cancel-scheduled`, { headers })).body, { cancellations: [], remaining: 0 });
  t.deepEqual(idsOf((await call(`GET ${path}/scheduled`, { key: tenant.apiKey })).body.scheduled), [sm]);
});

test('what a key has scheduled for another tenant is not listed', async (t) => {
  const { db, call, key, keyId, admin, message } = await keyStage(t);
  const theirs = await aTenant(db);
  await message(keyId, 1, { channel: await aChannel(db, theirs.workspace), workspace: theirs.workspace });
  t.deepEqual((await call(`GET ${key}/scheduled`, admin)).body.scheduled, []);
});
