import test, { type ExecutionContext } from 'ava';
import { dumpDatabase } from '../../harness/database/database-dump.ts';
import { testDatabase } from '../../harness/database/database.ts';
import { emptyAgain, readFreshState } from '../../harness/database/empty-again.ts';
import { aChannel, aTenant } from '../../harness/tenants.ts';

async function usedDatabase(t: ExecutionContext) {
  const { db, url, another } = await testDatabase(t);
  const fresh = await readFreshState(db);
  const before = await dumpDatabase(db);
  await aChannel(db, (await aTenant(db)).workspace);
  return { db, url, another, before, empty: () => emptyAgain({ db, name: new URL(url).pathname.slice(1), fresh }) };
}

test("an emptied database has the template's rows and sequences again", async (t) => {
  const { db, before, empty } = await usedDatabase(t);
  await db('installation').update({ created_at: new Date(0) });

  t.true(await empty());

  t.deepEqual(await dumpDatabase(db), before);
  t.is((await aTenant(db)).organization.id, 1);
});

for (const change of [
  'alter table channels add column extra int',
  'drop table media_containers cascade',
  'create table extra (id int)',
  'create function extra() returns int language sql as $$ select 1 $$',
]) {
  test(`a database is not used again after "${change.split(' ', 3).join(' ')}"`, async (t) => {
    const { db, empty } = await usedDatabase(t);
    await db.raw(change);
    t.false(await empty());
  });
}

test('the settings of a database end with it', async (t) => {
  const { db, url, empty } = await usedDatabase(t);
  await db.raw(`alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = on`);
  t.false(await empty());
});

test('sessions that a test left open end before the next one', async (t) => {
  const { db, another, empty } = await usedDatabase(t);
  const other = another();
  const { rows } = await other.raw('select pg_backend_pid() as pid');

  t.true(await empty());

  t.is((await db('pg_stat_activity').where(rows[0])).length, 0);
});
