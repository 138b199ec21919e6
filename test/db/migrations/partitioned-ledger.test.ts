import test, { type ExecutionContext } from 'ava';
import type { Knex } from 'knex';
import { listDeliveryRecords } from '../../../db/deliveries/list-delivery-records.ts';
import { cancelDelivery } from '../../../db/ledger/cancel-delivery.ts';
import { restartDelivery } from '../../../db/ledger/restart-delivery.ts';
import { acceptItems } from '../../../db/ledger/accept.ts';
import type { Attempt } from '../../../db/ledger/attempts.ts';
import { deleteOldEvents } from '../../../db/ledger/upkeep/delete-old-events.ts';
import { dropOldPeriods } from '../../../db/ledger/upkeep/drop-old-periods.ts';
import { settleAccepted } from '../../../db/ledger/settle-accepted.ts';
import { migrate } from '../../../db/migrate.ts';
import { testAudit } from '../../harness/audit.ts';
import { partitionMigrations, unpartitionLedger } from '../../harness/database/unpartitioned-ledger.ts';
import {
  accepted,
  anItem,
  aWebhookDestination,
  claim,
  deliveryRows,
  hotLedger,
  untilBlockedByLock,
} from '../../harness/deliveries/hot-ledger.ts';

const attempt: Attempt = {
  ...{ number: 1, startedAtMs: Date.now(), durationMs: 5, outcome: 'accepted', status: 200 },
  ...{ responseHeaders: null, responseBody: null, error: null },
};

type SettleOptions = Parameters<typeof settleAccepted>[2];

/** Settles by the general statement, which is the previous version's only one. */
const asBefore: SettleOptions = { isProbe: true };

/** A ledger of the previous schema with events accepted by its statements. */
async function previousLedger(t: ExecutionContext, events: number) {
  const ledger = await hotLedger(t);
  const destination = await aWebhookDestination(ledger, ledger.channel);
  await unpartitionLedger(ledger.db);
  const items = Array.from({ length: events }, () => anItem());
  const ids = await accepted(ledger.pool, items);
  const upgrade = () => migrate(ledger.db, { deliveryShards: 4 });
  const settle = (deliveryIds: readonly number[], options: SettleOptions = {}) =>
    settleAccepted(
      ledger.pool,
      deliveryIds.map((deliveryId) => ({ deliveryId, destinationId: destination.id, attempt })),
      options,
    );
  const partitions = async () => {
    const { rows } = await ledger.pool.query<{ partition: string; status: string; count: number }>(
      'select tableoid::regclass::text as partition, status, count(*) from deliveries group by 1, 2 order by 1, 2',
    );
    return rows.map(({ partition, status, count }) => `${partition} ${status} ${count}`);
  };
  return { ...ledger, destination, ids, items, upgrade, settle, partitions };
}

test('rows from before the partitions keep their place and their order', async (t) => {
  const { pool, db, ids, destination, upgrade, settle, partitions, tenant } = await previousLedger(t, 4);
  await settle([ids[0]!], asBefore);
  t.deepEqual(await upgrade(), partitionMigrations);
  const later = await accepted(pool, [anItem(), anItem()]);
  t.deepEqual(await partitions(), [
    'deliveries_before delivered 1',
    'deliveries_before pending 3',
    'deliveries_waiting pending 2',
  ]);
  const claimed = await claim(pool, { shard: destination.shard });
  t.deepEqual(
    claimed.deliveries.map(({ id }) => id),
    [...ids.slice(1), ...later],
  );
  await settle([ids[1]!, later[0]!]);
  t.deepEqual(await partitions(), [
    'deliveries_before delivered 2',
    'deliveries_before pending 2',
    'deliveries_ended_1 delivered 1',
    'deliveries_waiting pending 1',
  ]);
  const listed = await listDeliveryRecords(db, { workspaceId: tenant.workspace.id, limit: 10 });
  t.deepEqual(
    listed.map(({ id }) => id),
    [...ids, ...later].toReversed(),
  );
});

test('an accepted event from before the partitions stays a duplicate', async (t) => {
  const { pool, items, upgrade } = await previousLedger(t, 2);
  await upgrade();
  t.is((await acceptItems(pool, items)).eventCount, 0);
});

test('an ended delivery returns to the waiting ones when it is restarted', async (t) => {
  const { pool, db, upgrade, partitions } = await previousLedger(t, 1);
  await upgrade();
  const [id] = await accepted(pool, [anItem()]);
  const audit = { ...testAudit, action: 'delivery.retried' as const, targetId: 'wd_1' };
  t.is(await cancelDelivery(db, { id: id!, audit }), 'pending');
  t.true((await partitions()).includes('deliveries_ended_1 cancelled 1'));
  t.is((await restartDelivery(db, { id: id!, from: 'cancelled', audit })).outcome, 'restarted');
  t.deepEqual(await partitions(), ['deliveries_before pending 1', 'deliveries_waiting pending 1']);
});

