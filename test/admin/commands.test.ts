import { randomBytes } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { commands } from '../../admin/commands.ts';
import type { AdminDeps } from '../../admin/commands/deps.ts';
import { UsageError } from '../../admin/commands/options.ts';
import { migrationNames } from '../../db/migrate.ts';
import { createSecretBox } from '../../db/core/secret-box.ts';
import { createSigningRing } from '../../db/core/signing-keys.ts';
import { readWebhookSecret } from '../../db/webhooks/secrets.ts';
import { adminDeps, type AdminDepsOptions } from '../harness/admin-deps.ts';
import { testApi } from '../harness/api/api.ts';
import { emptyDatabase } from '../harness/database/database.ts';
import { recordedActs } from '../harness/api/recorded-acts.ts';

/** Runs commands like an operator. */
async function stage(t: ExecutionContext, options: AdminDepsOptions = {}) {
  const api = await testApi(t);
  return { ...api, run: runWith(adminDeps(api.db, options)) };
}

/** Words of a line are separated by a space; `more` are taken as they are. */
const runWith =
  (deps: AdminDeps) =>
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- each command's own shape
  (line: string, ...more: readonly string[]): Promise<any> => {
    const [name = '', ...words] = line.split(' ');
    return commands[name]!.run(deps, [...words, ...more]);
  };

test('migrate applies all migrations once', async (t) => {
  const { db } = await emptyDatabase(t);
  const run = runWith(adminDeps(db));
  t.deepEqual(await run('migrate'), { applied: [...migrationNames] });
  t.deepEqual(await run('migrate'), { applied: [] });
});

test('the key of a new organization works immediately', async (t) => {
  const { db, call, run } = await stage(t, { readInput: () => Promise.resolve('platform-token') });
  const created = await run('create-organization --name Acme --admin-email Ann@Example.com');
  const { organizationId, apiKey: key } = created;
  t.regex(created.userId, /^usr_/);
  const { workspaceId } = await run(`create-workspace --organization ${organizationId} --name Team`);
  const { channelId } = await run(
    `connect-channel --workspace ${workspaceId} --type photoapp --resource-id 77 --name Photos`,
  );
  const { body } = await call(`GET /platform/channels/${channelId}`, { key, workspace: workspaceId });
  t.like(body, { type: 'photoapp', metaResourceId: '77', displayName: 'Photos', connected: true });
  t.like(await db('users').first(), { email: 'ann@example.com' });
});

test('the status of an installation needs neither workers nor Temporal', async (t) => {
  const { db, databaseUrl } = await testApi(t);
  const run = runWith(adminDeps(db, { env: { DATABASE_URL: databaseUrl } }));
  const status = await run('status --json');
  t.deepEqual(status.workers, []);
  t.is(status.shards.unservedCount, 256);
  t.true(status.database.connectionCount > 0);
  t.true(['ok', 'unreachable', 'namespace_foreign'].includes(status.temporal.state));
  const text = await run('status');
  t.regex(text, /^Workers\n {2}No worker runs\n/m);
  t.regex(text, /^ {2}Unserved {2,}256 for \d/m);
  t.regex(text, /^ {2}Connections {2,}\d+ of \d+$/m);
});

test('adding admins, staff and keys records the operator in the audit log', async (t) => {
  const { db, call, run } = await stage(t);
  const { organizationId } = await run('create-organization --name Acme --admin-email ann@example.com');
  const added = await run(`add-admin --organization ${organizationId} --email Bob@Example.com`);
  t.like(added, { organizationId, email: 'bob@example.com', role: 'admin' });
  t.deepEqual(await run(`add-admin --organization ${organizationId} --email bob@example.com`), added);
  const staff = await run('create-staff --email sue@example.com');
  t.like(await db('users').where({ is_staff: true }).first(), { public_id: staff.userId, email: 'sue@example.com' });
  const key = await run(`create-key --organization ${organizationId} --name CI`);
  t.is((await call(`GET /organizations/${organizationId}`, { key: key.apiKey })).body.name, 'Acme');
  const bobs = await run(`create-key --organization ${organizationId} --name B --email bob@example.com`);
  t.like(await db('api_keys').where({ public_id: bobs.keyId }).first(), { name: 'B', scopes: null });
  t.deepEqual(await recordedActs(db), [
    'organization.created', 'member.added', 'apiKey.created', 'member.added', 'member.added', 'staff.created',
    'apiKey.created', 'apiKey.created',
  ]); // prettier-ignore
  t.is((await db('audit_entries').whereNot({ actor_type: 'system', actor_id: 'admin' })).length, 0);
});

