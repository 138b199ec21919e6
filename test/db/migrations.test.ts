import test from 'ava';
import { migrate, rollbackAll } from '../../db/migrate.ts';
import { isMigrated } from '../../db/queries/schema-state.ts';
import { emptyDatabase } from '../harness/database.ts';

test('the schema goes up on an empty database, once, and all the way down again', async (t) => {
  const { db } = await emptyDatabase(t);
  t.false(await isMigrated(db));
  const applied = await Promise.all([1, 2, 3].map(() => migrate(db, { deliveryShards: 4 })));
  t.is(applied.filter((names) => names.length > 0).length, 1);
  t.true(await isMigrated(db));
  t.is((await db('installation')).length, 1);
  await rollbackAll(db);
  t.false(await isMigrated(db));
});
