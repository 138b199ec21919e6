import test, { type ExecutionContext } from 'ava';
import { deliveryStatuses } from '../../../contract/deliveries/status.ts';
import type { Attempt } from '../../../db/ledger/attempts.ts';
import { settleAccepted } from '../../../db/ledger/settle-accepted.ts';
import { settleFailed } from '../../../db/ledger/settle-failed.ts';
import { aLease } from '../../harness/deliveries/a-lease.ts';
import {
  aWebhookDestination,
  claim,
  deliveryRows,
  hotLedger,
  acceptedItems,
} from '../../harness/deliveries/hot-ledger.ts';
import { failedAttempt, type Failure } from '../../harness/deliveries/failing-ledger.ts';
import { aChannel } from '../../harness/tenants.ts';
import { pluck } from '../../harness/pluck.ts';

const STARTED_AT_MS = Date.UTC(2026, 0, 1);
const DELAY_MS = 4_988;
const NEXT_AT_MS = STARTED_AT_MS + 5_000;

const anAttempt = (attempt: Partial<Attempt> = {}): Attempt => ({
  number: 1,
  startedAtMs: STARTED_AT_MS,
  durationMs: 12,
  outcome: 'rejected',
  status: 503,
  responseHeaders: { 'retry-after': '5' },
  responseBody: Buffer.from('later'),
  error: null,
  ...attempt,
});

const accepting = (attempt: Partial<Attempt> = {}): Attempt =>
  anAttempt({ outcome: 'accepted', status: 200, ...attempt });

async function leasedShard(t: ExecutionContext<unknown>, { events = 1 } = {}) {
  const ledger = await hotLedger(t);
  const { id: destinationId, shard } = await aWebhookDestination(ledger, ledger.channel);
  const ids = await acceptedItems(ledger.pool, events);
  const lease = await aLease(ledger.pool, shard);
  const failure = (deliveryId: number, others: Failure = {}) => {
    const hold = { conversationKey: 1, untilMs: Date.now() + 60_000 };
    return failedAttempt({
      deliveryId,
      destinationId,
      attempt: anAttempt(),
      hold,
      delayMs: DELAY_MS,
      lease,
      ...others,
    });
  };
  const attempts = async () => (await ledger.pool.query('select * from attempts order by delivery_id, number')).rows;
  const holds = async () => (await ledger.pool.query('select * from conversation_holds')).rows;
  const rowOf = async (id: number) => (await deliveryRows(ledger.pool)).find((row) => row.id === id)!;
  const leased = { rules: { firstProbeMs: 5_000, disableAfterMs: 432_000_000 } };
  return { ...ledger, destinationId, lease, leased, ids, id: ids[0]!, failure, attempts, holds, rowOf };
}

/** What the transitions of the statements say about statuses is asserted for each pair in `transitions.test.ts`. */
for (const was of deliveryStatuses) {
  test(`attempts of a ${was} delivery are logged, and a 2xx delivers it`, async (t) => {
    const { db, pool, id, destinationId, rowOf, attempts, holds, failure, leased } = await leasedShard(t);
    const skip_reason = was === 'skipped' ? 'forwarding_disabled' : null;
    const next_attempt_at = was === 'retrying' ? new Date() : null;
    await db('deliveries').where({ id }).update({ status: was, skip_reason, next_attempt_at });
    if (was !== 'pending') {
      const before = await rowOf(id);
      t.is((await settleFailed(pool, { ...leased, failed: [failure(id)] })).movedIds.size, 0);
      t.deepEqual(await rowOf(id), before);
      t.deepEqual(await holds(), []);
      t.like(await attempts(), [{ outcome: 'rejected' }]);
    }
    await settleAccepted(pool, [{ deliveryId: id, destinationId, attempt: accepting() }]);
    t.like(await rowOf(id), { status: 'delivered', skip_reason: null, next_attempt_at: null });
    t.deepEqual(pluck(await attempts(), 'outcome'), ['accepted']);
  });
}

test('an attempt is logged with the whole response', async (t) => {
  const { pool, ids, destinationId, attempts } = await leasedShard(t, { events: 3 });
  const bodies = [Buffer.from([0, 255, 92]), null, Buffer.alloc(0)];
  await settleAccepted(
    pool,
    ids.map((deliveryId, index) => ({
      deliveryId,
      destinationId,
      attempt: accepting({ responseBody: bodies[index]!, responseHeaders: { 'x-odd': 'é"\\' } }),
    })),
  );
  const rows = await attempts();
  t.deepEqual(pluck(rows, 'response_body'), bodies);
  t.like(rows[0], {
    number: 1,
    started_at: new Date(STARTED_AT_MS),
    duration_ms: 12,
    outcome: 'accepted',
    status: 200,
    response_headers: { 'x-odd': 'é"\\' },
    error: null,
  });
});

test('a 2xx that is settled twice is recorded once', async (t) => {
  const { pool, id, destinationId, rowOf, attempts } = await leasedShard(t);
  const settled = [{ deliveryId: id, destinationId, attempt: accepting() }];
  await settleAccepted(pool, settled);
  const first = await rowOf(id);
  await settleAccepted(pool, settled);
  t.deepEqual(await rowOf(id), first);
  t.is((await attempts()).length, 1);
});

