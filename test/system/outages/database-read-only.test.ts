import test from 'ava';
import type { Knex } from 'knex';
import { countArrivals, tally, untilArrived, untilMiddle } from '../../harness/system/arrivals.ts';
import type { ApiAnswer } from '../../harness/api/api-answer.ts';
import { loseDatabase } from '../../harness/system/lose-database.ts';
import { countLostLeases } from '../../harness/system/lost-leases.ts';
import { publishBurst } from '../../harness/system/publish.ts';
import { patienceMs, sized } from '../../harness/system/scale.ts';
import { startSystem } from '../../harness/system/system.ts';
import { until } from '../../harness/until.ts';

const count = sized({ quick: 3_000, full: 20_000 });
/** Maximum repeats: answers not stored before the sessions ended. */
const IN_FLIGHT = 64;
const REFUSED = 'The database of the service is read-only at the moment. Nothing can be changed. Try again shortly.';

test('a read-only database refuses changes, still reads, and loses nothing', async (t) => {
  t.timeout(patienceMs(count) * 2);
  const arrivals = await countArrivals(t);
  const { channel, db, api, tenant, ...system } = await startSystem(t, {
    env: { DESTINATION_IN_FLIGHT: String(IN_FLIGHT) },
  });
  const { resourceId, publicId } = await channel({ webhookUrl: arrivals.url });
  const workspaces = `/organizations/${tenant.organization.publicId}/workspaces`;
  const addWorkspace = () => api.call(`POST ${workspaces}`, { name: 'New', kind: 'team' });
  const readChannel = () => api.call(`GET /platform/channels/${publicId}`);
  const burst = publishBurst({ ...system, resourceIds: [resourceId], count });

  await untilMiddle(arrivals, { burst, count });
  await setReadOnly(db, true);
  await until(() => burst.refusedCount() > 0, { for: 'A refused event' });
  t.like(await untilStatus(addWorkspace, 503), { body: { code: 'SERVICE_UNAVAILABLE', message: REFUSED } });
  t.is((await untilStatus(readChannel, 200)).body.id, publicId);

  await setReadOnly(db, false);
  await untilStatus(addWorkspace, 201);
  await burst.done;
  await untilArrived(arrivals, { messageIds: burst.acknowledged, timeoutMs: patienceMs(count) });
  const counts = tally(t, { acknowledged: burst.acknowledged, arrivals });
  t.like(counts, { acknowledged: count, lost: 0, disordered: 0 });
  t.true(counts.repeated <= (1 + countLostLeases(system)) * IN_FLIGHT, `${counts.repeated} repeated`);
});

/** As a hosting provider does when the disk is full and when it has space again. Sessions keep what they began with. */
async function setReadOnly(db: Knex, isReadOnly: boolean): Promise<void> {
  const { rows } = await db.raw('select current_database() as name');
  const change = isReadOnly ? 'set default_transaction_read_only = on' : 'reset default_transaction_read_only';
  await db.raw(`begin read write; alter database "${rows[0].name}" ${change}; commit`);
  if (!isReadOnly) return;
  await loseDatabase(db);
}

async function untilStatus(call: () => Promise<ApiAnswer>, status: number): Promise<ApiAnswer> {
  let answer = await call();
  await until(async () => (answer = await call()).status === status, { for: `Status ${status}` });
  return answer;
}
