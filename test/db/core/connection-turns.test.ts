import { AsyncLocalStorage } from 'node:async_hooks';
import knex, { type Knex } from 'knex';
import test, { type ExecutionContext } from 'ava';
import { takeTurns } from '../../../db/core/connection-turns.ts';
import { connectPatiently, PATIENCE_MS } from '../../harness/database/connect-patiently.ts';
import { testDatabase } from '../../harness/database/database.ts';

/** A pool that counts its connections, and whose statements end when the test says so. */
function aPool({ capacity = 3, waitMs = 60_000, fails = false } = {}) {
  const served: string[] = [];
  let tenant: string | undefined;
  const client = {
    acquireConnection: () => (fails ? Promise.reject(new Error('refused')) : Promise.resolve({})),
    releaseConnection: () => Promise.resolve(),
  };
  const stats = takeTurns({ client } as Knex, { capacity, waitMs, tenant: () => tenant });
  return {
    served,
    stats,
    async statement(of: string | undefined): Promise<() => Promise<void>> {
      tenant = of;
      const connection = await client.acquireConnection();
      served.push(of ?? 'service');
      return () => (client.releaseConnection as (one: object) => Promise<void>)(connection);
    },
  };
}

/** Ends one statement after the other until all are served. */
async function endAll(statements: readonly Promise<() => Promise<void>>[]): Promise<void> {
  for (const statement of statements) await (await statement)();
}

test('one tenant leaves a connection for another', async (t) => {
  const pool = aPool();
  const ends = await Promise.all([pool.statement('a'), pool.statement('a')]);
  const waiting = pool.statement('a');

  await pool.statement('b');

  t.deepEqual(pool.served, ['a', 'a', 'b']);
  t.deepEqual([pool.stats().usedCount, pool.stats().waitingCount], [3, 1]);
  t.deepEqual(
    [...pool.stats().tenants],
    [
      ['a', 3],
      ['b', 1],
    ],
  );
  await ends[0]();
  await waiting;
});

test('tenants take turns while the pool is full', async (t) => {
  const pool = aPool({ capacity: 1 });
  const first = pool.statement('a');
  const many = Array.from({ length: 5 }, () => pool.statement('a'));
  const few = [pool.statement('b'), pool.statement('c'), pool.statement('b')];

  await endAll([first, many[0]!, few[0]!, few[1]!, many[1]!, few[2]!, ...many.slice(2)]);

  t.deepEqual(pool.served, ['a', 'a', 'b', 'c', 'a', 'b', 'a', 'a', 'a']);
  t.like(pool.stats(), { usedCount: 0, waitingCount: 0 });
  t.is(pool.stats().tenants.size, 0);
});

test("the service's own statements take turns too and may use all connections", async (t) => {
  const pool = aPool({ capacity: 2 });
  const own = [pool.statement(undefined), pool.statement(undefined)];
  await Promise.all(own);
  const waiting = [pool.statement('a'), pool.statement('a'), pool.statement(undefined)];

  await endAll([own[0]!, waiting[0]!, waiting[2]!, own[1]!, waiting[1]!]);

  t.deepEqual(pool.served, ['service', 'service', 'a', 'service', 'a']);
});

test('a statement that waits too long is refused', async (t) => {
  const pool = aPool({ capacity: 1, waitMs: 1 });
  const end = await pool.statement('a');

  await t.throwsAsync(pool.statement('b'), { instanceOf: knex.KnexTimeoutError });

  t.is(pool.stats().waitingCount, 0);
  await end();
  await t.notThrowsAsync(pool.statement('b'));
});

test('a connection that fails ends its turn', async (t) => {
  const pool = aPool({ capacity: 1, fails: true });
  await t.throwsAsync(pool.statement('a'), { message: 'refused' });
  await t.throwsAsync(pool.statement('a'), { message: 'refused' });
  t.is(pool.stats().usedCount, 0);
});

test('a crowd of statements and transactions does not delay another tenant', async (t) => {
  const db = await pooled(t, { capacity: 2 });
  const order: string[] = [];
  const crowd = Array.from({ length: 40 }, async (_, n) => {
    if (n % 2 === 0) await db.as('a', (one) => one.raw('select 1'));
    else await db.as('a', (one) => one.transaction(async (trx) => void (await trx.raw('select 1'))));
    order.push('a');
  });
  await db.as('b', (one) => one.raw('select 1'));
  order.push('b');
  await Promise.all(crowd);

  t.true(order.indexOf('b') < 20, order.join(''));
  t.like(db.stats(), { usedCount: 0, waitingCount: 0 });
});

async function pooled(t: ExecutionContext, { capacity }: { readonly capacity: number }) {
  const { url } = await testDatabase(t);
  const db = connectPatiently({ url, applicationName: 'test-turns', poolSize: capacity });
  t.teardown(() => db.destroy());
  const tenants = new AsyncLocalStorage<string>();
  const stats = takeTurns(db, { capacity, waitMs: PATIENCE_MS, tenant: () => tenants.getStore() });
  const as = <Result>(of: string, act: (one: Knex) => PromiseLike<Result>): Promise<Result> =>
    tenants.run(of, async () => await act(db));
  return { stats, as };
}
