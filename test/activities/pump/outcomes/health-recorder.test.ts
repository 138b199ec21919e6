import test, { type ExecutionContext } from 'ava';
import { createHealthRecorder } from '../../../../activities/pump/outcomes/health-recorder.ts';
import { failingLedger } from '../../../harness/deliveries/failing-ledger.ts';
import { aSubscriptionDestination } from '../../../harness/deliveries/hot-ledger.ts';
import { interceptedPool } from '../../../harness/deliveries/intercepted-pool.ts';
import { pumpLedgerOf } from '../../../harness/deliveries/pump-deps.ts';
import { rememberingLog } from '../../../harness/quiet-log.ts';
import { until } from '../../../harness/until.ts';

const LONG_MS = 1_000_000;

/** Two destinations. By default, `accept` adds a request of the first one. */
async function recording(t: ExecutionContext, { intervalMs = LONG_MS } = {}) {
  const ledger = await failingLedger(t, { events: 0 });
  const { db, pool, destinationId, channel } = ledger;
  const otherId = await aSubscriptionDestination(ledger, channel);
  const closedIds: number[] = [];
  const log = rememberingLog();
  const onCircuits = (ids: readonly number[]): void => void closedIds.push(...ids);
  const health = createHealthRecorder({ ledger: pumpLedgerOf(pool), onCircuits, intervalMs, refusedRetryMs: 20, log });
  const accept = (id = destinationId, startedAtMs = Date.now()) =>
    health.add({ destinationId: id, startedAtMs, endedAtMs: startedAtMs + 5 });
  const acceptedCount = async (id = destinationId) =>
    Math.round((await db('destinations').where({ id }).first()).recent_accepted);
  return { ...ledger, otherId, closedIds, log, health, accept, acceptedCount };
}

test('accepted requests are recorded without a flush', async (t) => {
  const { otherId, accept, acceptedCount } = await recording(t, { intervalMs: 20 });
  accept();
  accept();
  accept(otherId);
  await until(async () => (await acceptedCount()) === 2, { for: 'The record of accepted requests' });
  t.is(await acceptedCount(otherId), 1);
});

test('a flush records what was gathered and forgets it', async (t) => {
  const { db, destinationId, health, accept, acceptedCount } = await recording(t);
  const atMs = Date.now();
  accept(destinationId, atMs);
  accept(destinationId, atMs - 1_000);
  t.is(health.lastAcceptedAtMs(destinationId), atMs + 5);
  const flushed = health.flush();
  for (let turn = 0; turn < 10; turn++) await Promise.resolve(); // the write has begun
  accept(destinationId, atMs + 1_000);
  await flushed;
  t.is(await acceptedCount(), 2);
  t.is(health.lastAcceptedAtMs(destinationId), atMs + 1_005, 'the third was added during the write');
  await health.flush();
  t.is(health.lastAcceptedAtMs(destinationId), undefined);
  const { last_delivered_at: lastAt } = await db('destinations').where({ id: destinationId }).first();
  t.is(lastAt.getTime(), atMs + 1_005);
});

test('an accepted request closes a circuit and names the destination', async (t) => {
  const { db, destinationId, closedIds, health, accept } = await recording(t);
  const now = db.fn.now();
  const open = { circuit: 'open', circuit_reason: 'failures', circuit_opened_at: now, circuit_probe_at: now };
  await db('destinations').where({ id: destinationId }).update(open);
  accept();
  await health.flush();
  t.deepEqual(closedIds, [destinationId]);
  t.is((await db('destinations').where({ id: destinationId }).first()).circuit, 'closed');
});

test('a locked destination is recorded later and delays no other', async (t) => {
  const { db, destinationId, otherId, health, accept, acceptedCount, log } = await recording(t);
  const lock = await db.transaction();
  await lock.raw('select from destinations where id = ? for no key update', [destinationId]);
  accept();
  accept(otherId);
  t.deepEqual(await health.flush(), new Set([destinationId]));
  t.is(await acceptedCount(otherId), 1);
  t.not(health.lastAcceptedAtMs(destinationId), undefined);
  const waiting = health.flush([destinationId], { waits: true });
  await lock.rollback();
  t.deepEqual(await waiting, new Set());
  t.is(await acceptedCount(), 1);
  t.deepEqual(log.lines, []);
});

test('a destination that refuses its record delays no other', async (t) => {
  const { db, destinationId, otherId, health, accept, acceptedCount, log } = await recording(t, { intervalMs: 20 });
  await db.raw(`alter table destinations add constraint refuses
    check (id <> ${destinationId} or last_delivered_at is null) not valid`);
  accept();
  accept(otherId);
  await health.flush();
  t.is(await acceptedCount(otherId), 1);
  t.true(log.lines.some(({ event }) => event === 'health.recordFailed'));
  t.not(health.lastAcceptedAtMs(destinationId), undefined);
  await db.raw('alter table destinations drop constraint refuses');
  await until(async () => (await acceptedCount()) === 1, { for: 'The record after the reason has ended' });
});

test('a flush records only the destinations that it names', async (t) => {
  const { otherId, health, accept, acceptedCount } = await recording(t);
  accept();
  accept(otherId);
  await health.flush([otherId]);
  t.is(await acceptedCount(otherId), 1);
  t.is(await acceptedCount(), 0);
});

test('a record that fails for a moment is repeated with later requests', async (t) => {
  const ledger = await failingLedger(t, { events: 0 });
  const { pool, db, destinationId } = ledger;
  let failures = 1;
  const failing = interceptedPool(pool, (_, execute) =>
    failures-- > 0 ? Promise.reject(new Error('Connection terminated')) : execute(),
  );
  const log = rememberingLog();
  const onCircuits = (): void => undefined;
  const health = createHealthRecorder({ ledger: pumpLedgerOf(failing), onCircuits, intervalMs: LONG_MS, log });
  const atMs = Date.now();
  health.add({ destinationId, startedAtMs: atMs, endedAtMs: atMs + 5 });
  await health.flush();
  t.is(health.lastAcceptedAtMs(destinationId), atMs + 5);
  health.add({ destinationId, startedAtMs: atMs, endedAtMs: atMs + 5 });
  await health.flush();
  const { recent_accepted: count } = await db('destinations').where({ id: destinationId }).first();
  t.is(Math.round(count), 2);
});
