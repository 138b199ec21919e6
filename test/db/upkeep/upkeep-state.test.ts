import test from 'ava';
import { retentionTasks } from '../../../contract/upkeep/retention.ts';
import { recordSweep } from '../../../db/upkeep/retention-sweeps.ts';
import { readUpkeepState } from '../../../db/upkeep/upkeep-state.ts';
import { testDatabase } from '../../harness/database/database.ts';
import { aChannel } from '../../harness/tenants.ts';
import { tenantDatabase } from '../../harness/tenant-database.ts';

const DAY_MS = 86_400_000;
const within = { endsWithinMs: 3 * DAY_MS };

test('a retention task that never finished counts from the installation', async (t) => {
  const { db } = await testDatabase(t);
  await db('installation').update({ created_at: new Date(Date.now() - DAY_MS) });
  await recordSweep(db, 'events');
  const { retention } = await readUpkeepState(db, within);
  t.deepEqual(retention.map(({ task }) => task).toSorted(), [...retentionTasks].toSorted());
  for (const { task, seconds } of retention) t.is(seconds > 80_000, task !== 'events', task);
});

test('credentials of connected channels that end soon are counted', async (t) => {
  const { db, workspace } = await tenantDatabase(t);
  const channel = await aChannel(db, workspace);
  const count = async (): Promise<number> => (await readUpkeepState(db, within)).endingCredentialCount;
  const endIn = (days: number | null) =>
    db('connection_credentials').update({ expires_at: days === null ? null : new Date(Date.now() + days * DAY_MS) });
  for (const [days, expected] of [
    [null, 0],
    [4, 0],
    [2, 1],
    [-1, 1],
  ] as const) {
    await endIn(days);
    t.is(await count(), expected, String(days));
  }
  await db('channels').where({ id: channel.id }).update({ disconnected_at: new Date() });
  t.is(await count(), 0, 'no channel uses it');
});
