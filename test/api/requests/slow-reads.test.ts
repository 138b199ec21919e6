import test from 'ava';
import { testApi } from '../../harness/api/api.ts';
import { connectPatiently } from '../../harness/database/connect-patiently.ts';
import { eventually } from '../../harness/eventually.ts';
import { createShares } from '../../../process/shares.ts';
import { aChannel, aKey, aTenant } from '../../harness/tenants.ts';

async function stage(t: Parameters<typeof testApi>[0], perCredential = 30) {
  const slowReads = createShares({ perCredential, perOrganization: 100, inAll: 500 });
  const api = await testApi(t, { shares: { slowReads } });
  const mine = await aTenant(api.db);
  const other = await aTenant(api.db);
  await aChannel(api.db, mine.workspace);
  const holder = connectPatiently({ url: api.databaseUrl, applicationName: 'test-holder' });
  t.teardown(() => holder.destroy());
  /** Lists wait until it ends. */
  const lock = await holder.transaction();
  t.teardown(() => lock.rollback());
  await lock.raw('lock table deliveries in access exclusive mode');
  const listAs = async ({ apiKey: key, workspace }: typeof mine) =>
    (await api.call('GET /deliveries', { key, workspace: workspace.publicId })).status;
  const runningLists = async (): Promise<number> => {
    const { rows } = await holder.raw(`select count(*)::int as count from pg_locks lock
      where lock.relation = 'deliveries'::regclass and not lock.granted
        and lock.database = (select oid from pg_database where datname = current_database())`);
    return rows[0].count;
  };
  return { ...api, mine, other, lock, listAs, runningLists, slowReads };
}

test('a credential runs one slow read, and the others wait', async (t) => {
  const { mine, other, lock, listAs, runningLists, slowReads, call } = await stage(t);
  const pages = Array.from({ length: 10 }, () => listAs(mine));
  await eventually(() => slowReads.count() === 10);
  const theirs = listAs(other);
  await eventually(async () => (await runningLists()) === 2);
  t.is(slowReads.count(), 11);
  const { organization, apiKey: key } = mine;
  t.is((await call(`GET /organizations/${organization.publicId}/workspaces`, { key })).status, 200, 'other routes');
  await lock.rollback();
  t.deepEqual(
    await Promise.all([...pages, theirs]),
    Array.from({ length: 11 }, () => 200),
  );
  t.is(slowReads.count(), 0);
});

test('the keys of an organization share two places', async (t) => {
  const { db, mine, lock, listAs, runningLists, slowReads } = await stage(t);
  const keys = await Promise.all(Array.from({ length: 4 }, () => aKey(db, mine)));
  const pages = keys.map((apiKey) => listAs({ ...mine, apiKey }));
  await eventually(() => slowReads.count() === 4);
  await eventually(async () => (await runningLists()) === 2);
  await lock.rollback();
  t.deepEqual(await Promise.all(pages), [200, 200, 200, 200]);
});

test('a credential with very many waiting reads is refused', async (t) => {
  const { mine, lock, listAs, refused, slowReads } = await stage(t, 3);
  const pages = Array.from({ length: 3 }, () => listAs(mine));
  await eventually(() => slowReads.count() === 3);
  await refused('RATE_LIMITED', 'GET /deliveries', { key: mine.apiKey, workspace: mine.workspace.publicId });
  await lock.rollback();
  t.deepEqual(await Promise.all(pages), [200, 200, 200]);
});