test('a staff key requires staff and ends on revocation or removal', async (t) => {
  const { db, call, refused, run } = await stage(t);
  const reading = '/staff/audit-entries?reason=test';
  const keyOf = 'create-staff-key --email Sue@example.com';
  await t.throwsAsync(run(keyOf), { instanceOf: UsageError, message: /create-staff first/ });
  await run('create-staff --email sue@example.com');
  const made = await run(keyOf, '--expires-in-days', 'never');
  const dated = await run(keyOf, '--expires', '2999-12-31');
  t.like(made, { email: 'sue@example.com', expiresAt: null });
  t.is(dated.expiresAt, '2999-12-31T00:00:00.000Z');
  for (const given of ['soon', '2001-01-01', '2001-01-01T00:00:00Z']) {
    await t.throwsAsync(run(keyOf, '--expires', given), { instanceOf: UsageError, message: /--expires/ });
  }
  for (const { staffKey: key } of [made, dated]) t.is((await call(`GET ${reading}`, { key })).status, 200);
  await run(`revoke-staff-key --key ${made.keyId}`);
  await refused('AUTH_REQUIRED', `GET ${reading}`, { key: made.staffKey });
  await t.throwsAsync(run(`revoke-staff-key --key ${made.keyId}`), { instanceOf: UsageError });
  await run('remove-staff --email sue@example.com');
  await refused('AUTH_REQUIRED', `GET ${reading}`, { key: dated.staffKey });
  const searched = Array<string>(2).fill('auditEntry.searched');
  const added = ['staff.created', 'staffKey.created', 'staffKey.created'];
  const acts = [...added, ...searched, 'staffKey.revoked', 'staff.removed'];
  t.deepEqual(await recordedActs(db), acts);
  t.false(JSON.stringify(await db('staff_keys')).includes(dated.staffKey));
});

test('a staff key expires after 90 days by default', async (t) => {
  const { run } = await stage(t);
  await run('create-staff --email sue@example.com');
  const keyOf = 'create-staff-key --email sue@example.com';
  const daysOf = ({ expiresAt }: { expiresAt: string }) =>
    Math.round((Date.parse(expiresAt) - Date.now()) / 86_400_000);
  t.is(daysOf(await run(keyOf)), 90);
  t.is(daysOf(await run(keyOf, '--expires-in-days', '7')), 7);
  t.is((await run(keyOf, '--expires-in-days', 'never')).expiresAt, null);
  for (const given of ['0', '-1', '1.5', '3651', '99999', 'Never', '']) {
    await t.throwsAsync(run(keyOf, '--expires-in-days', given), { instanceOf: UsageError }, given);
  }
  const both = ['--expires', '2999-12-31', '--expires-in-days', '7'];
  await t.throwsAsync(run(keyOf, ...both), { instanceOf: UsageError, message: /not both/ });
});

test('list-staff-keys shows the expiry of each active key', async (t) => {
  const { run } = await stage(t);
  await run('create-staff --email sue@example.com');
  const keyOf = 'create-staff-key --email sue@example.com';
  const dated = await run(keyOf);
  const endless = await run(keyOf, '--expires-in-days', 'never');
  const revoked = await run(keyOf);
  await run(`revoke-staff-key --key ${revoked.keyId}`);
  const { staffKeys } = await run('list-staff-keys');
  const email = 'sue@example.com';
  t.like(staffKeys, [
    { keyId: dated.keyId, email, expiresAt: new Date(dated.expiresAt) },
    { keyId: endless.keyId, email, expiresAt: null },
  ]);
  t.is(staffKeys.length, 2);
  t.false(JSON.stringify(staffKeys).includes('hmok_'));
});

test('seed-demo creates one staff key in development, none in production', async (t) => {
  const { db, call, run: inProduction } = await stage(t);
  t.is((await inProduction('seed-demo')).staffApiKey, null);
  const run = runWith(adminDeps(db, { env: { DEPLOYMENT: 'development' } }));
  const { staffApiKey: key } = await run('seed-demo');
  t.is((await run('seed-demo')).staffApiKey, key);
  t.is((await call('GET /staff/deliveries?reason=test', { key })).status, 200);
  t.is((await db('staff_keys')).length, 1);
});

test('concurrent runs of seed-demo create one demo', async (t) => {
  const { call, refused, run } = await stage(t);
  const [demo, again] = await Promise.all([run('seed-demo'), run('seed-demo')]);
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
  const { db, run } = await stage(t);
  await run('seed-demo');
  const fresh = { id: 'fresh', bytes: randomBytes(32) };
  const ring = createSecretBox([fresh, { id: 'test', bytes: Buffer.alloc(32, 7) }]);
  const signingRing = createSigningRing([fresh, { id: 'test', bytes: Buffer.alloc(32, 7) }]);
  const withRing = runWith(adminDeps(db, { secretBox: () => ring, signingRing: () => signingRing }));
  const { reencrypted } = await withRing('reencrypt');
  t.like(reencrypted, { 'api_keys.token_encrypted': 2, 'webhook_secrets.secret_encrypted': 4 });
  const channel = await db('channels').first('id', 'public_id');
  const { secret } = await readWebhookSecret(db, createSecretBox([fresh]), {
    channelId: channel.id,
    channelPublicId: channel.public_id,
  });
  t.regex(secret, /^whsec_/);
  t.true(Object.values((await withRing('reencrypt')).reencrypted).every((count) => count === 0));
});

const wrongLines = [
  'create-organization --name Acme',
  'create-organization --name Acme --admin-email not-an-address',
  'create-workspace --organization org_00000000 --name Team',
  'create-workspace --organization org_00000000 --name Team --kind other',
  'add-admin --organization org_00000000 --email ann@example.com',
  'create-staff --email not-an-address',
  'create-staff-key --email not-an-address',
  'remove-staff --email nobody@example.com',
  'create-key --organization org_00000000 --name CI',
  'migrate --force yes',
];

test('wrong options fail with a usage error', async (t) => {
  const { run } = await stage(t);
  for (const line of wrongLines) await t.throwsAsync(run(line), { instanceOf: UsageError }, line);
});
