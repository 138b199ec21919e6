import test from 'ava';
import {
  closeCircuit,
  findOverdueCircuits,
  findFailingDestinations,
} from '../../../db/ledger/destinations/circuits.ts';
import { enableDestination, retargetDestination } from '../../../db/ledger/destinations/destinations.ts';
import { findOverdue } from '../../../db/ledger/failed-deliveries.ts';
import { failingLedger, HOUR_MS, openCircuit, refusal } from '../../harness/deliveries/failing-ledger.ts';
import { claim, deliveryRows } from '../../harness/deliveries/hot-ledger.ts';
import { isWaitedFor } from '../../harness/time/waits.ts';
import { pluck } from '../../harness/pluck.ts';

test('the fifth consecutive failure opens the circuit; later ones stay pending', async (t) => {
  const ledger = await failingLedger(t, { events: 10 });
  const { ids, fail, failure, standing, statuses, pool, destinationId } = ledger;
  t.deepEqual((await fail(ids.slice(0, 4).map((id) => failure(id)))).failingDestinationIds, []);
  t.like(await standing(), { circuit: 'closed', consecutive_failures: 4 });
  const settled = await fail(ids.slice(4, 8).map((id) => failure(id)));
  t.deepEqual([...settled.movedIds], [ids[4]!]);
  t.deepEqual([...settled.waitingIds], ids.slice(5, 8));
  t.deepEqual(settled.failingDestinationIds, [destinationId]);
  t.is(await statuses(), 'retrying,retrying,retrying,retrying,retrying,pending,pending,pending,pending,pending');
  t.like(await standing(), { circuit: 'open', circuit_reason: 'failures', consecutive_failures: 8 });

  const rows = await deliveryRows(pool);
  t.like(rows[4], { attempt_count: 1, failed_in_schedule: 1 });
  t.like(rows[5], { attempt_count: 1, failed_in_schedule: 0, next_attempt_at: null });
  t.is((await pool.query('select 1 from attempts')).rowCount, 8, 'attempts of pending deliveries are logged, too');
});

test('an open circuit stops claims of its destination only', async (t) => {
  const ledger = await failingLedger(t);
  const { db, pool, ids, fail, failure, succeed } = ledger;
  await openCircuit(ledger);
  t.deepEqual((await claim(pool)).deliveries, []);
  const late = await fail([failure(ids[5]!)]);
  t.deepEqual([[...late.waitingIds], late.failingDestinationIds], [[ids[5]!], []]);

  await db('destinations').update({ circuit_opened_at: new Date(Date.now() - 2_000) });
  const sinceMs = Date.now();
  await succeed(ids[0]!, { number: 2 });
  const { deliveries } = await claim(pool);
  const mostMs = Date.now() - sinceMs + 2;
  t.deepEqual(
    deliveries.map(({ id, attemptCount }) => [id, attemptCount]),
    [[ids[5]!, 1], ...ids.slice(6).map((id) => [id, 0])],
  );
  t.true(deliveries.every(({ recoveredForMs }) => recoveredForMs !== null && recoveredForMs <= mostMs));
});

test('a destination is claimed again if its probe is long overdue', async (t) => {
  const ledger = await failingLedger(t);
  await openCircuit(ledger);
  const agoMs = (ms: number) => new Date(Date.now() - ms);
  await ledger.db('destinations').update({ circuit_probe_at: agoMs(60_000) });
  t.is((await claim(ledger.pool)).deliveries.length, 0);
  await ledger.db('destinations').update({ circuit_probe_at: agoMs(121_000) });
  t.is((await claim(ledger.pool)).deliveries.length, 5);
});

test('a 2xx resets the failure counts and closes the circuit', async (t) => {
  const ledger = await failingLedger(t);
  const { db, ids, succeed, standing } = ledger;
  await openCircuit(ledger);
  // However slow the machine is, the circuit was open for less than a second.
  await db('destinations').update({ circuit_opened_at: new Date(Date.now() + HOUR_MS) });
  t.true(await succeed(ids[9]!));
  t.like(await standing(), {
    circuit: 'closed',
    circuit_reason: null,
    circuit_probe_at: null,
    consecutive_failures: 0,
  });
  t.like(
    await standing(),
    { failing_since: null, circuit_closed_at: null },
    'a briefly open circuit starts no recovery ramp',
  );
  t.false(await succeed(ids[8]!), 'it closes once');
});

