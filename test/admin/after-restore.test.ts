import { isDeepStrictEqual } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import pg from 'pg';
import type { Client } from '@temporalio/client';
import { commands } from '../../admin/commands.ts';
import { UsageError } from '../../admin/commands/options.ts';
import { acceptItems } from '../../db/ledger/accept.ts';
import { eraseSlice } from '../../db/erasures/erase-slice.ts';
import { insertErasure } from '../../db/erasures/erasures.ts';
import { readDeliveryChanges } from '../../db/deliveries/changes.ts';
import { sequencedId } from '../../contract/ids.ts';
import { readInstallation } from '../../db/core/installation.ts';
import type { WorkflowType } from '../../workflows/workflow-types.ts';
import { emptyDatabase } from '../harness/database/database.ts';
import { eventually } from '../harness/eventually.ts';
import { aLease } from '../harness/deliveries/a-lease.ts';
import { extendLeases } from '../harness/deliveries/extend-leases.ts';
import { anItem, aWebhookDestination, hotLedger } from '../harness/deliveries/hot-ledger.ts';
import { ownNamespace } from '../harness/system/own-namespace.ts';
import { adminDeps } from '../harness/admin-deps.ts';

async function stage(t: ExecutionContext, temporal?: Client) {
  const ledger = await hotLedger(t);
  const { db, pool } = ledger;
  await aWebhookDestination(ledger, ledger.channel);
  const deps = adminDeps(db);
  const connectTemporal = () =>
    temporal
      ? Promise.resolve({ client: temporal, close: () => Promise.resolve() })
      : Promise.reject(new Error('away'));
  const given = temporal ? [] : ['--without-temporal'];
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the command's own shape
  const restored = (...args: string[]): Promise<any> =>
    commands['after-restore']!.run({ ...deps, connectTemporal }, [...given, ...args]);
  const accept = async (count = 1): Promise<void> =>
    void (await acceptItems(
      pool,
      Array.from({ length: count }, () => anItem()),
    ));
  const ids = async (table: 'events' | 'deliveries'): Promise<number[]> => await db(table).orderBy('id').pluck('id');
  return { ...ledger, deps, restored, accept, ids };
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

test('after-restore lets erasures of a later cluster continue', async (t) => {
  const { db, restored, tenant } = await stage(t);
  const scope = { kind: 'sender', sender: '15550001', eventId: null, workspaceId: null, channelId: null } as const;
  const asked = { organizationId: tenant.organization.id, reason: 'asked for' };
  const publicId = await insertErasure(db, { ...scope, ...asked });
  await db('erasures').update({ xid: '9000000000' });
  const isHeld = async () => (await eraseSlice(db, publicId, { lateMs: 0 }))?.isHeld;
  t.true(await isHeld());
  t.is((await restored()).erasuresRenewed, 1);
  // A transaction of another test that has just ended counts as one of this database.
  t.true(await eventually(async () => !(await isHeld())));
  t.is((await restored()).erasuresRenewed, 0);
});

test('after-restore refuses while a worker holds a lease, unless forced', async (t) => {
  const { pool, db, restored } = await stage(t);
  await extendLeases(db);
  await aLease(pool, 1, 'host/1');
  await t.throwsAsync(restored(), { instanceOf: UsageError, message: /host\/1.*--force/ });
  t.deepEqual(await db('audit_entries').where({ action: 'installation.restored' }), []);
  t.truthy((await restored('--force')).idsMovedAhead.events);
  t.is((await db('audit_entries').where({ action: 'installation.restored', actor_id: 'admin' })).length, 1);
  for (const wrong of ['0', '-1', 'many', '1.5', '9'.repeat(20)]) {
    await t.throwsAsync(restored('--force', `--ahead=${wrong}`), { instanceOf: UsageError });
  }
});

test('after-restore advances the ids of all tables', async (t) => {
  const { db, restored, accept } = await stage(t);
  await accept();
  await restored('--ahead', '5000');
  const [organization] = await db('organizations').insert({ public_id: 'org_Later001', name: 'later' }).returning('id');
  t.true(organization.id > 5_000);
});

test('after-restore changes nothing while Temporal is unreachable', async (t) => {
  const { db, deps, accept } = await stage(t);
  await accept();
  const connectTemporal = () => Promise.reject(new Error('connection refused'));
  await t.throwsAsync(commands['after-restore']!.run({ ...deps, connectTemporal }, []), {
    instanceOf: UsageError,
    message: /not reachable \(connection refused\).*--without-temporal/s,
  });
  t.deepEqual(await db('audit_entries').where({ action: 'installation.restored' }), []);
});

test('after-restore checks finished containers again', async (t) => {
  const { db, restored, channel, tenant } = await stage(t);
  const row = {
    channel_id: channel.id, workspace_id: tenant.workspace.id, media_type: 'IMAGE', request: {}, request_hash: Buffer.alloc(32),
    child_count: 0, auto_publish: true, create_by: new Date(), expires_at: new Date(Date.now() + 3_600_000),
    next_check_at: new Date(Date.now() + 3_600_000),
  }; // prettier-ignore
  await db('media_containers').insert([
    { ...row, public_id: 'ctr_Finished', status: 'finished' },
    { ...row, public_id: 'ctr_Error001', status: 'error', ended_at: new Date() },
  ]);
  t.is((await restored()).containersToCheck, 1);
  const [finished, ended] = await db('media_containers').orderBy('id').select('status', 'next_check_at');
  t.is(finished.status, 'in_progress');
  t.true(finished.next_check_at <= new Date());
  t.is(ended.status, 'error');
});

async function aNamespace(t: ExecutionContext): Promise<Client> {
  return await ownNamespace(t, process.env['TEST_TEMPORAL_ADDRESS'] ?? t.fail('run the tests with `npm test`') ?? '');
}

interface ARun {
  readonly type: WorkflowType;
  readonly workflowId: string;
  readonly memo?: Record<string, unknown>;
}

/** No worker serves it. */
const aRun = (temporal: Client, { type, workflowId, memo }: ARun) =>
  temporal.workflow.start(type, { workflowId, taskQueue: 'service', args: [], ...(memo && { memo }) });

const lostNames: readonly ARun[] = [
  { type: 'carryContainer', workflowId: 'container/ctr_Lost0001' },
  { type: 'replayDeliveries', workflowId: 'replay/rpl_Lost0001' },
  { type: 'rotateToken', workflowId: 'channel-token/ch_Lost0001' },
  { type: 'emailCode', workflowId: 'registration/reg_Lost0001' },
  { type: 'sendInvitation', workflowId: 'invitation/inv_Lost0001' },
];

test('after-restore reports lost rows and ends their workflows', async (t) => {
  const temporal = await aNamespace(t);
  const { db, restored, accept, channel } = await stage(t, temporal);
  await accept(2);
  const { publicId: installationId, idKey } = await readInstallation(db);
  await aRun(temporal, { type: 'installation', workflowId: 'installation', memo: { installationId, baseUrl: 'x' } });
  const newest = await db('deliveries').max('id').first();
  const [kept, lost] = [newest!['max'] as number, (newest!['max'] as number) + 40].map((number) =>
    sequencedId(idKey, 'delivery', number),
  );
  const lostRuns: ARun[] = [{ type: 'deliverWebhook', workflowId: `delivery/${lost}` }, ...lostNames];
  const replaced = { type: 'destinationCircuit', workflowId: `destination/webhook-${channel.publicId}` } as const;
  const rotated = { type: 'rotateToken', workflowId: `channel-token/${channel.publicId}` } as const;
  for (const run of [...lostRuns, replaced, rotated]) await aRun(temporal, run);
  const ended = await aRun(temporal, { type: 'deliverWebhook', workflowId: `delivery/${kept}` });
  await ended.terminate();
  await eventually(async () => {
    const { count } = await temporal.workflow.count();
    const { count: closedCount } = await temporal.workflow.count("ExecutionStatus = 'Terminated'");
    return count === lostRuns.length + 4 && closedCount === 1;
  });

  const { afterTheMoment: report } = await restored();

  t.deepEqual(report.lost.deliveries, { count: 1, ids: [lost] });
  t.is(report.lostDeliveriesAbout, 40);
  t.deepEqual(report.openAgain, { ended: { count: 1, ids: [kept] } });
  t.deepEqual(report.lost.containers.ids, ['ctr_Lost0001']);
  t.deepEqual(report.lost.replays.ids, ['rpl_Lost0001']);
  t.deepEqual(report.lost.channels.ids, ['ch_Lost0001']);
  t.deepEqual(report.lost.registrations.ids, ['reg_Lost0001']);
  t.deepEqual(report.lost.invitations.ids, ['inv_Lost0001']);
  t.deepEqual(report.channelsWithLostRotation.ids, [channel.publicId]);
  t.true(report.requestEventsAgain.from < report.requestEventsAgain.to);
  const isRunning = async ({ workflowId }: ARun): Promise<boolean> =>
    (await temporal.workflow.getHandle(workflowId).describe()).status.name === 'RUNNING';
  for (const run of [...lostRuns, replaced]) t.false(await isRunning(run), run.workflowId);
  t.true(await isRunning(rotated), 'its channel exists, and nothing would start it again');
  t.true(await isRunning({ type: 'installation', workflowId: 'installation' }));
});

test('after-restore never touches the namespace of another installation', async (t) => {
  const temporal = await aNamespace(t);
  const { db, restored, accept } = await stage(t, temporal);
  await accept();
  const memo = { installationId: 'ins_other', baseUrl: 'https://other.example.com' };
  await aRun(temporal, { type: 'installation', workflowId: 'installation', memo });
  const run = await aRun(temporal, { type: 'deliverWebhook', workflowId: 'delivery/wd_00000000' });
  await t.throwsAsync(restored(), { instanceOf: UsageError, message: /belongs to the installation ins_other/ });
  t.is((await run.describe()).status.name, 'RUNNING');
  t.deepEqual(await db('audit_entries').where({ action: 'installation.restored' }), []);
});

test('after-restore names encryption keys that the settings lack', async (t) => {
  const { db, restored, channel } = await stage(t);
  const sealed = (await db('webhook_secrets').first('secret_encrypted'))?.secret_encrypted as string;
  t.is(typeof sealed, 'string', channel.publicId);
  t.deepEqual((await restored()).missingKeys, ['test']);
});
