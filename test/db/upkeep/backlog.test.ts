import test from 'ava';
import { acceptItems } from '../../../db/ledger/accept.ts';
import { readBacklog } from '../../../db/upkeep/backlog.ts';
import {
  aSubscriptionDestination,
  anItem,
  aWebhookDestination,
  hotLedger,
} from '../../harness/deliveries/hot-ledger.ts';

const age = (seconds: number) => `now() - ${seconds} * interval '1 second'`;

test('the backlog has counts by status, and oldest ages by circuit', async (t) => {
  const ledger = await hotLedger(t);
  const { id } = await aWebhookDestination(ledger, ledger.channel);
  const other = await aSubscriptionDestination(ledger, ledger.channel);
  await acceptItems(ledger.pool, [anItem(), anItem(), anItem()]);
  const sinceMs = performance.now();
  await ledger.pool.query(`update deliveries set created_at = ${age(100)} where id = (
    select min(id) from deliveries where destination_id = ${id})`);
  await ledger.pool.query(`update deliveries set created_at = ${age(900)} where id = (
    select min(id) from deliveries where destination_id = ${other})`);
  await ledger.pool.query(`update destinations set circuit = 'open', circuit_reason = 'retry_after',
    circuit_opened_at = now(), circuit_probe_at = now() where id = ${other}`);
  await ledger.pool.query(`update deliveries set status = 'retrying', created_at = ${age(50)},
    next_attempt_at = ${age(20)} where id = (select max(id) from deliveries where destination_id = ${id})`);

  const backlog = await readBacklog(ledger.pool);
  t.deepEqual(backlog.waiting, [
    { status: 'pending', count: 5 },
    { status: 'retrying', count: 1 },
  ]);
  const passedSeconds = (performance.now() - sinceMs) / 1_000;
  /** Rows have aged since they were written. */
  const isAge = (seconds: number, writtenSeconds: number): boolean =>
    t.true(seconds >= writtenSeconds && seconds <= writtenSeconds + passedSeconds, `${seconds} s`);
  const oldest = (status: string, circuit: string): number =>
    backlog.oldest.find((of) => of.status === status && of.circuit === circuit)!.seconds;
  isAge(oldest('pending', 'closed'), 100);
  isAge(oldest('pending', 'open'), 900);
  isAge(oldest('retrying', 'closed'), 50);
  t.is(oldest('retrying', 'open'), 0);
  isAge(backlog.overdueSeconds, 20);
  t.deepEqual(backlog.circuits, [
    { reason: 'failures', count: 0 },
    { reason: 'retry_after', count: 1 },
  ]);
});

test('an empty ledger reports zero', async (t) => {
  const { pool } = await hotLedger(t);
  const { waiting, oldest, overdueSeconds } = await readBacklog(pool);
  t.deepEqual([waiting.length, oldest.length, overdueSeconds], [2, 4, 0]);
  t.true(waiting.every(({ count }) => count === 0));
  t.true(oldest.every(({ seconds }) => seconds === 0));
});

test('the most overdue retry counts only behind a closed circuit', async (t) => {
  const ledger = await hotLedger(t);
  const { id } = await aWebhookDestination(ledger, ledger.channel);
  const other = await aSubscriptionDestination(ledger, ledger.channel);
  await acceptItems(ledger.pool, [anItem()]);
  await ledger.pool.query(`update deliveries set status = 'retrying',
    next_attempt_at = case when destination_id = ${id} then ${age(900)} else ${age(100)} end`);
  const { overdueSeconds: most } = await readBacklog(ledger.pool);
  t.true(most >= 900);
  await ledger.pool.query(`update destinations set circuit = 'open', circuit_reason = 'failures',
    circuit_opened_at = now(), circuit_probe_at = now() where id = ${id}`);
  const { overdueSeconds } = await readBacklog(ledger.pool);
  t.true(overdueSeconds >= 100 && overdueSeconds < 900);
  await ledger.pool.query(`update destinations set circuit = 'open', circuit_reason = 'failures',
    circuit_opened_at = now(), circuit_probe_at = now() where id = ${other}`);
  t.is((await readBacklog(ledger.pool)).overdueSeconds, 0);
});

test('a backlog behind a rate counts as paused', async (t) => {
  const ledger = await hotLedger(t);
  const { id } = await aWebhookDestination(ledger, ledger.channel);
  await acceptItems(ledger.pool, [anItem()]);
  await ledger.pool.query(`update deliveries set created_at = ${age(100)}`);
  await ledger.pool.query(`update destinations set options = '{"requestsPerSecond": 1}' where id = ${id}`);
  const { oldest } = await readBacklog(ledger.pool);
  const seconds = (circuit: string): number =>
    oldest.find((of) => of.status === 'pending' && of.circuit === circuit)!.seconds;
  t.is(seconds('closed'), 0);
  t.true(seconds('open') >= 100);
});
