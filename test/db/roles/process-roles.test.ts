import test, { type ExecutionContext } from 'ava';
import type { Knex } from 'knex';
import { createOrganization } from '../../../admin/commands/organizations.ts';
import { dropOldPeriods } from '../../../db/ledger/upkeep/drop-old-periods.ts';
import { keepLedgerPeriods } from '../../../db/ledger/upkeep/ledger-periods.ts';
import { migrate } from '../../../db/migrate.ts';
import { privilegesOf, tablePrivileges } from '../../../db/roles/privileges.ts';
import { ownerFunctions } from '../../../db/roles/owner-functions.ts';
import { analyzeLedger } from '../../../db/upkeep/analyze-ledger.ts';
import { rotateEventKeys } from '../../../db/upkeep/rotate-event-keys.ts';
import type { DatabaseProcess } from '../../../db/core/owner-function.ts';
import { connectPatiently } from '../../harness/database/connect-patiently.ts';
import { emptyDatabase, testDatabase, urlFor } from '../../harness/database/database.ts';
import { testSecretBox } from '../../harness/tenants.ts';

const processes = ['api', 'worker', 'gateway'] as const satisfies readonly DatabaseProcess[];
const INSUFFICIENT = '42501';

function as(t: ExecutionContext, process: DatabaseProcess, url: string): Knex {
  const db = connectPatiently({ url: urlFor(process, url), applicationName: 'test-role' });
  t.teardown(() => db.destroy());
  return db;
}

async function lacksPrivilege(t: ExecutionContext, db: Knex, sql: string): Promise<void> {
  await t.throwsAsync(db.raw(sql), { code: INSUFFICIENT }, sql);
}

async function tablesOf(db: Knex): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { name: string }[] }>(
    `select relname as name from pg_class
     where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`,
  );
  return rows.map(({ name }) => name);
}

test('the list of privileges names every table', async (t) => {
  const { db } = await testDatabase(t);
  const ownersOnly = ['knex_migrations_lock'];
  t.deepEqual([...Object.keys(tablePrivileges), ...ownersOnly].toSorted(), (await tablesOf(db)).toSorted());
});

test('each role has the privileges of the list and no other', async (t) => {
  const { db } = await testDatabase(t);
  for (const process of processes) {
    const role = new URL(urlFor(process, 'postgres://server/database')).username;
    const { rows } = await db.raw<{ rows: { name: string; granted: string[] }[] }>(
      `select c.relname as name, array_agg(lower(a.privilege_type) order by a.privilege_type) as granted
       from pg_class c, aclexplode(c.relacl) a
       where not c.relispartition and a.grantee = ?::regrole group by c.relname`,
      [role],
    );
    const found = Object.fromEntries(rows.map(({ name, granted }) => [name, granted.join(', ')]));
    const wanted = Object.entries(privilegesOf(process)).flatMap(([name, text]) => {
      const whole = text
        .replaceAll(/\b\w+ \([^)]*\)/g, '')
        .split(/[, ]+/)
        .filter((one) => one !== '');
      return whole.length > 0 ? [[name, whole.toSorted().join(', ')]] : [];
    });
    t.deepEqual(found, Object.fromEntries(wanted), process);
  }
});

test('no process changes or deletes an audit entry, or owns a table', async (t) => {
  const { db, url } = await testDatabase(t);
  await db('audit_entries').insert({ actor_type: 'system', actor_id: 'test', action: 'key.created' });
  for (const process of processes) {
    const role = as(t, process, url);
    for (const sql of [
      'update audit_entries set action = $$other$$',
      'delete from audit_entries',
      'truncate audit_entries',
      'alter table audit_entries disable trigger all',
      'drop table events',
      'create table mine (id int)',
      'create role mine',
    ]) {
      await lacksPrivilege(t, role, sql);
    }
  }
});