test('a late 2xx of an early attempt keeps the attempt count', async (t) => {
  const { db, pool, id, destinationId, rowOf } = await leasedShard(t);
  await db('deliveries').where({ id }).update({ status: 'exhausted', attempt_count: 4 });
  await settleAccepted(pool, [{ deliveryId: id, destinationId, attempt: accepting() }]);
  t.like(await rowOf(id), { status: 'delivered', attempt_count: 4 });
});

test('a failure after the 2xx of the same attempt changes nothing', async (t) => {
  const { pool, id, destinationId, failure, attempts, rowOf, leased } = await leasedShard(t);
  await settleAccepted(pool, [{ deliveryId: id, destinationId, attempt: accepting() }]);
  t.is((await settleFailed(pool, { ...leased, failed: [failure(id)] })).movedIds.size, 0);
  t.like((await attempts())[0], { outcome: 'accepted' });
  t.is((await rowOf(id)).status, 'delivered');
});

test('a failed first attempt enters the schedule and holds its conversation', async (t) => {
  const { pool, ids, failure, rowOf, holds, destinationId, leased } = await leasedShard(t, { events: 2 });
  const [head] = ids;
  t.deepEqual([...(await settleFailed(pool, { ...leased, failed: [failure(head!)] })).movedIds], [head]);
  const next = { next_attempt_at: new Date(NEXT_AT_MS), attempt_count: 1, failed_in_schedule: 1 };
  t.like(await rowOf(head!), { status: 'retrying', ...next });
  t.like((await holds())[0], { destination_id: destinationId, conversation_key: 1, delivery_id: head });
  t.deepEqual((await claim(pool)).deliveries, []);
});

test('a delivery without waits left is exhausted and holds nothing', async (t) => {
  const { pool, id, failure, rowOf, holds, leased } = await leasedShard(t);
  await settleFailed(pool, { ...leased, failed: [failure(id, { delayMs: null })] });
  t.like(await rowOf(id), { status: 'exhausted', next_attempt_at: null });
  t.deepEqual(await holds(), []);
});

test('an old fence prevents failures from changing rows', async (t) => {
  const { pool, id, lease, failure, rowOf, holds, leased } = await leasedShard(t);
  const late = failure(id, { lease: { ...lease, fence: lease.fence - 1 } });
  t.is((await settleFailed(pool, { ...leased, failed: [late] })).movedIds.size, 0);
  t.is((await rowOf(id)).status, 'pending');
  t.deepEqual(await holds(), []);
});

test('a failure that is settled twice counts once', async (t) => {
  const { pool, id, failure, rowOf, attempts, leased } = await leasedShard(t);
  await settleFailed(pool, { ...leased, failed: [failure(id)] });
  const first = await rowOf(id);
  t.is((await settleFailed(pool, { ...leased, failed: [failure(id)] })).movedIds.size, 0);
  t.deepEqual(await rowOf(id), first);
  t.is((await attempts()).length, 1);
});

test('a restarted row continues its attempt numbers', async (t) => {
  const { db, pool, id, failure, rowOf, leased } = await leasedShard(t);
  await db('deliveries').where({ id }).update({ attempt_count: 12, failed_in_schedule: 0 });
  t.is((await settleFailed(pool, { ...leased, failed: [failure(id)] })).movedIds.size, 0);
  await settleFailed(pool, {
    ...leased,
    failed: [failure(id, { attempt: anAttempt({ number: 13 }) })],
  });
  t.like(await rowOf(id), { status: 'retrying', attempt_count: 13, failed_in_schedule: 1 });
});

test('a 2xx wins over a failure that is settled concurrently', async (t) => {
  const { pool, anotherPool, ids, failure, destinationId, leased } = await leasedShard(t, { events: 40 });
  const other = anotherPool();
  await Promise.all(
    ids.flatMap((id) => [
      settleFailed(pool, { ...leased, failed: [failure(id)] }),
      settleAccepted(other, [{ deliveryId: id, destinationId, attempt: accepting() }]),
    ]),
  );
  t.true((await deliveryRows(pool)).every(({ status }) => status === 'delivered'));
});

test('concurrent settling of successes and failures does not deadlock', async (t) => {
  const ledger = await leasedShard(t);
  const { db, tenant, pool, failure, leased } = ledger;
  const destinations: number[] = [];
  for (let index = 0; index < 12; index++) {
    const channel = await aChannel(db, tenant.workspace, { resourceId: `many-${index}` });
    destinations.push((await aWebhookDestination(ledger, channel)).id);
  }
  const settled = (order: readonly number[]) =>
    order.map((destinationId, index) => ({ deliveryId: 1_000_000 + index, destinationId, attempt: accepting() }));
  const failed = (order: readonly number[]) => settled(order).map((each) => failure(each.deliveryId, each));
  const backwards = [...destinations].reverse();
  const rounds = Array.from({ length: 40 }, (_, round) => {
    const [one, two] = round % 2 ? [destinations, backwards] : [backwards, destinations];
    return Promise.all([settleAccepted(pool, settled(one)), settleFailed(pool, { ...leased, failed: failed(two) })]);
  });
  await t.notThrowsAsync(Promise.all(rounds));
});
