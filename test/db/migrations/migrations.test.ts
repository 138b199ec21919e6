import test, { type ExecutionContext } from 'ava';
import type { Knex } from 'knex';
import { acceptItems } from '../../../db/ledger/accept.ts';
import type { Attempt } from '../../../db/ledger/attempts.ts';
import { settleAccepted } from '../../../db/ledger/settle-accepted.ts';
import { migrate, migrations } from '../../../db/migrate.ts';
import { concurrentIndex } from '../../../db/migrations/concurrent-index.ts';
import { newerMigrations, readSchemaState } from '../../../db/upkeep/schema-state.ts';
import { emptyDatabase } from '../../harness/database/database.ts';
import {
  accepted,
  anItem,
  aWebhookDestination,
  deliveryRows,
  hotLedger,
  acceptedItems,
  untilBlockedByLock,
} from '../../harness/deliveries/hot-ledger.ts';

const INDEX = 'deliveries_waiting_by_age';

/** What a later release may add. */
const later = {
  ...migrations,
  '9001-a-column': {
    up: async (knex: Knex) => {
      await knex.raw('alter table deliveries add column priority smallint not null default 0');
    },
  },
  '9002-an-index': concurrentIndex({ name: INDEX, on: 'deliveries_waiting (created_at)' }),
} as const;
const laterNames = ['9001-a-column', '9002-an-index'];

test('concurrent migrations apply the schema once', async (t) => {
  const { db } = await emptyDatabase(t);
  t.is(await readSchemaState(db), 'not_migrated');
  const applied = await Promise.all([1, 2, 3].map(() => migrate(db)));
  t.is(applied.filter((names) => names.length > 0).length, 1);
  t.is(await readSchemaState(db), 'ok');
  t.is((await db('installation')).length, 1);
  const { rows } = await db.raw('select first_id, began_at is not null as began from ledger_periods order by first_id');
  t.deepEqual(rows, [
    { first_id: 0, began: true },
    { first_id: 1_000_000_000, began: false },
  ]);
});

test('a release accepts the schema of the next one', async (t) => {
  const { db } = await hotLedger(t, { isNew: true });
  t.deepEqual(await migrate(db, { migrations: later }), laterNames);
  t.deepEqual(await migrate(db, { migrations: later }), []);
  t.is(await readSchemaState(db), 'ok');
  t.deepEqual(await newerMigrations(db), laterNames);
});

test('each table of the schema has a comment', async (t) => {
  const { db } = await hotLedger(t);
  const { rows } = await db.raw(
    `select relname from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
       and relname !~ '^(knex_|(events|attempts|deliveries_ended)_[0-9])' and obj_description(oid, 'pg_class') is null`,
  );
  t.deepEqual(rows, []);
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
  await migrate(db, { migrations: later });
  const seen = await db('seen_timeouts').distinct('statement', 'lock').orderBy('lock');
  t.deepEqual(seen, [
    { statement: '0', lock: '0' }, // a concurrently built index
    { statement: '0', lock: '1500ms' },
  ]);
});

test('events are accepted and settled during a migration', async (t) => {
  const ledger = await hotLedger(t, { isNew: true });
  const { db, pool } = ledger;
  const { id: destinationId } = await aWebhookDestination(ledger, ledger.channel);
  const settle = (deliveryIds: readonly number[]) => {
    const attempt: Attempt = {
      number: 1,
      startedAtMs: Date.now(),
      durationMs: 5,
      outcome: 'accepted',
      status: 200,
      responseHeaders: null,
      responseBody: null,
      error: null,
    };
    return settleAccepted(
      pool,
      deliveryIds.map((deliveryId) => ({ deliveryId, destinationId, attempt })),
    );
  };
  let count = (await acceptedItems(pool, 200)).length;
  let isDone = false;
  const migrating = migrate(db, { migrations: later }).finally(() => (isDone = true));
  while (!isDone) {
    const ids = await accepted(pool, [anItem(), anItem()]);
    count += ids.length;
    await settle(ids.slice(1));
  }
  t.deepEqual(await migrating, laterNames);
  await settle((await deliveryRows(pool)).map(({ id }) => id));
  const rows = await deliveryRows(pool);
  t.is(rows.length, count);
  t.true(rows.every(({ status }) => status === 'delivered'));
});

async function isValid(db: Knex): Promise<boolean | undefined> {
  const { rows } = await db.raw<{ rows: { indisvalid: boolean }[] }>(
    'select indisvalid from pg_index where indexrelid = to_regclass(?)',
    [INDEX],
  );
  return rows[0]?.indisvalid;
}

async function beforeIndex(t: ExecutionContext) {
  const ledger = await hotLedger(t, { isNew: true });
  await aWebhookDestination(ledger, ledger.channel);
  await acceptItems(ledger.pool, [anItem()]);
  return ledger.db;
}

test('an index is built during writes and concurrent migrations', async (t) => {
  const db = await beforeIndex(t);
  const { '9001-a-column': _column, ...withIndex } = later;
  const writer = await db.transaction();
  await writer.raw('lock table deliveries_waiting in row exclusive mode'); // as any insert does
  const migrating = Promise.all([1, 2].map(() => migrate(db, { migrations: withIndex })));
  await untilBlockedByLock(db, 'create index%');
  await db.transaction(async (another) => {
    await another.raw("set local lock_timeout = '1s'");
    await another.raw('lock table deliveries_waiting in row exclusive mode');
  });
  t.false(await isValid(db));
  await writer.rollback();
  t.deepEqual((await migrating).flat(), ['9002-an-index']);
  t.true(await isValid(db));
});

test('a migration repairs an index that a killed migration left invalid', async (t) => {
  const db = await beforeIndex(t);
  await db.raw(`create index ${INDEX} on deliveries_waiting (id)`);
  await db.raw('update pg_index set indisvalid = false where indexrelid = to_regclass(?)', [INDEX]);
  await db('knex_migrations_lock').update({ is_locked: 1 });
  t.deepEqual(await migrate(db, { migrations: later }), laterNames);
  t.true(await isValid(db));
  const { rows } = await db.raw('select pg_get_indexdef(to_regclass(?)) as definition', [INDEX]);
  t.regex(rows[0].definition, /\(created_at\)$/);
});