test('the gateway reads no key and no secret of a webhook', async (t) => {
  const { url } = await testDatabase(t);
  const gateway = as(t, 'gateway', url);
  for (const sql of [
    'select token_encrypted from api_keys',
    'select * from webhook_secrets',
    'select * from sessions',
  ]) {
    await lacksPrivilege(t, gateway, sql);
  }
});

test('a role calls only the functions of its process', async (t) => {
  const { db } = await testDatabase(t);
  for (const { name, callers } of ownerFunctions) {
    const { rows } = await db.raw<{ rows: { open: boolean; callers: string[] }[] }>(
      `select exists (select from aclexplode(proacl) where grantee = 0) as open,
         array(select grantee::regrole::text from aclexplode(proacl) where grantee not in (0, proowner) order by 1) as callers
       from pg_proc where proname = ?`,
      [name],
    );
    t.deepEqual(rows, [{ open: false, callers: callers.map((each) => `test_${each}`).toSorted() }], name);
  }
});

test('a new period and new event keys have the usual privileges', async (t) => {
  const { db, url } = await testDatabase(t, { isNew: true });
  const worker = as(t, 'worker', url);
  const { rows } = await db.raw<{ rows: { next: number }[] }>(
    'select max(first_id) + 1000000000 as next from ledger_periods',
  );
  await worker.raw('select add_ledger_period(?)', [rows[0]!.next]);
  await worker.raw('select begin_event_keys()');
  const number = rows[0]!.next / 1_000_000_000;
  for (const table of [`events_${number}`, `attempts_${number}`, `deliveries_ended_${number}`]) {
    t.deepEqual(await worker(table), []);
    await worker.raw(`truncate ${table}`);
  }
  t.deepEqual(await as(t, 'api', url)('event_keys'), []);
});

test('the worker renews periods, event keys and statistics without owning them', async (t) => {
  const { db, url } = await testDatabase(t, { isNew: true });
  const worker = as(t, 'worker', url);
  await keepLedgerPeriods(worker, { retentionMs: 0, minIds: 0 });
  await db.raw(`update ledger_periods set began_at = now() - interval '60 days' where began_at is not null`);
  await keepLedgerPeriods(worker, { retentionMs: 0, minIds: 0 });
  await db.raw(
    `update ledger_periods set began_at = now() - interval '59 days' where began_at > now() - interval '1 day'`,
  );
  const age = { cutoff: new Date(Date.now() - 30 * 86_400_000), retentionMs: 30 * 86_400_000, minBytes: 0 };
  const steps: string[] = [];
  for await (const { period, outcome } of dropOldPeriods(worker, age)) steps.push(`${period} ${outcome}`);
  t.true(steps.includes('0 emptied') && steps.includes('0 removed'), steps.join());
  t.true(await rotateEventKeys(worker, { keptMs: 0 }));
  const analyzed: string[] = [];
  for await (const table of analyzeLedger(worker)) analyzed.push(table);
  t.deepEqual(analyzed, ['events', 'deliveries', 'deliveries_ended', 'attempts']);
});

test('a lost history is skipped with the role of a process', async (t) => {
  const { db, url } = await testDatabase(t);
  await db('installation').update({ server_history: '7000000000000000000/00000001' });
  await as(t, 'gateway', url).raw('select 1');
  const [{ server_history: history }] = await db('installation').select('server_history');
  t.notRegex(history, /^7000000000000000000/);
  const { rows } = await db.raw<{ rows: { last: number }[] }>('select last_value as last from events_id_seq');
  t.true(rows[0]!.last > 10_000_000);
});

test('the API cannot make staff', async (t) => {
  const { url } = await testDatabase(t);
  const api = as(t, 'api', url);
  for (const sql of [
    `insert into users (public_id, email, is_staff) values ('usr_00000001', 'a@example.com', true)`,
    'update users set is_staff = true',
    'insert into staff_keys default values',
  ]) {
    await lacksPrivilege(t, api, sql);
  }
});

