import { randomBytes } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { commands } from '../../admin/commands.ts';
import type { AdminDeps } from '../../admin/commands/deps.ts';
import { UsageError } from '../../admin/commands/options.ts';
import { readConfig } from '../../process/config.ts';
import { migrationNames } from '../../db/migrate.ts';
import { createSecretBox } from '../../db/core/secret-box.ts';
import { createSigningRing } from '../../db/core/signing-keys.ts';
import { readWebhookSecret } from '../../db/webhooks/secrets.ts';
import { testApi } from '../harness/api/api.ts';
import { emptyDatabase, testDatabase } from '../harness/database/database.ts';
import { recordedActs } from '../harness/api/recorded-acts.ts';
import { testBodyBox, testSecretBox, testSigningRing } from '../harness/tenants.ts';

function adminDeps(t: ExecutionContext, db: AdminDeps['db'], input = ''): AdminDeps {
  const reading = readConfig({});
  if (!reading.ok) return t.fail(reading.problems.join());
  return {
    db,
    config: reading.config,
    secretBox: () => testSecretBox,
    signingRing: () => testSigningRing,
    bodyBox: () => testBodyBox,
    readInput: () => Promise.resolve(input),
  };
}

const run = (name: string, deps: AdminDeps, ...args: string[]): Promise<any> => commands[name]!.run(deps, args); // eslint-disable-line @typescript-eslint/no-explicit-any -- each command's own shape

test('migrate applies all migrations once', async (t) => {
  const { db } = await emptyDatabase(t);
  const deps = adminDeps(t, db);
  t.deepEqual(await run('migrate', deps), { applied: [...migrationNames] });
  t.deepEqual(await run('migrate', deps), { applied: [] });
});

test('the key of a new organization works immediately', async (t) => {
  const { db, call } = await testApi(t);
  const deps = adminDeps(t, db, 'platform-token');
  const { organizationId, userId, apiKey: key } = await run(
    'create-organization', deps, '--name', 'Acme', '--admin-email', 'Ann@Example.com',
  ); // prettier-ignore
  t.regex(userId, /^usr_/);
  const { workspaceId } = await run('create-workspace', deps, '--organization', organizationId, '--name', 'Team');
  const { channelId } = await run(
    'connect-channel', deps, '--workspace', workspaceId, '--type', 'photoapp', '--resource-id', '77', '--name', 'Photos',
  ); // prettier-ignore
  const { body } = await call(`GET /platform/channels/${channelId}`, { key, workspace: workspaceId });
  t.like(body, { type: 'photoapp', metaResourceId: '77', displayName: 'Photos', connected: true });
  t.like(await db('users').first(), { email: 'ann@example.com' });
});

test('adding admins, staff and keys records the operator in the audit log', async (t) => {
  const { db, call } = await testApi(t);
  const deps = adminDeps(t, db);
  const { organizationId } = await run(
    'create-organization', deps, '--name', 'Acme', '--admin-email', 'ann@example.com',
  ); // prettier-ignore
  const added = await run('add-admin', deps, '--organization', organizationId, '--email', 'Bob@Example.com');
  t.like(added, { organizationId, email: 'bob@example.com', role: 'admin' });
  t.deepEqual(await run('add-admin', deps, '--organization', organizationId, '--email', 'bob@example.com'), added);
  const staff = await run('create-staff', deps, '--email', 'sue@example.com');
  t.like(await db('users').where({ is_staff: true }).first(), { public_id: staff.userId, email: 'sue@example.com' });
  const key = await run('create-key', deps, '--organization', organizationId, '--name', 'CI');
  t.is((await call(`GET /organizations/${organizationId}`, { key: key.apiKey })).body.name, 'Acme');
  const bobs = await run(
    'create-key',
    deps,
    '--organization',
    organizationId,
    '--name',
    'B',
    '--email',
    'bob@example.com',
  );
  t.like(await db('api_keys').where({ public_id: bobs.keyId }).first(), { name: 'B', scopes: null });
  t.deepEqual(await recordedActs(db), [
    'organization.created', 'member.added', 'apiKey.created', 'member.added', 'member.added', 'staff.created',
    'apiKey.created', 'apiKey.created',
  ]); // prettier-ignore
  t.is((await db('audit_entries').whereNot({ actor_type: 'system', actor_id: 'admin' })).length, 0);
});

