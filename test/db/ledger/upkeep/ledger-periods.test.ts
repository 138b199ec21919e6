import test from 'ava';
import type { Knex } from 'knex';
import { moveIdsAhead } from '../../../../db/ledger/upkeep/after-restore.ts';
import { keepLedgerPeriods, tryPeriodLock } from '../../../../db/ledger/upkeep/ledger-periods.ts';
import { PERIOD_SPAN } from '../../../../db/core/period-span.ts';
import { eventually } from '../../../harness/eventually.ts';
import {
  accepted,
  anItem,
  aWebhookDestination,
  claim,
  hotLedger,
  untilBlockedByLock,
} from '../../../harness/deliveries/hot-ledger.ts';

const settings = { retentionMs: 30 * 86_400_000, minIds: 1 };

/** Upkeep gives way to a lock of another session, such as one of autovacuum, and tries again later. */
async function keepUntil(db: Knex, period: number): Promise<void> {
  await eventually(async () => {
    await keepLedgerPeriods(db, settings);
    return await db('ledger_periods')
      .where({ first_id: period * PERIOD_SPAN })
      .first();
  });
}

test('an old and large period is followed by the next', async (t) => {
  const ledger = await hotLedger(t, { isNew: true });
  const { db, pool } = ledger;
  await aWebhookDestination(ledger, ledger.channel);
  const before = await accepted(pool, [anItem(), anItem()]);
  await keepUntil(db, 2);
  const still = await accepted(pool, [anItem()]);
  t.true(still[0]! < PERIOD_SPAN);
  await db.raw(`update ledger_periods set began_at = now() - interval '3 days' where first_id = 0`);
  await keepLedgerPeriods(db, { ...settings, minIds: 100 });
  t.true((await accepted(pool, [anItem()]))[0]! < PERIOD_SPAN, 'a small period continues');
  await Promise.all([1, 2, 3].map(() => keepUntil(db, 3)));
  const after = await accepted(pool, [anItem()]);
  t.is(after[0], PERIOD_SPAN);
  const { rows } = await pool.query<{ partition: string }>(
    'select tableoid::regclass::text as partition from events order by id desc limit 1',
  );
  t.is(rows[0]!.partition, 'events_1');
  const claimed = await claim(pool);
  t.deepEqual(claimed.deliveries.map(({ id }) => id).slice(0, 2), before);
  t.is(claimed.deliveries.at(-1)!.id, after[0]!);
  t.deepEqual(
    await db('ledger_periods').orderBy('first_id').pluck('first_id'),
    [0, 1, 2, 3].map((number) => number * PERIOD_SPAN),
  );
});

test('a frequent sender does not slow the index of any period', async (t) => {
  const { db } = await hotLedger(t, { isNew: true });
  await keepUntil(db, 2);
  const { rows } = await db.raw<{ rows: { name: string; method: string }[] }>(
    `select c.relname as name, am.amname as method
     from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am am on am.oid = c.relam
     where c.relname ~ '^events_.*sender$' order by c.relname`,
  );
  t.deepEqual(
    rows,
    [0, 1, 2].map((number) => ({ name: `events_${number}_sender`, method: 'btree' })),
  );
});

test('ids that are moved ahead have partitions', async (t) => {
  const ledger = await hotLedger(t, { isNew: true });
  await aWebhookDestination(ledger, ledger.channel);
  await accepted(ledger.pool, [anItem()]);
  await ledger.db.transaction((trx) => moveIdsAhead(trx, 5 * PERIOD_SPAN));
  const [id] = await accepted(ledger.pool, [anItem()]);
  t.true(id! >= 5 * PERIOD_SPAN);
  await keepUntil(ledger.db, 7);
  t.is((await ledger.db('ledger_periods').max('first_id as last'))[0]!.last, 7 * PERIOD_SPAN);
});

test('moving ids ahead waits for a period that begins', async (t) => {
  const { db } = await hotLedger(t, { isNew: true });
  const upkeep = await db.transaction();
  t.true(await tryPeriodLock(upkeep));
  const moved = db.transaction((trx) => moveIdsAhead(trx, 10));
  await untilBlockedByLock(db);
  await upkeep.raw(`select setval('events_id_seq', ?), setval('deliveries_id_seq', ?)`, [PERIOD_SPAN, PERIOD_SPAN]);
  await upkeep.commit();
  const ids = { from: PERIOD_SPAN, to: PERIOD_SPAN + 10 };
  t.deepEqual(await moved, { events: ids, deliveries: ids });
});
