import test from 'ava';
import { createLastUsed } from '../../../api/requests/last-used.ts';
import { createLog } from '../../../process/log.ts';
import { fieldsOf } from '../../harness/fields-of.ts';
import { tenantStage } from '../../harness/api/stages.ts';
import { type testApi } from '../../harness/api/api.ts';
import { aSession } from '../../harness/people/sessions.ts';
import { aKey, aTenant } from '../../harness/tenants.ts';

const log = createLog({ name: 'test', level: 'silent' });

async function anAdmin(...[t, others]: Parameters<typeof testApi>) {
  const api = await tenantStage(t, others);
  const { tenant } = api;
  await api.db('api_keys').delete();
  const { accessToken: key } = await aSession(api.db, tenant.user);
  return { ...api, key, route: `/organizations/${tenant.organization.publicId}/keys` };
}

test('a key is created, works, and is listed masked', async (t) => {
  const { call, organization, key, route } = await anAdmin(t);
  const created = await call(`POST ${route}`, { key, body: { name: ' CI ' } });
  t.is(created.status, 201);
  const { keyId, apiKey } = created.body;
  t.like(created.body, { organizationPublicId: organization.publicId, name: 'CI', expiresAt: null });
  t.regex(apiKey, /^hmok_[\w-]{43}$/);
  t.is((await call(`GET /organizations/${organization.publicId}`, { key: apiKey })).status, 200);

  const listed = (await call(`GET ${route}`, { key })).body;
  t.deepEqual(listed, {
    keys: [
      {
        keyId,
        agentCredentialId: null,
        name: 'CI',
        keyPrefix: apiKey.slice(0, 14),
        keySuffix: apiKey.slice(-4),
        scopes: null,
        workspaceIds: null,
        allowedCidrs: null,
        createdAt: created.body.createdAt,
        expiresAt: null,
        lastUsedAt: null,
      },
    ],
    nextCursor: null,
  });
});

test('revealing and revoking a key is audited with its actor', async (t) => {
  const { call, refused, db, organization, key, route } = await anAdmin(t);
  const { keyId, apiKey } = (await call(`POST ${route}`, { key, body: { name: 'CI' } })).body;
  t.deepEqual((await call(`POST ${route}/${keyId}/reveal`, { key })).body, { keyId, apiKey });
  t.is((await call(`DELETE ${route}/${keyId}`, { key })).status, 204);
  await refused('AUTH_REQUIRED', `GET /organizations/${organization.publicId}`, { key: apiKey });
  await refused('CREDENTIAL_NOT_FOUND', `DELETE ${route}/${keyId}`, { key });
  await refused('CREDENTIAL_NOT_FOUND', `POST ${route}/${keyId}/reveal`, { key });
  t.deepEqual((await call(`GET ${route}`, { key })).body.keys, []);

  const audit = await db('audit_entries').orderBy('id');
  t.deepEqual(fieldsOf(audit, 'action', 'target_id'), [
    ['apiKey.created', keyId],
    ['apiKey.revealed', keyId],
    ['apiKey.revoked', keyId],
  ]); // prettier-ignore
  t.true(audit.every((entry) => entry.organization_id === organization.id && entry.actor_type === 'user'));
  t.false(JSON.stringify(audit).includes(apiKey));
});

test('a key requires a name of one line', async (t) => {
  const { call, refused, key, route } = await anAdmin(t);
  for (const name of ['', ' ', 'x'.repeat(201), 'a\u0000b', 'a\nb', 7, undefined]) {
    await refused('VALIDATION_ERROR', `POST ${route}`, { key, body: { name } });
  }
  await refused('VALIDATION_ERROR', `POST ${route}`, { key, body: { name: 'CI', scopes: [] } });
  t.is((await call(`POST ${route}`, { key, body: { name: 'Ünïcode 😀' } })).body.name, 'Ünïcode 😀');
});

