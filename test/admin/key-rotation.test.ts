import { randomBytes } from 'node:crypto';
import test from 'ava';
import type { Knex } from 'knex';
import { commands } from '../../admin/commands.ts';
import type { KeyDependency } from '../../db/upkeep/key-dependencies.ts';
import { createBodyBox } from '../../db/core/body-box.ts';
import { createSecretBox, type RingKey } from '../../db/core/secret-box.ts';
import { createSigningRing } from '../../db/core/signing-keys.ts';
import { adminDeps } from '../harness/admin-deps.ts';
import { testApi } from '../harness/api/api.ts';
import { aSession } from '../harness/people/sessions.ts';
import { aChannel, aTenant } from '../harness/tenants.ts';

const oldKey: RingKey = { id: 'test', bytes: Buffer.alloc(32, 7) }; // the key of the test harness
const newKey: RingKey = { id: 'new', bytes: randomBytes(32) };

function ring(db: Knex, keys: readonly RingKey[]) {
  const secretBox = createSecretBox(keys);
  const signingRing = createSigningRing(keys);
  const deps = adminDeps(db, {
    secretBox: () => secretBox,
    signingRing: () => signingRing,
    bodyBox: () => createBodyBox({ keys, encryptsBodies: false }),
  });
  const reencrypt = async () =>
    (await commands['reencrypt']!.run(deps, [])) as { oldKeys: Record<string, KeyDependency> };
  return { secretBox, signingRing, reencrypt };
}

test('reencrypt reports refresh tokens that depend on an old key', async (t) => {
  const { db } = await testApi(t);
  const { user, workspace } = await aTenant(db);
  await aChannel(db, workspace);
  const sessions = [await aSession(db, user), await aSession(db, user)];
  const { reencrypt, ...keys } = ring(db, [newKey, oldKey]);
  const before = (await reencrypt()).oldKeys;
  t.like(before, { test: { sealedCount: 0, refreshTokenCount: 2, mailCodeCount: 0 } });
  t.deepEqual(before['test']?.refreshTokensExpireAt, (await db('sessions').max('expires_at as at').first())?.['at']);

  const rotated = await testApi(t, { db, ...keys }); // test databases share their salt
  for (const { refreshToken } of sessions) {
    const { status, body } = await rotated.call('POST /auth/refresh', { body: { refreshToken } });
    t.is(status, 200);
    t.is((await rotated.call('GET /auth/session', { key: body.accessToken })).status, 200);
  }
  const none = { sealedCount: 0, refreshTokenCount: 0, refreshTokensExpireAt: null, mailCodeCount: 0 };
  t.deepEqual((await reencrypt()).oldKeys, { test: none });
});

test('reencrypt names a key that was removed too early', async (t) => {
  const { db } = await testApi(t);
  const { user } = await aTenant(db);
  await aSession(db, user);
  await db('api_keys').delete();
  const { oldKeys } = await ring(db, [newKey]).reencrypt();
  t.like(oldKeys, { test: { refreshTokenCount: 1 } });
});

test('removing a key invalidates its tokens but not cookie sessions', async (t) => {
  const { db } = await testApi(t);
  const { user } = await aTenant(db);
  const { accessToken, refreshToken, headers } = await aSession(db, user);
  const { reencrypt, ...keys } = ring(db, [newKey, oldKey]);
  await reencrypt();
  const both = await testApi(t, { db, ...keys });
  t.is((await both.call('GET /auth/session', { key: accessToken })).status, 200);
  const { secretBox, signingRing } = ring(db, [newKey]);
  const removed = await testApi(t, { db, secretBox, signingRing });
  await removed.refused('AUTH_REQUIRED', 'GET /auth/session', { key: accessToken });
  await removed.refused('AUTH_REQUIRED', 'POST /auth/refresh', { body: { refreshToken } });
  t.is((await removed.call('GET /auth/session', { headers })).status, 200);
});
