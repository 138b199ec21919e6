import test from 'ava';
import { readInvariantCheckState, recordInvariantRun, violationsOf } from '../../../db/upkeep/invariant-runs.ts';
import { testDatabase } from '../../harness/database/database.ts';

test("the check's age counts from its last run or the installation", async (t) => {
  const { db } = await testDatabase(t);
  const { created_at: installedAt } = await db('installation').first('created_at');
  t.deepEqual(await readInvariantCheckState(db), { run: undefined, since: installedAt });
  const violations = violationsOf(() => ({ count: 2, samples: [] }));
  await recordInvariantRun(db, { startedAt: new Date(), eventCount: 1, deliveryCount: 1, violations });
  const { run, since } = await readInvariantCheckState(db);
  t.is(run?.violations.hold_without_head.count, 2);
  t.deepEqual(since, run?.endedAt);
});