test('closing a circuit extends the holds of due heads only', async (t) => {
  const ledger = await failingLedger(t);
  const { ids, succeed, standing, db } = ledger;
  await openCircuit(ledger);
  await db('conversation_holds').update({ until_at: new Date(0) });
  await db('deliveries')
    .whereIn('id', ids.slice(0, 2))
    .update({ next_attempt_at: new Date(0) });
  await db('destinations').update({ circuit_opened_at: new Date(Date.now() - 2_000) });
  await succeed(ids[9]!);
  t.truthy((await standing()).circuit_closed_at);
  const holds = await db<{ delivery_id: number; until_at: Date }>('conversation_holds').orderBy('delivery_id');
  const held = holds.filter(({ until_at }) => until_at.getTime() > Date.now());
  t.deepEqual(pluck(held, 'delivery_id'), ids.slice(0, 2));
});

test('a requested pause opens the circuit and keeps the delivery pending', async (t) => {
  const { ids, fail, failure, standing, statuses, succeed, destinationId } = await failingLedger(t, { events: 3 });
  const sinceMs = Date.now();
  const paused = failure(ids[0]!, { pauseMs: 600_000, attempt: refusal({ status: 429 }) });
  t.deepEqual((await fail([paused])).failingDestinationIds, [destinationId]);
  t.is(await statuses(), 'pending,pending,pending');
  const { circuit_probe_at, ...rest } = await standing();
  t.like(rest, { circuit: 'open', circuit_reason: 'retry_after' });
  isWaitedFor(t, circuit_probe_at!, { waitMs: 600_000, sinceMs });

  t.false(await succeed(ids[1]!, { startedAtMs: Date.now() - 60_000 }), 'a 2xx from before the pause does not end it');
  t.is((await standing()).circuit, 'open');
  t.true(await succeed(ids[2]!, { startedAtMs: Date.now() + 1_000 }));
});

test('a second requested pause moves the delivery to the retry schedule', async (t) => {
  const { ids, fail, failure, succeed, statuses } = await failingLedger(t, { events: 2 });
  await fail([failure(ids[0]!, { pauseMs: 1_000 })]);
  await succeed(ids[1]!, { startedAtMs: Date.now() + 1_000 });
  await fail([failure(ids[0]!, { pauseMs: 1_000, attempt: refusal({ number: 2 }) })]);
  t.is(await statuses(), 'retrying,delivered');
});

test('failures under an old fence do not open the circuit', async (t) => {
  const ledger = await failingLedger(t);
  await ledger.db('shard_leases').update({ fence: ledger.fence + 1 });
  await openCircuit(ledger);
  t.like(await ledger.standing(), { circuit: 'closed', consecutive_failures: 0 });
});

test('failures that the ledger refuses never disable a destination', async (t) => {
  const ledger = await failingLedger(t, { events: 3 });
  const { db, ids, fail, failure, standing } = ledger;
  const failing_since = new Date(Date.now() - 200 * HOUR_MS);
  await db('destinations').update({ failing_since, failing_delivery_id: 1, failed_several: true });
  await db('shard_leases').update({ fence: ledger.fence + 1 });
  t.deepEqual((await fail([failure(ids[0]!), failure(ids[1]!)])).failingDestinationIds, []);
  t.like(await standing(), { enabled: true, disabled_reason: null, consecutive_failures: 0 });
});

test('a second 410 to the same delivery disables the destination as gone', async (t) => {
  const { ids, fail, failure, standing, db, destinationId } = await failingLedger(t, { events: 3 });
  const gone = (id: number, number: number) => failure(id, { attempt: refusal({ status: 410, number }) });
  await fail([gone(ids[0]!, 1), gone(ids[1]!, 1)]);
  t.true((await standing()).enabled, 'a 410 for each of two deliveries is no confirmation');
  await db('deliveries').where({ id: ids[0]! }).update({ status: 'pending', next_attempt_at: null });
  t.deepEqual((await fail([gone(ids[0]!, 2)])).failingDestinationIds, [destinationId]);
  t.like(await standing(), { enabled: false, disabled_reason: 'gone', circuit: 'closed' });
});

