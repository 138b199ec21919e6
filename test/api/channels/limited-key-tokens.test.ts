import test, { type ExecutionContext } from 'ava';
import { gatewayScopes } from '../../../contract/identity/scopes.ts';
import { moveChannel } from '../../../db/channels/move-channel.ts';
import { insertWorkspace } from '../../../db/organizations/workspaces.ts';
import { tenantStage } from '../../harness/api/stages.ts';
import { opened, rotating } from '../../harness/channels/channel-tokens.ts';
import { aSession } from '../../harness/people/sessions.ts';
import { aChannel, testSecretBox } from '../../harness/tenants.ts';

const inAYear = () => new Date(Date.now() + 31_536_000_000).toISOString();

async function aStage(t: ExecutionContext) {
  const api = await tenantStage(t, { starts: rotating });
  const { db, call, tenant, organization, user, workspace } = api;
  const other = await insertWorkspace(db, { organizationId: organization.id, name: 'Other', kind: 'team' });
  const channel = await aChannel(db, workspace);
  const { accessToken } = await aSession(db, user);
  const keys = `/organizations/${organization.publicId}/keys`;
  const make = async (limits: object) => {
    const { body } = await call(`POST ${keys}`, { key: accessToken, body: { name: 'CI', ...limits } });
    return { keyId: body.keyId, at: { key: body.apiKey, workspace: workspace.publicId } };
  };
  const path = `/platform/channels/${channel.publicId}/token`;
  const tokenOf = async (at: object) => (await call(`GET ${path}`, at)).body;
  const move = (from: typeof workspace, to: typeof workspace) =>
    db.transaction((trx) =>
      moveChannel(trx, testSecretBox, { channelId: channel.id, fromWorkspaceId: from.id, toWorkspaceId: to.id }),
    );
  return { ...api, other, channel, make, tokenOf, path, move, at: { key: tenant.apiKey } };
}

test('a key with any limit gets its own channel token', async (t) => {
  const { make, tokenOf, workspace, at } = await aStage(t);
  const limits = [
    { workspaceIds: [workspace.publicId] },
    { allowedCidrs: ['0.0.0.0/0', '::/0'] },
    { expiresAt: inAYear() },
  ];
  const shared = await tokenOf({ ...at, workspace: workspace.publicId });
  t.like(shared, { scopes: null, expiresAt: null });
  t.is((await tokenOf((await make({})).at)).token, shared.token);
  for (const limit of limits) {
    const { at: limited } = await make(limit);
    const own = await tokenOf(limited);
    t.not(own.token, shared.token);
    t.like(own, { scopes: [...gatewayScopes], expiresAt: limit.expiresAt ?? null });
    t.is((await tokenOf(limited)).token, own.token, 'the token is stable');
  }
});

test('the token of a key opens its channel until the key ends', async (t) => {
  const { db, make, tokenOf, call, path } = await aStage(t);
  const { keyId, at } = await make({
    scopes: ['channel.reveal', 'channel.manage', 'message.send'],
    expiresAt: inAYear(),
  });
  const { token } = await tokenOf(at);
  const rotated = (await call(`POST ${path}/rotate`, { ...at, body: {} })).body.token;
  const { token: full } = await tokenOf((await make({ expiresAt: inAYear() })).at);
  for (const each of [token, rotated, full]) t.truthy(await opened(db, each));
  const past = { expires_at: new Date(Date.now() - 1) };
  await db('api_keys').where({ public_id: keyId }).update(past);
  for (const each of [token, rotated]) t.is(await opened(db, each), undefined);
  t.truthy(await opened(db, full));
  await db('api_keys').update({ ...past, revoked_at: new Date() });
  t.is(await opened(db, full), undefined);
});

test('the token of a key opens no channel outside its workspaces', async (t) => {
  const { db, make, tokenOf, move, workspace, other, at } = await aStage(t);
  const here = await make({ workspaceIds: [workspace.publicId] });
  const both = await make({
    scopes: ['channel.reveal', 'channel.read'],
    workspaceIds: [workspace.publicId, other.publicId],
  });
  const limited = (await tokenOf(here.at)).token;
  const wide = (await tokenOf(both.at)).token;
  const { token: shared } = await tokenOf({ ...at, workspace: workspace.publicId });
  await move(workspace, other);
  t.is(await opened(db, limited), undefined);
  for (const each of [wide, shared]) t.truthy(await opened(db, each));
  await move(other, workspace);
  t.truthy(await opened(db, limited));
});

test('rotating the token of a key without scopes keeps all of them', async (t) => {
  const { db, make, call, path, workspace } = await aStage(t);
  const { at } = await make({ workspaceIds: [workspace.publicId] });
  const { body } = await call(`POST ${path}/rotate`, { ...at, body: {} });
  t.deepEqual(body.scopes, [...gatewayScopes]);
  t.deepEqual((await opened(db, body.token))?.scopes, [...gatewayScopes]);
});
