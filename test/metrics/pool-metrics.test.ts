import test from 'ava';
import { addPoolMetrics, poolOf, poolOfTurns, type SharedPool } from '../../metrics/pool-metrics.ts';
import { createMetricRegistry } from '../../metrics/registry.ts';
import { createShares } from '../../process/shares.ts';
import { fieldsOf } from '../harness/fields-of.ts';
import { testDatabase } from '../harness/database/database.ts';
import { aTenant } from '../harness/tenants.ts';

const aPool = (others: Partial<SharedPool> = {}): SharedPool => ({
  capacity: 10,
  usedCount: 5,
  waitingCount: 0,
  largest: [],
  ...others,
});

test('a pool shows its size, its use and who waits', async (t) => {
  const { db } = await testDatabase(t);
  const registry = createMetricRegistry();
  addPoolMetrics(registry, { db, pools: () => ({ database: aPool({ waitingCount: 3 }) }) });

  const text = await registry.expose();

  t.regex(text, /^channels_pool_capacity\{pool="database"\} 10$/m);
  t.regex(text, /^channels_pool_used\{pool="database"\} 5$/m);
  t.regex(text, /^channels_pool_waiting\{pool="database"\} 3$/m);
});

test('a pool that is half full names its largest holders', async (t) => {
  const { db } = await testDatabase(t);
  const first = await aTenant(db);
  const second = await aTenant(db);
  const shares = createShares({ perCredential: 10, perOrganization: 10, inAll: 40 });
  const pools = () => ({ streams: poolOf(shares) });
  const registry = createMetricRegistry();
  addPoolMetrics(registry, { db, pools });
  shares.take({ organizationId: first.organization.id });
  t.notRegex(await registry.expose(), /channels_pool_holder\{/);

  shares.take({ organizationId: first.organization.id });
  shares.take({ organizationId: second.organization.id });
  for (let number = 0; shares.count() < 20; number++) shares.tryTake({ organizationId: 1_000_000 + number }, 1);

  const named: string[] = (await registry.expose()).match(/^channels_pool_holder\{.*$/gm) ?? [];
  t.is(named.length, 3);
  t.true(named.includes(`channels_pool_holder{pool="streams",organization="${first.organization.publicId}"} 2`));
});

test('a pool of connections names organizations, not addresses', (t) => {
  const tenants = new Map([
    ['address:192.0.2.0', 9],
    ...[1, 2, 3, 4].map((number) => [`organization:${number}`, number] as const),
  ]);
  const pool = poolOfTurns({ capacity: 10, usedCount: 10, waitingCount: 9, tenants });
  t.deepEqual(fieldsOf(pool.largest, 'organizationId'), [4, 3, 2]);
});
