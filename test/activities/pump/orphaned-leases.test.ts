import test from 'ava';
import { SHARD_COUNT } from '../../../contract/deliveries/shards.ts';
import { startPumpFleet } from '../../../activities/pump/pump-fleet.ts';
import { createFleetLedger } from '../../../activities/pump/ledger/pump-ledger.ts';
import { createLease } from '../../../activities/pump/lease.ts';
import { startWorkerPump } from '../../../activities/pump/worker-pump.ts';
import { fleetOf } from '../../harness/deliveries/fleet-member.ts';
import { hotLedger } from '../../harness/deliveries/hot-ledger.ts';
import { interceptedPool } from '../../harness/deliveries/intercepted-pool.ts';
import { notificationsOf, pumpDeps } from '../../harness/deliveries/pump-deps.ts';
import { rememberingLog } from '../../harness/quiet-log.ts';
import { until } from '../../harness/until.ts';

test('a worker whose row was deleted serves its shards again', async (t) => {
  const ledger = await hotLedger(t);
  const { fleet } = fleetOf(t, ledger).join();
  await until(() => fleet.pump.shards().length === SHARD_COUNT, { for: 'All shards' });
  await ledger.db('workers').delete();
  const isServedAgain = async () => {
    const fences: number[] = await ledger.db('shard_leases').pluck('fence');
    return Math.min(...fences) > 1 && fleet.pump.shards().length === SHARD_COUNT;
  };
  await until(isServedAgain, { for: 'All shards under later fences' });
  t.pass();
});

test('an acquisition whose answer is lost leaves no shard unserved', async (t) => {
  const ledger = await hotLedger(t);
  let isLost = false;
  const pool = interceptedPool(ledger.anotherPool(6), async ({ name }, execute) => {
    const result = await execute();
    if (isLost || name !== 'acquire-leases') return result;
    isLost = true;
    throw new Error('connection lost');
  });
  const wake = notificationsOf(t, ledger);
  const deps = pumpDeps({ pool, wake, log: rememberingLog(), holder: 'host/1/a' });
  const lease = createLease();
  const pump = startWorkerPump({ ...deps, lease });
  const fleet = startPumpFleet({ ...deps, ledger: createFleetLedger(pool), roles: ['pump'], pump, lease });
  t.teardown(() => fleet.stop());
  await until(() => isLost && fleet.pump.shards().length === SHARD_COUNT, { for: 'All shards' });
  t.pass();
});
