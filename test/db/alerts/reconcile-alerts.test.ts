import test, { type ExecutionContext } from 'ava';
import { refuseCredential } from '../../../db/channels/refused-credentials.ts';
import { acknowledgeAlert, listAlerts } from '../../../db/alerts/alerts.ts';
import { reconcileAlerts } from '../../../db/alerts/reconcile-alerts.ts';
import { moveChannel } from '../../../db/channels/move-channel.ts';
import { endUnknown } from '../../../db/containers/containers.ts';
import { insertWorkspace } from '../../../db/organizations/workspaces.ts';
import { aContainer } from '../../harness/containers/containers.ts';
import { aLedgerDelivery, aWebhook } from '../../harness/deliveries/ledger.ts';
import { eventually } from '../../harness/eventually.ts';
import { aScheduledMessage, aScheduledPost } from '../../harness/scheduled/scheduled.ts';
import { replayStage } from '../../harness/replays/replays.ts';
import { aChannel, testSecretBox } from '../../harness/tenants.ts';
import { tenantDatabase } from '../../harness/tenant-database.ts';
import { openCircuitRow, closedCircuitRow } from '../../harness/deliveries/failing-ledger.ts';

const limits = { circuitOpenMs: 600_000, credentialEndsMs: 3 * 86_400_000 };

async function stage(t: ExecutionContext) {
  const { db, tenant } = await tenantDatabase(t);
  const channel = await aChannel(db, tenant.workspace);
  const destinationId = await aWebhook(db, channel);
  const ago = (ms: number) => db.raw(`now() - ? * interval '1 millisecond'`, [ms]);
  return {
    db,
    tenant,
    channel,
    ago,
    destinationId,
    destination: (values: object) => db('destinations').where({ id: destinationId }).update(values),
    reconcile: () => reconcileAlerts(db, limits),
    alerts: (): Promise<Record<string, unknown>[]> => db('alerts').orderBy('id'),
  };
}

const openCircuit = (openedAt: unknown) => openCircuitRow({ circuit_opened_at: openedAt });

test('a circuit open too long is one alert until it closes', async (t) => {
  const { destination, reconcile, alerts, ago, channel, tenant } = await stage(t);
  await destination(openCircuit(ago(300_000)));
  t.deepEqual(await reconcile(), { openedCount: 0, resolvedCount: 0 });
  await destination(openCircuit(ago(700_000)));
  t.deepEqual(await reconcile(), { openedCount: 1, resolvedCount: 0 });
  t.deepEqual(await reconcile(), { openedCount: 0, resolvedCount: 0 });
  const [alert] = await alerts();
  t.like(alert, {
    kind: 'destination.circuit_open',
    severity: 'warning',
    organization_id: tenant.organization.id,
    workspace_id: tenant.workspace.id,
    channel_id: channel.id,
    subject_type: 'webhook',
  });
  t.regex(String(alert?.subject_label), /^receiver\.example\.com of chatapp /);

  await destination(closedCircuitRow);
  t.deepEqual(await reconcile(), { openedCount: 0, resolvedCount: 1 });
  t.like((await alerts())[0], { resolution: 'ended' });
  await destination(openCircuit(ago(700_000)));
  t.deepEqual(await reconcile(), { openedCount: 1, resolvedCount: 0 });
});

test('a channel with poor health is one alert until its reasons end', async (t) => {
  const { db, channel, reconcile, alerts } = await stage(t);
  const health = (values: object) => db('channel_health').where({ channel_id: channel.id }).update(values);
  await health({ status: 'warning', reasons: ['credential_ending'], checked_at: new Date() });
  t.deepEqual(await reconcile(), { openedCount: 0, resolvedCount: 0 }, 'it has an alert of its own');
  await health({ status: 'failing', reasons: ['quality_low'], alert_reason: 'quality_low' });
  t.deepEqual(await reconcile(), { openedCount: 1, resolvedCount: 0 });
  t.deepEqual(await reconcile(), { openedCount: 0, resolvedCount: 0 });
  const [alert] = await alerts();
  t.like(alert, { kind: 'channel.health', severity: 'warning', subject_id: channel.publicId, reason: 'quality_low' });
  await health({ status: 'healthy', reasons: [], alert_reason: null });
  t.deepEqual(await reconcile(), { openedCount: 0, resolvedCount: 1 });
});

test('two reconcilers open one alert for a cause', async (t) => {
  const { db, destination, alerts, ago } = await stage(t);
  await destination(openCircuit(ago(700_000)));
  await Promise.all([reconcileAlerts(db, limits), reconcileAlerts(db, limits), reconcileAlerts(db, limits)]);
  t.is((await alerts()).length, 1);
});

