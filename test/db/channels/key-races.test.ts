import test, { type ExecutionContext } from 'ava';
import { gatewayScopesOf, type Scope } from '../../../contract/identity/scopes.ts';
import { ensureChannelToken } from '../../../db/channels/tokens.ts';
import { type ApiKeyChange, changeApiKey, insertApiKey, revokeApiKey } from '../../../db/organizations/api-keys.ts';
import { insertWorkspace } from '../../../db/organizations/workspaces.ts';
import { testAudit } from '../../harness/audit.ts';
import { opened, tokenKeys } from '../../harness/channels/channel-tokens.ts';
import { testDatabase } from '../../harness/database/database.ts';
import { aChannel, aTenant } from '../../harness/tenants.ts';

const wide: readonly Scope[] = ['channel.reveal', 'channel.read', 'message.send'];

async function stage(t: ExecutionContext) {
  const { db, another } = await testDatabase(t);
  const other = another();
  const { organization, user, workspace } = await aTenant(db);
  const channel = await aChannel(db, workspace);
  const elsewhere = await insertWorkspace(db, { organizationId: organization.id, name: 'Else', kind: 'team' });
  const keys = await tokenKeys(db);
  const owner = { organizationId: organization.id, userId: user.id, name: 'CI', ownedByOrganization: true };
  const aKey = async () =>
    await insertApiKey(db, keys, { ...owner, scopes: wide, workspaceIds: [workspace.id, elsewhere.id] });
  /** With the rights that the caller had when its request was authenticated. */
  const mint = async (connection: typeof db, apiKeyId: number) => {
    const holder = { apiKeyId, scopes: gatewayScopesOf(wide) };
    const asked = { channelId: channel.id, channelPublicId: channel.publicId, holder, audit: testAudit };
    return (await ensureChannelToken(connection, keys, asked))!.token;
  };
  const change = (connection: typeof db, publicId: string, changes: Partial<ApiKeyChange>) =>
    connection.transaction((trx) => changeApiKey(trx, { organizationId: organization.id, publicId, ...changes }));
  return { db, other, organization, user, workspace, elsewhere, aKey, mint, change };
}

for (const order of ['before', 'after'] as const) {
  test(`a token minted ${order} its key is narrowed has narrow rights`, async (t) => {
    const { db, other, workspace, elsewhere, aKey, mint, change } = await stage(t);
    const race = async (changes: Partial<ApiKeyChange>) => {
      const { id, publicId } = await aKey();
      if (order === 'after') {
        await change(other, publicId, changes);
        return await mint(db, id);
      }
      return await db.transaction(async (trx) => {
        const token = await mint(trx, id);
        // The other connection can't see the uncommitted token.
        t.is(await change(other, publicId, changes), 'changed');
        return token;
      });
    };
    const narrow = await race({ scopes: ['channel.reveal', 'channel.read'], workspaceIds: [workspace.id] });
    t.deepEqual((await opened(db, narrow))?.scopes, ['channel.read']);
    t.is(await opened(db, await race({ workspaceIds: [elsewhere.id] })), undefined);
    t.is(await opened(db, await race({ expiresAt: new Date(Date.now() - 1) })), undefined);
    t.deepEqual((await opened(db, await race({ scopes: [] })))?.scopes, []);
  });

  test(`a token minted ${order} its key is revoked opens nothing`, async (t) => {
    const { db, other, organization, aKey, mint } = await stage(t);
    const { id, publicId } = await aKey();
    const revoke = () => revokeApiKey(other, { organizationId: organization.id, publicId });
    if (order === 'after') await revoke();
    const token = await mint(db, id);
    if (order === 'before') await revoke();
    t.is(await opened(db, token), undefined);
  });
}

test("an agent's token follows the role of its person", async (t) => {
  const { db, organization, user, workspace, mint } = await stage(t);
  const keys = await tokenKeys(db);
  const { id } = await insertApiKey(db, keys, {
    organizationId: organization.id,
    userId: user.id,
    name: 'Agent',
    scopes: wide,
  });
  const token = await mint(db, id);
  t.truthy(await opened(db, token));
  const member = { organization_id: organization.id, user_id: user.id };
  await db('organization_members').where(member).update({ role: 'member' });
  await db('workspace_members').where({ user_id: user.id }).delete();
  t.is(await opened(db, token), undefined);
  await db('workspace_members').insert({ workspace_id: workspace.id, user_id: user.id, role: 'member' });
  t.is(await opened(db, token), undefined, 'a member cannot read tokens');
  await db('workspace_members').update({ role: 'developer' });
  t.deepEqual((await opened(db, token))?.scopes, gatewayScopesOf(wide));
  await db('organization_members').where(member).delete();
  t.is(await opened(db, token), undefined);
});