test('events are accepted and settled during the migration', async (t) => {
  const { pool, upgrade, settle } = await previousLedger(t, 200);
  let isDone = false;
  const migration = upgrade().finally(() => (isDone = true));
  // The statement of the previous version's claim, as far as it chooses deliveries.
  const nextIds = async (limit: number): Promise<number[]> => {
    const { rows } = await pool.query<{ id: number }>(
      "select id from deliveries where shard >= 0 and status = 'pending' order by id limit $1",
      [limit],
    );
    return rows.map(({ id }) => id);
  };
  let count = 200;
  while (!isDone) {
    count += (await acceptItems(pool, [anItem(), anItem()])).eventCount;
    await settle(await nextIds(3), asBefore);
  }
  await migration;
  await settle(await nextIds(count));
  const rows = await deliveryRows(pool);
  t.is(rows.length, count);
  t.true(rows.every(({ status }) => status === 'delivered'));
  const { rows: attempts } = await pool.query<{ count: number }>('select count(*) from attempts');
  t.is(attempts[0]!.count, count);
});

test('a waiter for a delivery that ends meanwhile sees its end', async (t) => {
  const { pool, db, upgrade } = await previousLedger(t, 1);
  await upgrade();
  const [id] = await accepted(pool, [anItem()]);
  const ending = await db.transaction();
  await ending.raw("update deliveries set status = 'delivered' where id = ? and status = 'pending'", [id!]);
  const audit = { ...testAudit, action: 'delivery.cancelled' as const, targetId: 'wd_1' };
  const cancelling = cancelDelivery(db, { id: id!, audit });
  await untilBlockedByLock(db);
  await ending.commit();
  t.is(await cancelling, undefined);
  t.deepEqual(
    (await deliveryRows(pool)).map(({ status }) => status),
    ['pending', 'delivered'],
  );
});

test('statements about waiting deliveries read no ended partition', async (t) => {
  const { pool } = await hotLedger(t);
  const planOf = async (where: string): Promise<string> => {
    const { rows } = await pool.query<Record<string, string>>(`explain select * from deliveries where ${where}`);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };
  for (const where of ["status = 'pending' and shard = 1", "id = 5 and status in ('pending', 'retrying')"]) {
    t.notRegex(await planOf(where), /deliveries_ended/);
  }
  t.regex(await planOf("channel_id = 1 and status = 'delivered'"), /deliveries_ended_0/);
});

test('the tables from before the partitions are dropped when old', async (t) => {
  const { pool, db, ids, destination, upgrade, settle, partitions } = await previousLedger(t, 4);
  await settle(ids.slice(0, 2), asBefore);
  await upgrade();
  const later = await accepted(pool, [anItem()]);
  await settle(later);
  const longAgo = new Date(Date.now() - 60 * DAY_MS);
  for (const table of ['events', 'deliveries']) {
    await db(table).where('id', '<=', ids.at(-1)!).update({ created_at: longAgo });
  }
  await db('ledger_periods').whereNotNull('began_at').update({ began_at: longAgo });
  t.deepEqual(await drop(db), ['before emptied']);
  t.deepEqual(await partitions(), ['deliveries_before pending 2', 'deliveries_ended_1 delivered 1']);
  t.deepEqual(await db('attempts').orderBy('delivery_id').pluck('delivery_id'), later);
  const claimed = await claim(pool, { shard: destination.shard });
  t.deepEqual(
    claimed.deliveries.map(({ id }) => id),
    ids.slice(2),
  );
  await settle(ids.slice(2));
  const age = { position: 0, cutoff: new Date(Date.now() - 30 * DAY_MS) };
  t.is((await deleteOldEvents(db, age)).removedCount, 2);
  t.deepEqual(await drop(db), ['before emptied', 'before removed']);
  t.deepEqual(await partitions(), ['deliveries_ended_1 delivered 1']);
  t.is((await accepted(pool, [anItem()])).length, 1);
});

const DAY_MS = 86_400_000;

async function drop(db: Knex): Promise<string[]> {
  const steps: string[] = [];
  const age = { cutoff: new Date(Date.now() - 30 * DAY_MS), retentionMs: 30 * DAY_MS, minBytes: 0 };
  for await (const { period, outcome } of dropOldPeriods(db, age)) {
    if (outcome !== 'detached') steps.push(`${period} ${outcome}`);
  }
  return steps;
}
