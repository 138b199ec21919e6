import test from 'ava';
import type { Knex } from 'knex';
import { acceptItems } from '../../../db/ledger/accept.ts';
import { type BlockedMigration, migratePatiently } from '../../../db/core/patient-migration.ts';
import { migrate, migrations } from '../../../db/migrate.ts';
import { anItem, aWebhookDestination, deliveryRows, hotLedger } from '../../harness/deliveries/hot-ledger.ts';

/** Changes `destinations`, which accepting reads. */
const MIGRATION = '9001-a-column';
const later = {
  ...migrations,
  [MIGRATION]: {
    up: async (knex: Knex) => {
      await knex.raw('alter table destinations add column priority smallint');
    },
  },
};

test('events are accepted while a migration waits for a long reader', async (t) => {
  const ledger = await hotLedger(t, { isNew: true });
  const { db, pool } = ledger;
  await aWebhookDestination(ledger, ledger.channel);
  const reader = await db.transaction();
  await reader.raw('set local idle_in_transaction_session_timeout = 0');
  const { rows } = await reader.raw('select pg_backend_pid() as pid, (select count(*) from destinations) as count');

  const blocked: BlockedMigration[] = [];
  const migrating = migrate(db, { migrations: later, onBlocked: (each) => blocked.push(each) });
  const isReaderSeen = () => blocked.some(({ blockers }) => blockers.some(({ pid }) => pid === rows[0].pid));
  let accepted = 0;
  while (blocked.length < 2 || !isReaderSeen()) accepted += (await acceptItems(pool, [anItem()])).eventCount;
  t.deepEqual(blocked[0]!.attempt, 1);

  await reader.rollback();
  t.deepEqual(await migrating, [MIGRATION]);
  t.true(await db.schema.hasColumn('destinations', 'priority'));
  t.is((await deliveryRows(pool)).length, accepted);
});

const lockTimeout = Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' });

test('a migration gives up after its last attempt and names the cause', async (t) => {
  const { db } = await hotLedger(t);
  const delays: number[] = [];
  const error = await t.throwsAsync(
    migratePatiently({
      db,
      applicationName: 'nothing',
      act: () => Promise.reject(lockTimeout),
      pause: (delayMs) => Promise.resolve(delays.push(delayMs)),
    }),
  );
  t.regex(error.message, /lock that the migration needs is held by an unknown session/);
  t.is(error.cause, lockTimeout);
  t.deepEqual(delays.slice(0, 5), [1_000, 2_000, 4_000, 8_000, 8_000]);
});

test('a migration with another error is not repeated', async (t) => {
  const { db } = await hotLedger(t);
  let count = 0;
  const act = () => Promise.reject(new Error(`attempt ${++count}`));
  await t.throwsAsync(migratePatiently({ db, applicationName: 'nothing', act }), { message: 'attempt 1' });
});
