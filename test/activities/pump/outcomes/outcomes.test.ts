import test from 'ava';
import { createAcceptedOutcomes } from '../../../../activities/pump/outcomes/accepted-outcomes.ts';
import { createHealthRecorder } from '../../../../activities/pump/outcomes/health-recorder.ts';
import { createFailedOutcomes } from '../../../../activities/pump/outcomes/failed-outcomes.ts';
import type { Outcome } from '../../../../activities/pump/outcomes/outcome.ts';
import { PERIOD_SPAN } from '../../../../db/core/period-span.ts';
import { aLease } from '../../../harness/deliveries/a-lease.ts';
import { shardOf } from '../../../harness/deliveries/shard-of.ts';
import { type FailingLedger, failingLedger, HOUR_MS, refusal } from '../../../harness/deliveries/failing-ledger.ts';
import {
  aSubscriptionDestination,
  claim,
  deliveryRows,
  accepted,
  anItem,
} from '../../../harness/deliveries/hot-ledger.ts';
import { pumpLedgerOf } from '../../../harness/deliveries/pump-deps.ts';
import { rememberingLog } from '../../../harness/quiet-log.ts';
import { until } from '../../../harness/until.ts';

test('a locked destination delays no accepted delivery', async (t) => {
  const ledger = await failingLedger(t, { events: 0 });
  const { db, pool, destinationId, shard, fence } = ledger;
  const lease = { shard, fence };
  await aSubscriptionDestination(ledger, ledger.channel);
  await accepted(pool, [anItem(), anItem()]);
  const rows = (await claim(pool)).deliveries;
  t.is(rows.length, 4);
  const log = rememberingLog();
  let settledCount = 0;
  const onSettled = (settled: readonly Outcome[]): void => void (settledCount += settled.length);
  const outcomes = createAcceptedOutcomes({ ledger: pumpLedgerOf(pool), onSettled, log });
  const ending = await db.transaction();
  await ending.raw('select from destinations where id = ? for no key update', [destinationId]);
  for (const row of rows) outcomes.add({ row, lease, attempt: refusal({ outcome: 'accepted', status: 200 }) });
  await until(() => settledCount === 4, { for: 'The settlement of both destinations' });
  await ending.rollback();
  t.true((await deliveryRows(pool)).every(({ status }) => status === 'delivered'));
  t.deepEqual(log.lines, []);
});

test('a locked destination delays no failed delivery of another', async (t) => {
  const ledger = await failingLedger(t, { events: 0 });
  const { db, pool, destinationId } = ledger;
  const subscriptionId = await aSubscriptionDestination(ledger, ledger.channel);
  const leases = new Map([[ledger.shard, { shard: ledger.shard, fence: ledger.fence }]]);
  const shard = shardOf(subscriptionId);
  leases.set(shard, await aLease(pool, shard));
  await accepted(pool, [anItem(), anItem()]);
  const rows = (await claim(pool)).deliveries;
  t.is(rows.length, 4);
  const settledIds: number[] = [];
  const outcomes = failedOutcomes(ledger, (settled) => {
    settledIds.push(...settled.map(({ row }) => row.destinationId));
  });
  const ending = await db.transaction();
  await ending.raw('select from destinations where id = ? for no key update', [destinationId]);
  for (const row of rows) outcomes.add({ row, attempt: refusal(), lease: leases.get(row.shard)! });
  await until(() => settledIds.length === 2, { for: 'The settlement of the other destination' });
  t.false(settledIds.includes(destinationId));
  await ending.commit();
  await until(() => settledIds.length === 4, { for: 'The settlement of the locked destination' });
  t.true((await deliveryRows(pool)).every(({ status }) => status === 'retrying'));
});

function failedOutcomes(
  { pool }: FailingLedger,
  onSettled: (outcomes: readonly Outcome[]) => void,
  health = createHealthRecorder({ ledger: pumpLedgerOf(pool), onCircuits: () => undefined, log: rememberingLog() }),
) {
  const log = rememberingLog();
  return createFailedOutcomes({
    ledger: pumpLedgerOf(pool),
    onSettled,
    log,
    health,
    scheduleMs: [5_000],
    conversationHoldMs: 60_000,
    probeDelaysMs: [5_000],
    failingDisableMs: HOUR_MS,
  });
}

test('failures of a locked destination are judged with its successes', async (t) => {
  const ledger = await failingLedger(t, { events: 0 });
  const { db, pool, destinationId, shard, fence } = ledger;
  const log = rememberingLog();
  const health = createHealthRecorder({
    ledger: pumpLedgerOf(pool),
    onCircuits: () => undefined,
    intervalMs: 1_000_000,
    log,
  });
  const settledIds: number[] = [];
  const onSettled = (settled: readonly Outcome[]): void => void settledIds.push(...settled.map(({ row }) => row.id));
  const outcomes = failedOutcomes(ledger, onSettled, health);
  await accepted(
    pool,
    Array.from({ length: 20 }, () => anItem()),
  );
  const rows = (await claim(pool)).deliveries;
  const lock = await db.transaction();
  await lock.raw('select from destinations where id = ? for no key update', [destinationId]);
  const attempt = refusal();
  for (let count = 0; count < 30_000; count++) {
    health.add({ destinationId, startedAtMs: attempt.startedAtMs, endedAtMs: Date.now() + 5_000 });
  }
  for (const row of rows) outcomes.add({ row, attempt, lease: { shard, fence } });
  await until(() => health.lastAcceptedAtMs(destinationId) !== undefined, { for: 'The flush that was locked out' });
  await lock.rollback();
  await until(() => settledIds.length === rows.length, { for: 'The settlement of the failures' });
  const { circuit, recent_accepted: count } = await db('destinations').where({ id: destinationId }).first();
  t.is(circuit, 'closed');
  t.true(count > 0); // it decays
});

test('an outcome without a partition delays no other', async (t) => {
  const ledger = await failingLedger(t, { events: 1 });
  const { pool, shard, fence } = ledger;
  const lease = { shard, fence };
  const [row] = (await claim(pool)).deliveries;
  const log = rememberingLog();
  const settledIds: number[] = [];
  const onSettled = (settled: readonly Outcome[]): void => void settledIds.push(...settled.map((each) => each.row.id));
  const outcomes = createAcceptedOutcomes({ ledger: pumpLedgerOf(pool), onSettled, log });
  const attempt = refusal({ outcome: 'accepted', status: 200 });
  outcomes.add({ row: { ...row!, id: 1_000 * PERIOD_SPAN }, attempt, lease });
  outcomes.add({ row: row!, attempt, lease });
  await until(() => settledIds.length === 1, { for: 'The settlement of the other delivery' });
  t.deepEqual(settledIds, [row!.id]);
});
