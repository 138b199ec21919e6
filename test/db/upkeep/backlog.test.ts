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

test('the backlog has counts and oldest ages per shard and circuit', async (t) => {
  const ledger = await hotLedger(t);
  const { id, shard } = await aWebhookDestination(ledger, ledger.channel);
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
  const sum = (status: string) =>
    backlog.waiting.filter((of) => of.status === status).reduce((total, { count }) => total + count, 0);
  t.is(sum('pending'), 5);
  t.is(sum('retrying'), 1);
  const passedSeconds = (performance.now() - sinceMs) / 1_000;
  /** Rows have aged since they were written. */
  const isAge = (seconds: number, writtenSeconds: number): boolean =>
    t.true(seconds >= writtenSeconds && seconds <= writtenSeconds + passedSeconds, `${seconds} s`);
  const oldest = (status: string, circuit: string) =>
    Math.max(...backlog.oldest.flatMap((of) => (of.status === status && of.circuit === circuit ? of.seconds : [])));
  isAge(oldest('pending', 'closed'), 100);
  isAge(oldest('pending', 'open'), 900);
  isAge(oldest('retrying', 'closed'), 50);
  t.is(oldest('retrying', 'open'), 0);
  t.deepEqual(
    backlog.overdue.map((of) => of.shard),
    [0, 1, 2, 3],
  );
  for (const of of backlog.overdue) {
    if (of.shard === shard) isAge(of.seconds, 20);
    else t.is(of.seconds, 0);
  }
  t.deepEqual(backlog.circuits, [
    { reason: 'failures', count: 0 },
    { reason: 'retry_after', count: 1 },
  ]);
});

test('an empty ledger reports zero for every shard', async (t) => {
  const { pool } = await hotLedger(t);
  const { waiting, oldest, overdue } = await readBacklog(pool);
  t.deepEqual([waiting.length, oldest.length, overdue.length], [8, 16, 4]);
  t.true([...oldest, ...overdue].every(({ seconds }) => seconds === 0));
});

test('a backlog behind a rate counts as paused', async (t) => {
  const ledger = await hotLedger(t);
  const { id } = await aWebhookDestination(ledger, ledger.channel);
  await acceptItems(ledger.pool, [anItem()]);
  await ledger.pool.query(`update deliveries set created_at = ${age(100)}`);
  await ledger.pool.query(`update destinations set options = '{"requestsPerSecond": 1}' where id = ${id}`);
  const { oldest } = await readBacklog(ledger.pool);
  const seconds = (circuit: string) =>
    Math.max(...oldest.filter((of) => of.circuit === circuit).map((of) => of.seconds));
  t.is(seconds('closed'), 0);
  t.true(seconds('open') >= 100);
});
