import test from 'ava';
import { insertApiKey } from '../../../db/organizations/api-keys.ts';
import { fieldsOf } from '../../harness/fields-of.ts';
import { noTemporal } from '../../harness/api/api.ts';
import { opened, tokenKeys } from '../../harness/channels/channel-tokens.ts';
import { recordedActs } from '../../harness/api/recorded-acts.ts';
import { revealStage } from '../../harness/reveals/reveal-stage.ts';
import { aChannel, aMember, aTenant } from '../../harness/tenants.ts';

const both = ['channel.reveal', 'webhook.manage', 'channel.read'] as const;

test("a revoked agent's reveals remain listed", async (t) => {
  const { call, tenant, channel, agentOf, sessionOf, envPath } = await revealStage(t);
  const agent = await agentOf(tenant.user, both);
  await call(`GET ${envPath}`, agent.at);
  const { headers } = await sessionOf(tenant.user);
  t.is((await call(`DELETE /agent/credentials/${agent.credentialId}`, { headers })).status, 204);

  const { body } = await call(`GET /agent/credentials/${agent.credentialId}/reveals`, { headers });

  t.deepEqual(fieldsOf(body.reveals, 'kind', 'current').toSorted(), [
    ['token', false],
    ['verify_token', true],
    ['webhook_secret', true],
  ]);
  t.like(body.reveals[0], {
    channelId: channel.publicId,
    revealedTo: agent.credentialId,
    revealCount: 1,
    endsAt: null,
  });
  t.is(body.nextCursor, null);
  const first = await call(`GET /agent/credentials/${agent.credentialId}/reveals?limit=2`, { headers });
  const rest = await call(
    `GET /agent/credentials/${agent.credentialId}/reveals?limit=2&cursor=${first.body.nextCursor}`,
    { headers },
  );
  t.deepEqual([...first.body.reveals, ...rest.body.reveals], body.reveals);
});

test('rotating revealed secrets ends tokens and replaces webhook secrets with overlap', async (t) => {
  const { db, call, at, tenant, channel, agentOf, tokenPath, envPath, configPath } = await revealStage(t);
  const agent = await agentOf(tenant.user, both);
  const { values } = (await call(`GET ${envPath}`, agent.at)).body;
  const shared = (await call(`GET ${tokenPath}`, at)).body.token;
  const path = `/agent/credentials/${agent.credentialId}`;
  const rotate = (body: object) => call(`POST ${path}/rotate-revealed`, { ...at, body });

  const { rotations, remaining } = (await rotate({})).body;

  const expected = { channelId: channel.publicId, code: null };
  t.like(rotations[0], { ...expected, kind: 'token', status: 'ended' });
  t.like(rotations[1], { ...expected, kind: 'webhook_secret', status: 'rotated' });
  t.like(rotations[2], { ...expected, kind: 'verify_token', status: 'needs_save', endsAt: null });
  t.is(remaining, 0);
  for (const { endsAt } of rotations.slice(0, 2)) t.true(Date.parse(endsAt) > Date.now() + 3_500_000);
  t.truthy(await opened(db, values.CHATAPP_ACCESS_TOKEN), 'it stays valid for the overlap');
  t.is((await call(`GET ${tokenPath}`, at)).body.token, shared, "the others' token stays");
  t.not((await call(`GET ${configPath}/hmac`, at)).body.hmacSecret, values.WEBHOOK_HMAC_SECRET);
  const { reveals } = (await call(`GET ${path}/reveals`, at)).body;
  t.deepEqual(reveals.filter(({ current }: { current: boolean }) => current).map(kindOf), ['verify_token']);
  t.is(reveals.filter(({ endsAt }: { endsAt: string | null }) => endsAt !== null).length, 2);
  t.deepEqual((await rotate({})).body.rotations.map(kindOf), ['verify_token'], 'no other secret is left');
  const acts = await recordedActs(db);
  for (const act of ['channelToken.ended', 'webhookSecret.rotated']) t.is(acts.filter((one) => one === act).length, 1);
});