test('a staff key requires staff and ends on revocation or removal', async (t) => {
  const { db, call, refused } = await testApi(t);
  const deps = adminDeps(t, db);
  const reading = '/staff/audit-entries?reason=test';
  const keyOf = ['create-staff-key', deps, '--email', 'Sue@example.com'] as const;
  await t.throwsAsync(run(...keyOf), { instanceOf: UsageError, message: /create-staff first/ });
  await run('create-staff', deps, '--email', 'sue@example.com');
  const made = await run(...keyOf, '--expires-in-days', 'never');
  const dated = await run(...keyOf, '--expires', '2999-12-31');
  t.like(made, { email: 'sue@example.com', expiresAt: null });
  t.is(dated.expiresAt, '2999-12-31T00:00:00.000Z');
  for (const given of ['soon', '2001-01-01', '2001-01-01T00:00:00Z']) {
    await t.throwsAsync(run(...keyOf, '--expires', given), { instanceOf: UsageError, message: /--expires/ });
  }
  for (const { staffKey: key } of [made, dated]) t.is((await call(`GET ${reading}`, { key })).status, 200);
  await run('revoke-staff-key', deps, '--key', made.keyId);
  await refused('AUTH_REQUIRED', `GET ${reading}`, { key: made.staffKey });
  await t.throwsAsync(run('revoke-staff-key', deps, '--key', made.keyId), { instanceOf: UsageError });
  await run('remove-staff', deps, '--email', 'sue@example.com');
  await refused('AUTH_REQUIRED', `GET ${reading}`, { key: dated.staffKey });
  const searched = Array<string>(2).fill('auditEntry.searched');
  const added = ['staff.created', 'staffKey.created', 'staffKey.created'];
  const acts = [...added, ...searched, 'staffKey.revoked', 'staff.removed'];
  t.deepEqual(await recordedActs(db), acts);
  t.false(JSON.stringify(await db('staff_keys')).includes(dated.staffKey));
});

test('a staff key expires after 90 days by default', async (t) => {
  const { db } = await testDatabase(t);
  const deps = adminDeps(t, db);
  await run('create-staff', deps, '--email', 'sue@example.com');
  const keyOf = ['create-staff-key', deps, '--email', 'sue@example.com'] as const;
  const daysOf = ({ expiresAt }: { expiresAt: string }) =>
    Math.round((Date.parse(expiresAt) - Date.now()) / 86_400_000);
  t.is(daysOf(await run(...keyOf)), 90);
  t.is(daysOf(await run(...keyOf, '--expires-in-days', '7')), 7);
  t.is((await run(...keyOf, '--expires-in-days', 'never')).expiresAt, null);
  for (const given of ['0', '-1', '1.5', '3651', '99999', 'Never', '']) {
    await t.throwsAsync(run(...keyOf, '--expires-in-days', given), { instanceOf: UsageError }, given);
  }
  const both = ['--expires', '2999-12-31', '--expires-in-days', '7'];
  await t.throwsAsync(run(...keyOf, ...both), { instanceOf: UsageError, message: /not both/ });
});

test('list-staff-keys shows the expiry of each active key', async (t) => {
  const { db } = await testDatabase(t);
  const deps = adminDeps(t, db);
  await run('create-staff', deps, '--email', 'sue@example.com');
  const keyOf = ['create-staff-key', deps, '--email', 'sue@example.com'] as const;
  const [dated, endless, revoked] = [
    await run(...keyOf),
    await run(...keyOf, '--expires-in-days', 'never'),
    await run(...keyOf),
  ];
  await run('revoke-staff-key', deps, '--key', revoked.keyId);
  const { staffKeys } = await run('list-staff-keys', deps);
  const email = 'sue@example.com';
  t.like(staffKeys, [
    { keyId: dated.keyId, email, expiresAt: new Date(dated.expiresAt) },
    { keyId: endless.keyId, email, expiresAt: null },
  ]);
  t.is(staffKeys.length, 2);
  t.false(JSON.stringify(staffKeys).includes('hmok_'));
});

