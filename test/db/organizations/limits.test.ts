import { setImmediate } from 'node:timers/promises';
import test from 'ava';
import type { Knex } from 'knex';
import { organizationLimitNames, organizationLimits } from '../../../contract/identity/limits.ts';
import {
  LimitReached,
  enforcePersonLimit,
  enforceOrganizationLimit,
  setOrganizationLimit,
} from '../../../db/organizations/limits.ts';
import { ensurePerson } from '../../../db/people/ensure-person.ts';
import { insertWorkspace } from '../../../db/organizations/workspaces.ts';
import { testDatabase } from '../../harness/database/database.ts';
import { aTenant } from '../../harness/tenants.ts';
import { tenantDatabase } from '../../harness/tenant-database.ts';
import { untilBlockedByLock } from '../../harness/deliveries/hot-ledger.ts';

const addWorkspace = async (trx: Knex, organizationId: number) => {
  await enforceOrganizationLimit(trx, { organizationId, limit: 'workspaces' });
  await insertWorkspace(trx, { organizationId, name: 'Another', kind: 'customer' });
};

test('two transactions cannot both take the last place', async (t) => {
  const { db } = await testDatabase(t);
  const { id: organizationId } = (await aTenant(db)).organization;
  await setOrganizationLimit(db, { organizationId, limit: 'workspaces', max: 2 });
  const first = await db.transaction();
  await addWorkspace(first, organizationId);
  let isDone = false;
  const second = db.transaction((trx) => addWorkspace(trx, organizationId)).finally(() => (isDone = true));
  await untilBlockedByLock(db);
  await setImmediate();
  t.false(isDone, 'it waits for the first transaction');
  await first.commit();
  const refusal = await t.throwsAsync(second, { instanceOf: LimitReached });
  t.regex(refusal.message, /can have at most 2 workspaces and customers.* limit `workspaces`/);
  t.is((await db('workspaces').where({ organization_id: organizationId })).length, 2);
});

test('each limit of an organization counts its own rows', async (t) => {
  const { db } = await testDatabase(t);
  const own = await aTenant(db);
  const other = await aTenant(db);
  for (const limit of organizationLimitNames) {
    await setOrganizationLimit(db, { organizationId: own.organization.id, limit, max: 1 });
    await setOrganizationLimit(db, { organizationId: other.organization.id, limit, max: 1 });
  }
  const full: string[] = [];
  for (const limit of organizationLimitNames) {
    await enforceOrganizationLimit(db, { organizationId: own.organization.id, limit }).catch(() => full.push(limit));
  }
  t.deepEqual(full, ['workspaces', 'apiKeys', 'members']);
});

test('an organization that a person created has smaller limits', async (t) => {
  const { db } = await testDatabase(t);
  const made = await db.transaction((trx) => ensurePerson(trx, { email: 'ann@example.com' }));
  const byOperator = await aTenant(db);
  const { selfMade } = organizationLimits.workspaces;
  for (const organizationId of [made.organizationId, byOperator.organization.id]) {
    await db.raw(
      `insert into workspaces (public_id, organization_id, name, kind, created_at)
       select 'ws_' || lpad(to_hex(? * 1000000 + n), 8, '0'), ?, 'Customer', 'customer', now() - interval '2 days' from generate_series(2, ?) n`,
      [organizationId, organizationId, selfMade],
    );
  }
  const roomOf = (organizationId: number) => enforceOrganizationLimit(db, { organizationId, limit: 'workspaces' });
  await t.throwsAsync(roomOf(made.organizationId), { instanceOf: LimitReached });
  await t.notThrowsAsync(roomOf(byOperator.organization.id));
  await setOrganizationLimit(db, { organizationId: made.organizationId, limit: 'workspaces', max: selfMade + 1 });
  await t.notThrowsAsync(roomOf(made.organizationId));
  await setOrganizationLimit(db, { organizationId: made.organizationId, limit: 'workspaces', max: null });
  await t.throwsAsync(roomOf(made.organizationId), { instanceOf: LimitReached });
});

test('a deleted row counts for a day', async (t) => {
  const { db } = await testDatabase(t);
  const { id: organizationId } = (await aTenant(db)).organization;
  await setOrganizationLimit(db, { organizationId, limit: 'workspaces', max: 2 });
  for (let turn = 1; turn < 20; turn++) {
    await db.transaction((trx) => addWorkspace(trx, organizationId));
    await db('workspaces').where({ name: 'Another' }).update({ deleted_at: db.fn.now() });
  }
  const another = () => db.transaction((trx) => addWorkspace(trx, organizationId));
  const refusal = await t.throwsAsync(another(), { instanceOf: LimitReached });
  t.regex(refusal.message, /can create at most 20 workspaces and customers per day/);
  await db('workspaces').update({ created_at: db.raw("now() - interval '25 hours'") });
  await t.notThrowsAsync(another());
});

test('a person without memberships can create at most ten organizations', async (t) => {
  const { db } = await testDatabase(t);
  const enter = () => db.transaction((trx) => ensurePerson(trx, { email: 'ann@example.com' }));
  for (let turn = 0; turn < 10; turn++) {
    t.true((await enter()).isNew);
    await db('organization_members').delete();
  }
  await t.throwsAsync(enter(), { instanceOf: LimitReached, message: /10 organizations that they created/ });
  t.is((await db('organizations')).length, 10);
});

test("a person's keys count across all organizations", async (t) => {
  const { db, organization, user } = await tenantDatabase(t);
  await db.raw(
    `insert into api_keys (public_id, organization_id, user_id, name, token_hash, token_encrypted)
     select 'key_' || lpad(n::text, 8, '0'), ?, ?, 'x', sha256(n::text::bytea), '' from generate_series(1, 199) n`,
    [organization.id, user.id],
  );
  const room = () => enforcePersonLimit(db, { userId: user.id, limit: 'apiKeys' });
  await t.throwsAsync(room(), { instanceOf: LimitReached, message: /200 API keys/ });
  await db('api_keys').where({ public_id: 'key_00000001' }).update({ revoked_at: db.fn.now() });
  await t.notThrowsAsync(room());
});
