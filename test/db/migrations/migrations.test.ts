import test, { type ExecutionContext } from 'ava';
import type { Knex } from 'knex';
import { migrate, rollbackAll } from '../../../db/migrate.ts';
import { partitionMigrations, unpartitionLedger } from '../../harness/database/unpartitioned-ledger.ts';
import { readSchemaState } from '../../../db/upkeep/schema-state.ts';
import { emptyDatabase } from '../../harness/database/database.ts';
import { eventually } from '../../harness/eventually.ts';

const INDEX = 'deliveries_for_listeners_by_workspace';

test('concurrent migrations apply the schema once, and all roll back', async (t) => {
  const { db } = await emptyDatabase(t);
  t.is(await readSchemaState(db), 'not_migrated');
  const applied = await Promise.all([1, 2, 3].map(() => migrate(db, { deliveryShards: 4 })));
  t.is(applied.filter((names) => names.length > 0).length, 1);
  t.is(await readSchemaState(db), 'ok');
  t.is((await db('installation')).length, 1);
  await rollbackAll(db);
  t.is(await readSchemaState(db), 'not_migrated');
});

test('migrations have no statement timeout and a short lock timeout', async (t) => {
  const { db } = await emptyDatabase(t);
  await db.raw(`
    create table seen_timeouts (statement text, lock text);
    create function note_timeouts() returns event_trigger language plpgsql as $$
      begin
        if tg_tag = 'DROP INDEX' then return; end if; -- concurrently, it must be the first to write in its transaction
        insert into public.seen_timeouts values (current_setting('statement_timeout'), current_setting('lock_timeout'));
      end $$;
    create event trigger note_timeouts on ddl_command_start execute function note_timeouts()`);
  const { rows } = await db.raw('show statement_timeout');
  t.not(rows[0].statement_timeout, '0', 'other statements have a timeout');
  await migrate(db, { deliveryShards: 4 });
  const seen = await db('seen_timeouts').distinct('statement', 'lock').orderBy('lock');
  t.deepEqual(seen, [
    { statement: '0', lock: '0' }, // a concurrently built index
    { statement: '0', lock: '1500ms' },
  ]);
});

async function beforeIndex(t: ExecutionContext) {
  const { db } = await emptyDatabase(t);
  await migrate(db, { deliveryShards: 4 });
  await unpartitionLedger(db);
  await db.raw(`insert into deliveries (event_id, channel_id, workspace_id, shard, conversation_key, event_type, status, skip_reason)
    values (1, 1, 1, 0, 1, 'chatapp.message.received', 'skipped', 'no_destination')`);
  await db.raw(`drop index ${INDEX}`);
  await db('knex_migrations').where({ name: '0019-listener-workspaces' }).del();
  return db;
}

async function isValid(db: Knex): Promise<boolean | undefined> {
  const { rows } = await db.raw<{ rows: { indisvalid: boolean }[] }>(
    'select indisvalid from pg_index where indexrelid = to_regclass(?)',
    [INDEX],
  );
  return rows[0]?.indisvalid;
}

test('the listener index is built during writes and concurrent migrations', async (t) => {
  const db = await beforeIndex(t);
  const writer = await db.transaction();
  await writer.raw('lock table deliveries in row exclusive mode'); // as any insert does
  const migrating = Promise.all([1, 2].map(() => migrate(db, { deliveryShards: 4 })));
  await eventually(async () => {
    const { rows } = await db.raw<{ rows: unknown[] }>(
      "select from pg_stat_activity where datname = current_database() and query like 'create index%' and wait_event_type = 'Lock'",
    );
    return rows.length === 1;
  });
  await db.transaction(async (another) => {
    await another.raw("set local lock_timeout = '1s'");
    await another.raw('lock table deliveries in row exclusive mode');
  });
  t.false(await isValid(db));
  await writer.rollback();
  t.deepEqual((await migrating).flat(), ['0019-listener-workspaces', ...partitionMigrations]);
  t.true(await isValid(db));
});

test('a migration repairs an index that a killed migration left invalid', async (t) => {
  const db = await beforeIndex(t);
  await db.raw(`create index ${INDEX} on deliveries (id)`);
  await db.raw('update pg_index set indisvalid = false where indexrelid = to_regclass(?)', [INDEX]);
  await db('knex_migrations_lock').update({ is_locked: 1 });
  t.deepEqual(await migrate(db, { deliveryShards: 4 }), ['0019-listener-workspaces', ...partitionMigrations]);
  t.true(await isValid(db));
  const { rows } = await db.raw('select pg_get_indexdef(to_regclass(?)) as definition', [INDEX]);
  t.regex(rows[0].definition, /\(destination_id, workspace_id, xid, id\) WHERE .*shard = '?-1.*status = 'pending'/);
});
