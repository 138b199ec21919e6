import { isDeepStrictEqual } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import pg from 'pg';
import { commands } from '../../admin/commands.ts';
import { UsageError } from '../../admin/commands/options.ts';
import { readConfig } from '../../process/config.ts';
import { acceptItems } from '../../db/ledger/accept.ts';
import { readDeliveryChanges } from '../../db/deliveries/changes.ts';
import { acquireLease } from '../../db/ledger/shards/shard-leases.ts';
import { emptyDatabase } from '../harness/database/database.ts';
import { eventually } from '../harness/eventually.ts';
import { anItem, aWebhookDestination, hotLedger } from '../harness/deliveries/hot-ledger.ts';
import { testBodyBox, testSecretBox, testSigningRing } from '../harness/tenants.ts';

async function stage(t: ExecutionContext) {
  const ledger = await hotLedger(t);
  const { db, pool } = ledger;
  await aWebhookDestination(ledger, ledger.channel);
  const reading = readConfig({});
  if (!reading.ok) return t.fail(reading.problems.join());
  const { config } = reading;
  const keys = { secretBox: () => testSecretBox, signingRing: () => testSigningRing, bodyBox: () => testBodyBox };
  const deps = { db, config, ...keys, readInput: () => Promise.resolve('') };
  const restored = (...args: string[]): Promise<any> => commands['after-restore']!.run(deps, args); // eslint-disable-line @typescript-eslint/no-explicit-any -- the command's own shape
  const accept = async (count = 1): Promise<void> =>
    void (await acceptItems(
      pool,
      Array.from({ length: count }, () => anItem()),
    ));
  const ids = async (table: 'events' | 'deliveries'): Promise<number[]> => await db(table).orderBy('id').pluck('id');
  return { ...ledger, restored, accept, ids };
}

test('after-restore skips IDs that may already be in use', async (t) => {
  const { restored, accept, ids } = await stage(t);
  await accept(3);
  const before = { events: (await ids('events')).at(-1)!, deliveries: (await ids('deliveries')).at(-1)! };
  const done = await restored('--ahead', '5000');
  t.deepEqual(done.idsMovedAhead, {
    events: { from: before.events, to: before.events + 5_000 },
    deliveries: { from: before.deliveries, to: before.deliveries + 5_000 },
  });
  t.deepEqual(
    (await restored('--ahead', '5000')).idsMovedAhead,
    { events: null, deliveries: null },
    'a repeat changes nothing',
  );
  await accept();
  t.true((await ids('events')).at(-1)! >= before.events + 5_000);
  t.true((await ids('deliveries')).at(-1)! >= before.deliveries + 5_000);
  const { idsMovedAhead } = await restored();
  t.is(idsMovedAhead.events.to - idsMovedAhead.events.from, 10_000_000, 'later inserts make another run necessary');
});

/** It is older than all changes, and streams don't wait for it. */
async function aTransactionElsewhere(t: ExecutionContext): Promise<void> {
  const { url } = await emptyDatabase(t);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  t.teardown(() => client.end());
  await client.query('begin');
  await client.query('select pg_current_xact_id()');
}

test('after-restore shows deliveries of a later cluster in their order', async (t) => {
  const { db, restored, accept, ids, channel, tenant } = await stage(t);
  await aTransactionElsewhere(t);
  await accept(6);
  const [first, ...later] = await ids('deliveries');
  for (const [place, id] of later.entries()) {
    await db('deliveries')
      .where({ id })
      .update({ xid: String(9_000_000_000 - place) });
  }
  const where = { channelId: channel.id, workspaceId: tenant.workspace.id };
  const seen = async (): Promise<number[]> => {
    const { changes } = await readDeliveryChanges(db, { ...where, after: { xid: 0n, id: 0 }, limit: 100 });
    return changes.map(({ position }) => position.id);
  };
  const seesOnly = (expected: readonly (number | undefined)[]): Promise<boolean> =>
    // A transaction of another test that has just ended counts as one of this database.
    eventually(async () => isDeepStrictEqual(await seen(), expected));
  t.true(await seesOnly([first]));
  const { deliveriesShownAgain } = await restored();
  t.is(deliveriesShownAgain, later.length);
  t.true(await seesOnly([first, ...later]));
  t.is((await restored()).deliveriesShownAgain, 0);
});

test('after-restore renews replay snapshots of a later cluster', async (t) => {
  const { db, restored, accept, tenant } = await stage(t);
  await accept();
  const row = {
    public_id: 'rpl_00000001', organization_id: tenant.organization.id, since_at: new Date(0),
    until_at: new Date(), statuses: ['delivered'], rate_per_second: 1, snapshot: '9000000000:9000000000:', matched: 0,
  }; // prettier-ignore
  await db('replays').insert(row);
  t.is((await restored()).replaysRenewed, 1);
  const { rows } = await db.raw('select bool_and(pg_visible_in_snapshot(d.xid, r.snapshot)) as seen, max(pg_snapshot_xmax(r.snapshot)::text::bigint) as xmax from deliveries d, replays r'); // prettier-ignore
  t.true(rows[0].seen);
  t.true(rows[0].xmax < 9_000_000_000);
  t.is((await restored()).replaysRenewed, 0);
});

test('after-restore refuses while a worker holds a lease, unless forced', async (t) => {
  const { pool, db, restored } = await stage(t);
  await acquireLease(pool, { shard: 1, holder: 'host/1' });
  await t.throwsAsync(restored(), { instanceOf: UsageError, message: /host\/1.*--force/ });
  t.deepEqual(await db('audit_entries').where({ action: 'installation.restored' }), []);
  t.truthy((await restored('--force')).idsMovedAhead.events);
  t.is((await db('audit_entries').where({ action: 'installation.restored', actor_id: 'admin' })).length, 1);
  for (const wrong of ['0', '-1', 'many', '1.5', '9'.repeat(20)]) {
    await t.throwsAsync(restored('--force', `--ahead=${wrong}`), { instanceOf: UsageError });
  }
});