const kindOf = ({ kind }: { readonly kind: string }): string => kind;

test('a revealed verify token is current until another is saved', async (t) => {
  const { call, at, tenant, agentOf, configPath } = await revealStage(t);
  const agent = await agentOf(tenant.user, both);
  await call(`GET ${configPath}`, agent.at);
  const isCurrent = async () => {
    const { reveals } = (await call(`GET /agent/credentials/${agent.credentialId}/reveals`, at)).body;
    return reveals[0].current;
  };
  const save = (verifyToken: string) =>
    call(`PUT ${configPath}`, { ...at, body: { webhookUrl: 'https://receiver.example.com/other', verifyToken } });
  await save('token');
  t.true(await isCurrent(), 'the same token was saved again');
  await save('fresh');
  t.false(await isCurrent());
});

test('rotating a revealed verify token replaces it while no webhook is set', async (t) => {
  const { db, call, at, tenant, agentOf } = await revealStage(t);
  const { publicId } = await aChannel(db, tenant.workspace);
  const agent = await agentOf(tenant.user, both);
  const read = async (reader: object) => (await call(`GET /webhook-config/${publicId}`, reader)).body.verifyToken;
  const shown = await read(agent.at);
  const route = `POST /agent/credentials/${agent.credentialId}/rotate-revealed`;
  const { rotations } = (await call(route, { ...at, body: {} })).body;
  t.like(rotations, [{ channelId: publicId, kind: 'verify_token', status: 'rotated', endsAt: null, code: null }]);
  t.not(await read(at), shown);
  t.deepEqual((await call(route, { ...at, body: {} })).body.rotations, []);
  t.true((await recordedActs(db)).includes('verifyToken.rotated'));
});

test("rotating a removed member's reveals replaces the shared token", async (t) => {
  const { db, call, at, org, inWorkspace, sessionOf, tokenPath } = await revealStage(t);
  const developer = await inWorkspace('developer');
  const { token } = (await call(`GET ${tokenPath}`, await sessionOf(developer))).body;
  const member = `${org}/members/${developer.publicId}`;
  t.is((await call(`DELETE ${member}`, at)).status, 204);
  t.is((await call(`GET ${tokenPath}`, at)).body.token, token, 'a removal alone rotates nothing');

  const { reveals } = (await call(`GET ${member}/reveals`, at)).body;
  const { rotations } = (await call(`POST ${member}/rotate-revealed`, { ...at, body: { overlapSeconds: 60 } })).body;

  t.like(reveals[0], { kind: 'token', revealedTo: developer.publicId, current: true });
  t.like(rotations[0], { kind: 'token', status: 'rotated' });
  t.not((await call(`GET ${tokenPath}`, at)).body.token, token);
  t.truthy(await opened(db, token));
});

test('concurrent rotations of a revealed token rotate it once', async (t) => {
  const { db, call, at, org, tenant, tokenPath } = await revealStage(t);
  const { token } = (await call(`GET ${tokenPath}`, at)).body;
  const route = `POST ${org}/members/${tenant.user.publicId}/rotate-revealed`;
  await Promise.all([1, 2, 3].map(() => call(route, { ...at, body: {} })));
  t.is((await db('channel_tokens')).length, 2);
  t.truthy(await opened(db, token));
});

test('a rotation that Temporal refuses fails only for its secret', async (t) => {
  const { call, at, org, tenant, envPath } = await revealStage(t, { temporal: () => noTemporal });
  await call(`GET ${envPath}`, at);
  const route = `POST ${org}/members/${tenant.user.publicId}/rotate-revealed`;
  const { rotations } = (await call(route, { ...at, body: {} })).body;
  t.like(rotations[0], { kind: 'token', status: 'failed', code: 'WORKFLOW_UNAVAILABLE' });
  t.like(rotations[1], { kind: 'webhook_secret', status: 'rotated' });
});