test('deliveries that wait behind a closed circuit are one alert', async (t) => {
  const { db, channel, destinationId, destination, reconcile, alerts, ago } = await stage(t);
  const wait = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  await aLedgerDelivery(db, channel, { destinationId, createdAt: wait(1) });
  t.deepEqual(await reconcile(), { openedCount: 0, resolvedCount: 0 });
  await db('deliveries').update({ created_at: wait(5) });
  t.deepEqual(await reconcile(), { openedCount: 1, resolvedCount: 0 });
  t.like((await alerts())[0], { kind: 'deliveries.overdue', severity: 'critical', reason: 'not_sent' });
  await destination({ last_delivered_at: ago(10_000) });
  t.deepEqual(await reconcile(), { openedCount: 0, resolvedCount: 0 });
  t.like((await alerts())[0], { reason: 'behind', resolved_at: null });
  await destination({ options: { requestsPerSecond: 1 } });
  t.deepEqual(await reconcile(), { openedCount: 0, resolvedCount: 1 }, 'the owner wants it');
  await destination({ options: null });
  await reconcile();
  await destination(openCircuit(ago(1_000)));
  t.deepEqual(await reconcile(), { openedCount: 0, resolvedCount: 1 }, 'the circuit says why');
});

test('a destination disabled by a person is no alert', async (t) => {
  const { destination, reconcile, alerts } = await stage(t);
  await destination({ enabled: false, disabled_reason: 'by_hand' });
  await reconcile();
  t.deepEqual(await alerts(), []);
  await destination({ enabled: false, disabled_reason: 'gone' });
  await reconcile();
  t.like((await alerts())[0], { kind: 'destination.disabled', reason: 'gone', severity: 'critical' });
  await destination({ enabled: true, disabled_reason: null });
  t.like(await reconcile(), { resolvedCount: 1 });
});

test('an acknowledged moment opens again only for later occurrences', async (t) => {
  const { db, destination, reconcile, alerts, ago } = await stage(t);
  await destination({ exhausted_count: 3, last_exhausted_at: ago(60_000) });
  await reconcile();
  const [alert] = await alerts();
  t.like(alert, { kind: 'deliveries.exhausted', occurrences: 3 });
  t.true(await acknowledgeAlert(db, { id: Number(alert?.id), by: 'usr_00000000', resolves: true }));
  t.false(await acknowledgeAlert(db, { id: Number(alert?.id), by: 'usr_00000000', resolves: true }));
  t.deepEqual(await reconcile(), { openedCount: 0, resolvedCount: 0 });
  await destination({ exhausted_count: 4, last_exhausted_at: db.raw('now()') });
  t.deepEqual(await reconcile(), { openedCount: 1, resolvedCount: 0 });
  t.like((await alerts())[1], { occurrences: 4 });
});

test('an occurrence that was not yet seen outlives an acknowledgement', async (t) => {
  const { db, destination, reconcile, alerts, ago } = await stage(t);
  await destination({ exhausted_count: 1, last_exhausted_at: ago(60_000) });
  await reconcile();
  await destination({ exhausted_count: 2, last_exhausted_at: ago(10_000) });
  const [alert] = await alerts();
  t.true(await acknowledgeAlert(db, { id: Number(alert?.id), by: 'usr_00000000', resolves: true }));
  t.deepEqual(await reconcile(), { openedCount: 1, resolvedCount: 0 });
  t.deepEqual(await reconcile(), { openedCount: 0, resolvedCount: 0 });
});

test('an alert follows its channel to another workspace', async (t) => {
  const { db, tenant, channel, destination, reconcile, ago } = await stage(t);
  const organizationId = tenant.organization.id;
  const target = await insertWorkspace(db, { organizationId, name: 'Shop', kind: 'customer' });
  await destination(openCircuit(ago(700_000)));
  await reconcile();
  const move = { channelId: channel.id, fromWorkspaceId: tenant.workspace.id, toWorkspaceId: target.id };
  t.is(await db.transaction((trx) => moveChannel(trx, testSecretBox, move)), 'moved');
  t.deepEqual(await reconcile(), { openedCount: 0, resolvedCount: 0 });
  const counts = [tenant.workspace.id, target.id].map(async (workspaceId) => {
    const view = { organizationId, viewerId: null, visibleIds: [workspaceId], workspaceId: null, limit: 10 };
    return (await listAlerts(db, view))?.length;
  });
  t.deepEqual(await Promise.all(counts), [0, 1]);
});

test('exhausted deliveries end an hour after them if others were delivered', async (t) => {
  const { destination, reconcile, alerts, ago } = await stage(t);
  await destination({ exhausted_count: 1, last_exhausted_at: ago(1_800_000), last_delivered_at: ago(60_000) });
  t.like(await reconcile(), { openedCount: 1 });
  await destination({ exhausted_count: 2 });
  await reconcile();
  t.like((await alerts())[0], { occurrences: 2, resolved_at: null });
  await destination({ last_exhausted_at: ago(3_700_000) });
  t.like(await reconcile(), { resolvedCount: 1 });
});

test('a channel that the service disconnected is an alert until it returns', async (t) => {
  const { db, tenant, channel, reconcile, alerts, ago } = await stage(t);
  await db('channels')
    .where({ id: channel.id })
    .update({ disconnected_at: ago(1_000), resource_id: '4711' });
  await reconcile();
  t.deepEqual(await alerts(), []);
  await db('channels').where({ id: channel.id }).update({ disconnected_reason: 'The credential was revoked.' });
  await reconcile();
  t.like((await alerts())[0], { kind: 'channel.disconnected', reason: 'The credential was revoked.' });
  await aChannel(db, tenant.workspace, { resourceId: '4711' });
  t.like(await reconcile(), { resolvedCount: 1 });
});