test('seed-demo creates one staff key in development, none in production', async (t) => {
  const { db, call } = await testApi(t);
  const production = adminDeps(t, db);
  t.is((await run('seed-demo', production)).staffApiKey, null);
  const development = { ...production, config: { ...production.config, deployment: 'development' as const } };
  const { staffApiKey: key } = await run('seed-demo', development);
  t.is((await run('seed-demo', development)).staffApiKey, key);
  t.is((await call('GET /staff/deliveries?reason=test', { key })).status, 200);
  t.is((await db('staff_keys')).length, 1);
});

test('concurrent runs of seed-demo create one demo', async (t) => {
  const { db, call, refused } = await testApi(t);
  const deps = adminDeps(t, db);
  const [demo, again] = await Promise.all([run('seed-demo', deps), run('seed-demo', deps)]);
  t.deepEqual(again, demo);
  const at = { key: demo.apiKey, workspace: demo.workspaceId };
  const photoapp = (await call(`GET /platform/channels/${demo.channels.photoapp.id}`, at)).body;
  t.like(photoapp, { metaResourceId: demo.channels.photoapp.resourceId, linkedChannelId: demo.channels.pageapp.id });
  const customers = await call(`GET /organizations/${demo.organizationId}/workspaces?kind=customer`, at);
  t.is(customers.body.workspaces[0].id, demo.customerWorkspaceId);
  await refused('CHANNEL_NOT_FOUND', `GET /platform/channels/${demo.other.channelId}`, at);
  t.is(
    (await call('GET /platform/channels', { key: demo.other.apiKey, workspace: demo.other.workspaceId })).body.channels
      .length,
    1,
  );
});

test('reencrypt moves every secret to the first key', async (t) => {
  const { db } = await testDatabase(t);
  await run('seed-demo', adminDeps(t, db));
  const fresh = { id: 'fresh', bytes: randomBytes(32) };
  const ring = createSecretBox([fresh, { id: 'test', bytes: Buffer.alloc(32, 7) }]);
  const signingRing = createSigningRing([fresh, { id: 'test', bytes: Buffer.alloc(32, 7) }]);
  const deps = { ...adminDeps(t, db), secretBox: () => ring, signingRing: () => signingRing };
  const { reencrypted } = await run('reencrypt', deps);
  t.like(reencrypted, { 'api_keys.token_encrypted': 2, 'webhook_secrets.secret_encrypted': 4 });
  const channel = await db('channels').first('id', 'public_id');
  const { secret } = await readWebhookSecret(db, createSecretBox([fresh]), {
    channelId: channel.id,
    channelPublicId: channel.public_id,
  });
  t.regex(secret, /^whsec_/);
  t.true(Object.values((await run('reencrypt', deps)).reencrypted).every((count) => count === 0));
});

test('wrong options fail with a usage error', async (t) => {
  const { db } = await testDatabase(t);
  const deps = adminDeps(t, db);
  const wrong = (name: string, ...args: string[]) =>
    t.throwsAsync(run(name, deps, ...args), { instanceOf: UsageError });
  await wrong('create-organization', '--name', 'Acme');
  await wrong('create-organization', '--name', 'Acme', '--admin-email', 'not-an-address');
  await wrong('create-workspace', '--organization', 'org_00000000', '--name', 'Team');
  await wrong('create-workspace', '--organization', 'org_00000000', '--name', 'Team', '--kind', 'other');
  await wrong('add-admin', '--organization', 'org_00000000', '--email', 'ann@example.com');
  await wrong('create-staff', '--email', 'not-an-address');
  await wrong('create-staff-key', '--email', 'not-an-address');
  await wrong('remove-staff', '--email', 'nobody@example.com');
  await wrong('create-key', '--organization', 'org_00000000', '--name', 'CI');
  await wrong('migrate', '--force', 'yes');
});