test("a developer may end an agent's token but not rotate secrets", async (t) => {
  const { call, inWorkspace, sessionOf, agentOf, envPath } = await revealStage(t);
  const developer = await inWorkspace('developer');
  const agent = await agentOf(developer, both);
  await call(`GET ${envPath}`, agent.at);
  const route = `POST /agent/credentials/${agent.credentialId}/rotate-revealed`;
  const { rotations } = (await call(route, { ...(await sessionOf(developer)), body: {} })).body;
  t.like(rotations[0], { kind: 'token', status: 'ended' });
  t.like(rotations[1], { kind: 'webhook_secret', status: 'failed', code: 'FORBIDDEN' });
});

test('only the named channels are rotated', async (t) => {
  const { call, at, org, tenant, tokenPath } = await revealStage(t);
  await call(`GET ${tokenPath}`, at);
  const route = `POST ${org}/members/${tenant.user.publicId}/rotate-revealed`;
  const { body } = await call(route, { ...at, body: { channels: ['ch_00000000'] } });
  t.deepEqual(body, { rotations: [], remaining: 0 });
});

test('an admin revokes the keys that a removed admin created', async (t) => {
  const { db, call, refused, at, org, tenant, sessionOf } = await revealStage(t);
  const leaving = await aMember(db, tenant.organization, 'admin');
  const owner = { organizationId: tenant.organization.id, userId: leaving.id };
  const make = async (name: string) => insertApiKey(db, await tokenKeys(db), { ...owner, name, scopes: null });
  const one = await make('one');
  const two = await make('two');
  const session = await sessionOf(tenant.user);
  const shown = await db('api_keys').where({ user_id: tenant.user.id }).first('public_id');
  await call(`POST ${org}/keys/${shown.public_id}/reveal`, await sessionOf(leaving));
  const member = `${org}/members/${leaving.publicId}`;
  await call(`DELETE ${member}`, at);
  t.is((await call(`GET ${tokenOf(org)}`, { key: one.token })).status, 200, 'a removal alone revokes nothing');

  const { keys } = (await call(`GET ${member}/keys`, at)).body;

  t.deepEqual(fieldsOf(keys, 'keyId', 'relation'), [
    [two.publicId, 'made'],
    [one.publicId, 'made'],
    [shown.public_id, 'revealed'],
  ]);
  await refused('FORBIDDEN', `POST ${member}/revoke-keys`, { ...at, body: {} });
  const revoke = async (body: object) => (await call(`POST ${member}/revoke-keys`, { ...session, body })).body;
  t.deepEqual(await revoke({ keyIds: [one.publicId] }), { revokedKeyIds: [one.publicId] });
  t.deepEqual(await revoke({}), { revokedKeyIds: [two.publicId] });
  t.deepEqual(await revoke({ keyIds: [one.publicId] }), { revokedKeyIds: [] });
  await refused('AUTH_REQUIRED', `GET ${tokenOf(org)}`, { key: one.token });
  const foreign = await aTenant(db);
  const theirs = await db('api_keys').where({ user_id: foreign.user.id }).first('public_id');
  await refused('CREDENTIAL_NOT_FOUND', `POST ${member}/revoke-keys`, {
    ...session,
    body: { keyIds: [theirs.public_id] },
  });
  t.is((await recordedActs(db)).filter((act) => act === 'apiKey.revoked').length, 2);
});

const tokenOf = (org: string): string => `${org}/workspaces`;

test('a former member does not see the reveals of their agents', async (t) => {
  const { db, call, refused, at, org, tenant, agentOf, sessionOf } = await revealStage(t);
  const former = await aMember(db, tenant.organization, 'member');
  const own = await agentOf(former, both);
  const session = await sessionOf(former);
  await call(`DELETE ${org}/members/${former.publicId}`, at);
  await refused('CREDENTIAL_NOT_FOUND', `GET /agent/credentials/${own.credentialId}/reveals`, session);
});