type Stage = Awaited<ReturnType<typeof stage>>;

/** Causes of an alert with what ends it. */
const causes: readonly [alert: object, begin: (stage: Stage) => Promise<unknown>, end: (stage: Stage) => unknown][] = [
  [
    { kind: 'credential.expiring' },
    ({ db, ago }) => db('connection_credentials').update({ expires_at: ago(-86_400_000) }),
    ({ db, ago }) => db('connection_credentials').update({ expires_at: ago(-60 * 86_400_000) }),
  ],
  [
    { kind: 'credential.refused', reason: 'The platform refuses it.' },
    ({ db, channel }) => refuseCredential(db, { of: { channelId: channel.id }, reason: 'The platform refuses it.' }),
    ({ db }) => db('connection_credentials').update({ refused_at: null, refused_reason: null }),
  ],
];
for (const [alert, begin, end] of causes) {
  test(`an alert lasts as long as its cause: ${JSON.stringify(alert)}`, async (t) => {
    const at = await stage(t);
    await begin(at);
    t.like(await at.reconcile(), { openedCount: 1 });
    t.like((await at.alerts())[0], { ...alert, channel_id: at.channel.id });
    await end(at);
    t.like(await at.reconcile(), { resolvedCount: 1 });
  });
}

test('failed containers of a channel are one alert', async (t) => {
  const { db, tenant, channel, reconcile, alerts } = await stage(t);
  for (let n = 0; n < 3; n++) {
    const { id } = await aContainer(db, { channel, workspace: tenant.workspace });
    await db('media_containers')
      .where({ id })
      .update({ status: 'error', ended_at: db.raw('now()') });
  }
  const { id } = await aContainer(db, { channel, workspace: tenant.workspace });
  await db('media_containers').where({ id }).update({ status: 'unknown' });
  t.like(await reconcile(), { openedCount: 2 });
  t.like((await alerts())[0], { kind: 'container.failed', occurrences: 3 });
  t.like((await alerts())[1], { kind: 'container.unknown', occurrences: 1 });
});

test('scheduled messages and posts that failed are an alert for a day', async (t) => {
  const { db, tenant, channel, reconcile, alerts, ago } = await stage(t);
  const of = { channel, workspace: tenant.workspace };
  for (const status of ['failed', 'unknown', 'sent', 'cancelled'] as const)
    await aScheduledMessage(db, { ...of, status });
  for (const status of ['failed', 'started', 'cancelled'] as const) await aScheduledPost(db, { ...of, status });
  t.like(await reconcile(), { openedCount: 2 });
  t.like((await alerts())[0], { kind: 'scheduledMessage.failed', occurrences: 2, subject_id: channel.publicId });
  t.like((await alerts())[1], { kind: 'scheduledPost.failed', occurrences: 1, subject_id: channel.publicId });
  await db('scheduled')
    .whereNotNull('ended_at')
    .update({ ended_at: ago(25 * 3_600_000) });
  t.like(await reconcile(), { resolvedCount: 2 });
});

test('a publish whose answer was lost is an alert a day later', async (t) => {
  const { db, tenant, channel, reconcile, alerts, ago } = await stage(t);
  const created = await aContainer(db, { channel, workspace: tenant.workspace, status: 'publishing' });
  await db('media_containers')
    .where({ id: created.id })
    .update({ created_at: ago(25 * 3_600_000) });
  t.true(await endUnknown(db, { id: created.id, detail: 'The answer was lost.' }));
  t.like(await reconcile(), { openedCount: 1 });
  t.like((await alerts())[0], { kind: 'container.unknown', subject_id: created.publicId });
});

test('a replay is judged once its deliveries have ended', async (t) => {
  const stage = await replayStage(t);
  const { db } = stage;
  await stage.sources(3);
  const replayId = await stage.plannedReplay();
  await eventually(async () => {
    await stage.send(replayId);
    return (await stage.items()).every(({ delivery_id }) => delivery_id !== null);
  });
  await db('replays')
    .where({ public_id: replayId })
    .update({ status: 'completed', ended_at: db.raw('now()') });
  t.is((await reconcileAlerts(db, limits)).openedCount, 0);
  const [first] = await db('replay_items').whereNotNull('delivery_id').orderBy('source_delivery_id');
  await db('deliveries').where({ id: first?.delivery_id }).update({ status: 'exhausted' });
  t.is((await reconcileAlerts(db, limits)).openedCount, 1);
  t.like(await db('replays').first(), { judged_failed: 1, judged_at: null });
  await db('deliveries').where({ status: 'pending' }).update({ status: 'delivered' });
  await reconcileAlerts(db, limits);
  await reconcileAlerts(db, limits);
  t.not((await db('replays').first()).judged_at, null);
  t.like(await db('alerts').first(), {
    kind: 'replay.failed',
    subject_id: replayId,
    occurrences: 1,
    resolved_at: null,
  });
});