test('a key may expire, but only in the future', async (t) => {
  const { call, refused, db, organization, key, route } = await anAdmin(t);
  const expiresAt = '2999-01-01T02:00:00+02:00';
  const { body } = await call(`POST ${route}`, { key, body: { name: 'CI', expiresAt } });
  t.is(body.expiresAt, '2999-01-01T00:00:00.000Z');
  t.is((await call(`GET ${route}`, { key })).body.keys[0].expiresAt, body.expiresAt);
  for (const wrong of [new Date(Date.now() - 1).toISOString(), '2999-01-01', 'tomorrow', 32_503_680_000, null]) {
    await refused('VALIDATION_ERROR', `POST ${route}`, { key, body: { name: 'CI', expiresAt: wrong } });
  }
  await db('api_keys').update({ expires_at: new Date(Date.now() - 1) });
  await refused('AUTH_REQUIRED', `GET /organizations/${organization.publicId}`, { key: body.apiKey });
  t.is((await call(`GET ${route}`, { key })).body.keys.length, 1);
});

test('keys are paged newest first, even past a revoked key', async (t) => {
  const { call, refused, key, route } = await anAdmin(t);
  for (const name of ['one', 'two', 'three']) await call(`POST ${route}`, { key, body: { name } });
  const first = (await call(`GET ${route}?limit=2`, { key })).body;
  t.deepEqual(first.keys.map(({ name }: { name: string }) => name), ['three', 'two']); // prettier-ignore
  await call(`DELETE ${route}/${first.nextCursor}`, { key });
  const second = (await call(`GET ${route}?limit=2&cursor=${first.nextCursor}`, { key })).body;
  t.deepEqual(second.keys.map(({ name }: { name: string }) => name), ['one']); // prettier-ignore
  t.is(second.nextCursor, null);
  await refused('VALIDATION_ERROR', `GET ${route}?cursor=key_00000000`, { key });
});

test("a cursor of another organization's key is refused", async (t) => {
  const { refused, db, key, route } = await anAdmin(t);
  await aTenant(db);
  const { public_id: theirs } = await db('api_keys').orderBy('id', 'desc').first('public_id');
  await refused('VALIDATION_ERROR', `GET ${route}?cursor=${theirs}`, { key });
});

test("an agent's key is listed and revocable but never revealed", async (t) => {
  const { call, refused, db, organization, user, key, route } = await anAdmin(t);
  const token = await aKey(db, { organization, user, scopes: ['channel.read'] });
  const [listed] = (await call(`GET ${route}`, { key })).body.keys;
  t.deepEqual(listed.scopes, ['channel.read']);
  await refused('FORBIDDEN', `POST ${route}/${listed.keyId}/reveal`, { key });
  t.is((await call(`DELETE ${route}/${listed.keyId}`, { key })).status, 204);
  await refused('AUTH_REQUIRED', 'GET /auth/session', { key: token });
});

test('key uses are stored together; older ones never overwrite newer', async (t) => {
  const touched: string[] = [];
  const lastUsed = { touch: (id: string) => void touched.push(id), flush: async () => {}, stop: async () => {} };
  const { call, db, key, route } = await anAdmin(t, { lastUsed });
  const { keyId, apiKey } = (await call(`POST ${route}`, { key, body: { name: 'CI' } })).body;
  await call('GET /auth/session', { key: apiKey });
  t.deepEqual(touched, [keyId]);

  const uses = createLastUsed({ db, log });
  t.teardown(() => uses.stop());
  uses.touch(keyId);
  uses.touch('key_00000000');
  t.is((await call(`GET ${route}`, { key })).body.keys[0].lastUsedAt, null);
  await uses.flush();
  const { lastUsedAt } = (await call(`GET ${route}`, { key })).body.keys[0];
  t.true(Math.abs(Date.now() - Date.parse(lastUsedAt)) < 600_000);

  const later = new Date(Date.now() + 3_600_000);
  await db('api_keys').where({ public_id: keyId }).update({ last_used_at: later });
  uses.touch(keyId);
  await uses.stop();
  t.is((await call(`GET ${route}`, { key })).body.keys[0].lastUsedAt, later.toISOString());
});