test('organizations are created with the role of the API', async (t) => {
  const { url } = await testDatabase(t);
  const db = as(t, 'api', url);
  const { apiKey } = await createOrganization({ db, secretBox: () => testSecretBox }, [
    '--name',
    'Acme',
    '--admin-email',
    'ann@example.com',
  ]);
  t.regex(apiKey, /^hmok_/);
});

test('the functions of the owner refuse what a process must not remove', async (t) => {
  const { url } = await testDatabase(t);
  const worker = as(t, 'worker', url);
  for (const [sql, reason] of [
    [`select detach_ledger_table('events', 'event_keys')`, /no table of a period/],
    [`select detach_ledger_table('audit', 'audit_0')`, /no table of a period/],
    [`select drop_ledger_period('0')`, /is attached/],
    [`select drop_ledger_period('0; drop table users')`, /is no period/],
    [`select analyze_ledger('users')`, /is not partitioned/],
    [`select add_ledger_period(5)`, /no first id/],
    [`select delete_old_audit_entries(now(), 10)`, /kept for 29 days at least/],
  ] as const) {
    await t.throwsAsync(worker.raw(sql), { message: reason }, sql);
  }
});

test('the owner and another role of the same name are refused', async (t) => {
  const { db, url } = await emptyDatabase(t);
  const reason = { message: /owns the database\. Give the process a role of its own/ };
  await t.throwsAsync(migrate(db, { roles: { api: url } }), reason);
});

test('a password with quotes works and is not sent in a statement', async (t) => {
  const { db, url } = await emptyDatabase(t);
  const name = `quoted'"${Math.random().toString(36).slice(2)}`;
  const password = `it's "$1" ?\\`;
  const api = Object.assign(new URL(url), {
    username: encodeURIComponent(name),
    password: encodeURIComponent(password),
  }).href;
  const statements: string[] = [];
  db.on('query', ({ sql }: { readonly sql: string }) => void statements.push(sql));
  await migrate(db, { roles: { api } });
  await migrate(db, { roles: { api } });
  t.teardown(() => db.raw('drop owned by ??; drop role ??', [name, name]));
  const role = connectPatiently({ url: api, applicationName: 'test-role' });
  t.teardown(() => role.destroy());
  t.is((await role('installation').select('id')).length, 1);
  t.false(statements.some((sql) => sql.includes(password)));
});

test('a plain owner with createrole prepares the roles', async (t) => {
  const { db, url } = await emptyDatabase(t);
  const suffix = Math.random().toString(36).slice(2);
  const owner = `owner_${suffix}`;
  const database = new URL(url).pathname.slice(1);
  await db.raw(`create role ${owner} login createrole password 'test'; alter database ${database} owner to ${owner}`);
  const urlAs = (username: string): string => Object.assign(new URL(url), { username, password: 'test' }).href;
  const owning = connectPatiently({ url: urlAs(owner), applicationName: 'test-owner' });
  const roles = { api: urlAs(`api_${suffix}`), worker: urlAs(`worker_${suffix}`), gateway: urlAs(`gateway_${suffix}`) };
  await migrate(owning, { roles });
  const worker = connectPatiently({ url: roles.worker, applicationName: 'test-worker' });
  const api = connectPatiently({ url: roles.api, applicationName: 'test-api' });
  const waiting = await api.transaction();
  await waiting.raw('select pg_current_xact_id()');
  const { rows } = await worker.raw<{ rows: { writes: boolean }[] }>('select writes from running_transactions()');
  t.deepEqual(rows, [{ writes: true }], "the worker sees the API's transaction");
  await waiting.rollback();
  await Promise.all([owning, worker, api].map((each) => each.destroy()));
  const names = [`api_${suffix}`, `worker_${suffix}`, `gateway_${suffix}`, owner];
  t.teardown(() =>
    db.raw(`reassign owned by ${owner} to postgres; drop owned by ${names.join()}; drop role ${names.join()}`),
  );
});
