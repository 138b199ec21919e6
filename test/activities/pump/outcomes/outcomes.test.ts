import test from 'ava';
import { createAcceptedOutcomes } from '../../../../activities/pump/outcomes/accepted-outcomes.ts';
import { createFailedOutcomes } from '../../../../activities/pump/outcomes/failed-outcomes.ts';
import type { Outcome } from '../../../../activities/pump/outcomes/outcome.ts';
import type { ClaimedDelivery } from '../../../../db/ledger/claim.ts';
import { PERIOD_SPAN } from '../../../../db/core/period-span.ts';
import { type FailingLedger, failingLedger, HOUR_MS, refusal } from '../../../harness/deliveries/failing-ledger.ts';
import {
  aSubscriptionDestination,
  claim,
  deliveryRows,
  accepted,
  anItem,
} from '../../../harness/deliveries/hot-ledger.ts';
import { rememberingLog } from '../../../harness/quiet-log.ts';
import { until } from '../../../harness/until.ts';

test('a locked destination delays no accepted delivery of another', async (t) => {
  const ledger = await failingLedger(t, { events: 0 });
  const { db, pool, destinationId } = ledger;
  await aSubscriptionDestination(ledger, ledger.channel);
  await accepted(pool, [anItem(), anItem()]);
  const shards: number[] = await db('destinations').distinct('shard').pluck('shard');
  const rows: ClaimedDelivery[] = [];
  for (const shard of shards) rows.push(...(await claim(pool, { shard })).deliveries);
  t.is(rows.length, 4);
  const log = rememberingLog();
  const outcomes = createAcceptedOutcomes({ pool, onCircuits: () => undefined, log });
  const settledIds: number[] = [];
  const onSettled = (settled: readonly { readonly row: ClaimedDelivery }[]): void =>
    void settledIds.push(...settled.map(({ row }) => row.destinationId));
  const ending = await db.transaction();
  await ending.raw('select from destinations where id = ? for no key update', [destinationId]);
  for (const row of rows) outcomes.add({ row, attempt: refusal({ outcome: 'accepted', status: 200 }), onSettled });
  await until(() => settledIds.length === 2, { for: 'The settlement of the other destination' });
  t.false(settledIds.includes(destinationId));
  t.not(outcomes.lastAtMs(destinationId), undefined);
  await ending.commit();
  await until(() => settledIds.length === 4, { for: 'The settlement of the locked destination' });
  t.true((await deliveryRows(pool)).every(({ status }) => status === 'delivered'));
  t.is(outcomes.lastAtMs(destinationId), undefined);
  t.deepEqual(log.lines, []);
});

test('a locked destination delays no failed delivery of another', async (t) => {
  const ledger = await failingLedger(t, { events: 0 });
  const { db, pool, destinationId, shard } = ledger;
  await aSubscriptionDestination(ledger, ledger.channel);
  await db('destinations').update({ shard });
  await accepted(pool, [anItem(), anItem()]);
  const rows = (await claim(pool, { shard })).deliveries;
  t.is(rows.length, 4);
  const settledIds: number[] = [];
  const outcomes = failedOutcomes(ledger, (settled) => {
    settledIds.push(...settled.map(({ row }) => row.destinationId));
  });
  const ending = await db.transaction();
  await ending.raw('select from destinations where id = ? for no key update', [destinationId]);
  for (const row of rows) outcomes.add({ row, attempt: refusal() });
  await until(() => settledIds.length === 2, { for: 'The settlement of the other destination' });
  t.false(settledIds.includes(destinationId));
  await ending.commit();
  await until(() => settledIds.length === 4, { for: 'The settlement of the locked destination' });
  t.true((await deliveryRows(pool)).every(({ status }) => status === 'retrying'));
});

function failedOutcomes({ pool, shard, fence }: FailingLedger, onSettled: (outcomes: readonly Outcome[]) => void) {
  const log = rememberingLog();
  return createFailedOutcomes({
    pool,
    shard,
    fence,
    onSettled,
    log,
    acceptedOutcomes: createAcceptedOutcomes({ pool, onCircuits: () => undefined, log }),
    scheduleMs: [5_000],
    conversationHoldMs: 60_000,
    probeDelaysMs: [5_000],
    failingDisableMs: HOUR_MS,
  });
}

test('an outcome without a partition delays no other', async (t) => {
  const ledger = await failingLedger(t, { events: 1 });
  const { pool, shard } = ledger;
  const [row] = (await claim(pool, { shard })).deliveries;
  const log = rememberingLog();
  const outcomes = createAcceptedOutcomes({ pool, onCircuits: () => undefined, log });
  const settledIds: number[] = [];
  const onSettled = (settled: readonly { readonly row: ClaimedDelivery }[]): void =>
    void settledIds.push(...settled.map((each) => each.row.id));
  const attempt = refusal({ outcome: 'accepted', status: 200 });
  outcomes.add({ row: { ...row!, id: 1_000 * PERIOD_SPAN }, attempt, onSettled });
  outcomes.add({ row: row!, attempt, onSettled });
  await until(() => settledIds.length === 1, { for: 'The settlement of the other delivery' });
  t.deepEqual(settledIds, [row!.id]);
});