for (const [what, between] of [
  ['a 2xx to another delivery', (ledger) => ledger.succeed(ledger.ids[2]!)],
  ['a new URL', ({ db, destinationId }) => retargetDestination(db, { id: destinationId, url: 'https://new.test/' })],
  ['enabling the destination', ({ db, destinationId }) => enableDestination(db, destinationId)],
] satisfies [string, (ledger: Awaited<ReturnType<typeof failingLedger>>) => Promise<unknown>][]) {
  test(`${what} voids a previous 410`, async (t) => {
    const ledger = await failingLedger(t, { events: 3 });
    const gone = (number: number) => ledger.failure(ledger.ids[0]!, { attempt: refusal({ status: 410, number }) });
    await ledger.fail([gone(1)]);
    await between(ledger);
    await ledger.db('deliveries').where({ id: ledger.ids[0]! }).update({ status: 'pending', next_attempt_at: null });
    await ledger.fail([gone(2)]);
    t.true((await ledger.standing()).enabled);
  });
}

test('five days of failures of two deliveries disable a destination', async (t) => {
  const { ids, fail, failure, standing, db, destinationId } = await failingLedger(t, { events: 3 });
  await fail([failure(ids[0]!)]);
  await db('destinations').update({ failing_since: new Date(Date.now() - 121 * HOUR_MS) });
  await db('deliveries').where({ id: ids[0]! }).update({ status: 'pending', next_attempt_at: null });
  await fail([failure(ids[0]!, { attempt: refusal({ number: 2 }) })]);
  t.true((await standing()).enabled, 'failures of one event do not disable the destination');
  t.deepEqual((await fail([failure(ids[1]!)])).failingDestinationIds, [destinationId]);
  t.like(await standing(), { enabled: false, disabled_reason: 'failing' });
});

test('a new URL resets the failures and makes the probe due', async (t) => {
  const ledger = await failingLedger(t);
  const { db, destinationId, standing } = ledger;
  await openCircuit(ledger);
  await retargetDestination(db, { id: destinationId, url: 'https://new.example.com/' });
  const { circuit_probe_at, ...rest } = await standing();
  t.like(rest, { circuit: 'open', consecutive_failures: 0, failing_since: null });
  t.true(circuit_probe_at!.getTime() <= Date.now() + 1_000);
});

test('an overdue circuit is found for adoption without its deliveries', async (t) => {
  const ledger = await failingLedger(t);
  const { db, pool, shard, idKey, channel, tenant, destinationId } = ledger;
  await openCircuit(ledger);
  const overdue = { shards: [shard], overdueMs: 600_000, limit: 10 };
  t.deepEqual(await findOverdueCircuits(pool, overdue), []);
  const longAgo = new Date(Date.now() - 700_000);
  await db('destinations').update({ circuit_probe_at: longAgo });
  const withWorkflow = { next_attempt_at: longAgo, pump_retries: false };
  await db('deliveries').where({ status: 'retrying' }).update(withWorkflow);
  const expected = {
    destinationId,
    destination: 'webhook',
    isKept: false,
    channelId: channel.publicId,
    probeAtMs: longAgo.getTime(),
    workspaceId: tenant.workspace.publicId,
  };
  t.deepEqual(await findOverdueCircuits(pool, overdue), [expected]);
  t.deepEqual(await findFailingDestinations(pool, [destinationId]), [expected]);
  const overdueDeliveries = () => findOverdue(pool, idKey, { shards: [shard], overdueMs: 5_000, limit: 10 });
  t.deepEqual(await overdueDeliveries(), []);
  await closeCircuit(pool, { destinationId, consecutiveFailures: 0 });
  t.is((await overdueDeliveries()).length, 5, 'once the circuit is closed');
});
