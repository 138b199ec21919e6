import { mkdtemp, rm, chmod } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { startPostgres } from '../../../dev/postgres/embedded-postgres.ts';
import { countArrivals, tally, untilArrived, untilMiddle } from '../../harness/system/arrivals.ts';
import { countLostLeases } from '../../harness/system/lost-leases.ts';
import { publishBurst } from '../../harness/system/publish.ts';
import { patienceMs, sized } from '../../harness/system/scale.ts';
import { startSystem } from '../../harness/system/system.ts';

const count = sized({ quick: 3_000, full: 20_000 });
const IN_FLIGHT = 64;

test('a killed PostgreSQL server loses no acknowledged event', async (t) => {
  t.timeout(patienceMs(count) * 2);
  const arrivals = await countArrivals(t);
  const postgres = await ownPostgres(t);
  const { channel, ...system } = await startSystem(t, { env: { DESTINATION_IN_FLIGHT: String(IN_FLIGHT) } });
  const { resourceId } = await channel({ webhookUrl: arrivals.url });
  const burst = publishBurst({ ...system, resourceIds: [resourceId], count });

  await untilMiddle(arrivals, { burst, count });
  postgres.kill9();
  await burst.done;
  await untilArrived(arrivals, { messageIds: burst.acknowledged, timeoutMs: patienceMs(count) });

  const counts = tally(t, { acknowledged: burst.acknowledged, arrivals });
  t.true(burst.refusedCount() > 0, 'the kill hit open requests');
  t.is(counts.acknowledged, count);
  t.is(counts.lost, 0);
  t.is(counts.delivered, count);
  t.is(counts.disordered, 0);
  t.true(counts.repeated <= (1 + countLostLeases(system)) * IN_FLIGHT, `${counts.repeated} repeated`);
});

/** A supervisor restarts the server. */
async function ownPostgres(t: ExecutionContext): Promise<{ kill9: () => void }> {
  const folder = await mkdtemp(join(tmpdir(), 'own-postgres-'));
  await chmod(folder, 0o711); // PostgreSQL runs as another user if this is root.
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  let pid: number | undefined;
  const server = await startPostgres({
    dataDir: join(folder, 'data'),
    durable: false,
    onProgress: () => undefined,
    onPid: (now) => (pid = now),
  });
  t.teardown(() => rm(server.folder, { recursive: true, force: true }));
  t.teardown(() => server.stop());
  process.env['TEST_DATABASE_URL'] = server.url; // Each test file has its own environment, because it runs in its own process.
  return { kill9: () => void (pid !== undefined && process.kill(pid, 'SIGKILL')) };
}
