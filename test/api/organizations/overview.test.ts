import test, { type ExecutionContext } from 'ava';
import { insertWorkspace } from '../../../db/organizations/workspaces.ts';
import { fieldsOf } from '../../harness/fields-of.ts';
import { webhookStage } from '../../harness/api/stages.ts';
import { anAlert } from '../../harness/deliveries/alerts.ts';
import { aLedgerDelivery, aWebhook } from '../../harness/deliveries/ledger.ts';
import { aSession } from '../../harness/people/sessions.ts';
import { aChannel, aKey, aMember } from '../../harness/tenants.ts';

const HOUR_MS = 3_600_000;
const hoursAgo = (hours: number): Date => new Date(Date.now() - hours * HOUR_MS);

async function stage(t: ExecutionContext) {
  const api = await webhookStage(t);
  const { tenant, channel, destinationId } = api;
  const path = `GET /organizations/${tenant.organization.publicId}/overview`;
  const failure = async (
    at: Date,
    status: 'pending' | 'retrying' | 'exhausted',
    body = 'upstream is down',
  ): Promise<void> => {
    const { id } = await aLedgerDelivery(api.db, channel, { destinationId, status, attemptCount: 1, createdAt: at });
    await api.db('attempts').insert({
      delivery_id: id,
      number: 1,
      outcome: 'rejected',
      status: 500,
      response_body: Buffer.from(body),
      started_at: at,
      duration_ms: 10,
    });
  };
  const delivered = async (at: Date, latencyMs: number): Promise<void> => {
    const of = { destinationId, status: 'delivered', attemptCount: 1, createdAt: at } as const;
    const { id } = await aLedgerDelivery(api.db, channel, of);
    const attempt = { started_at: new Date(at.getTime() + latencyMs - 10), duration_ms: 10, status: 200 };
    await api.db('attempts').insert({ delivery_id: id, number: 1, outcome: 'accepted', ...attempt });
  };
  return { ...api, path, failure, delivered };
}

test('the overview counts a day by hour and the day before', async (t) => {
  const { call, apiKey, path, delivered, failure } = await stage(t);
  await delivered(hoursAgo(30), 50);
  await delivered(hoursAgo(2.5), 100);
  await delivered(hoursAgo(2.4), 300);
  await failure(hoursAgo(0.5), 'exhausted');
  await failure(hoursAgo(0.4), 'retrying');
  const { body } = await call(path, { key: apiKey });
  t.like(body.current, { deliveries: 4, delivered: 2, failed: 1, waiting: 1, isComplete: true });
  t.is(Math.round(body.current.latencyMs.p50), 200);
  t.like(body.previous, { deliveries: 1, delivered: 1, failed: 0 });
  t.like(body.buckets[0], { deliveries: 0, failed: 0 });
});

test('the buckets of the overview are hours of the clock', async (t) => {
  const { call, apiKey, path, delivered, failure } = await stage(t);
  const hour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  const minutesAfter = (minutes: number): Date => new Date(hour + minutes * 60_000);
  await delivered(minutesAfter(-121), 100);
  await delivered(minutesAfter(-119), 100);
  await failure(minutesAfter(-61), 'exhausted');
  await failure(minutesAfter(-59), 'retrying');
  const { body } = await call(path, { key: apiKey });
  t.true(body.buckets.every(({ at }: { at: string }) => Date.parse(at) % HOUR_MS === 0));
  t.true(body.buckets[0].at <= body.since);
  const counted = body.buckets.filter(({ deliveries }: { deliveries: number }) => deliveries > 0);
  t.deepEqual(fieldsOf(counted, 'at', 'delivered', 'failed', 'waiting'), [
    [minutesAfter(-180).toISOString(), 1, 0, 0],
    [minutesAfter(-120).toISOString(), 1, 1, 0],
    [minutesAfter(-60).toISOString(), 0, 0, 1],
  ]);
});

test('a delivery on its way is not due', async (t) => {
  const { call, db, apiKey, path, channel, destinationId, delivered } = await stage(t);
  await delivered(hoursAgo(1), 100);
  await aLedgerDelivery(db, channel, { destinationId });
  await aLedgerDelivery(db, channel, { destinationId, createdAt: hoursAgo(0.1) });
  const { current } = (await call(path, { key: apiKey })).body;
  t.like(current, { deliveries: 3, delivered: 1, waiting: 2, due: 2 });
});

test('a troubled destination shows the last answer of its receiver', async (t) => {
  const { db, call, apiKey, path, channel, workspace, organization, destinationId, failure } = await stage(t);
  t.deepEqual((await call(path, { key: apiKey })).body.trouble, []);
  await failure(hoursAgo(1), 'exhausted', 'older');
  await failure(hoursAgo(0.1), 'retrying', 'x'.repeat(300));
  await db('destinations')
    .where({ id: destinationId })
    .update({ failing_since: hoursAgo(1), consecutive_failures: 2 });
  const place = { organizationId: organization.id, workspaceId: workspace.id, channelId: channel.id };
  await anAlert(db, { ...place, kind: 'deliveries.exhausted' });
  const [one] = (await call(`${path}?workspaceId=${workspace.publicId}`, { key: apiKey })).body.trouble;
  t.like(one, { channelId: channel.publicId, destination: 'webhook', state: 'failing', reason: null });
  t.like(one.lastFailure, { outcome: 'rejected', status: 500, answer: 'x'.repeat(200) });
});

test('the last answer is found while deliveries wait for a circuit', async (t) => {
  const { db, call, apiKey, path, channel, destinationId, failure } = await stage(t);
  await failure(hoursAgo(2), 'exhausted', 'older');
  await failure(hoursAgo(0.1), 'pending', 'database is away');
  for (const minutes of [5, 4, 3]) {
    await aLedgerDelivery(db, channel, { destinationId, createdAt: hoursAgo(minutes / 60) });
  }
  const at = { circuit_opened_at: hoursAgo(0.1), circuit_probe_at: hoursAgo(-0.1) };
  await db('destinations')
    .where({ id: destinationId })
    .update({ circuit: 'open', circuit_reason: 'failures', ...at });
  const [one] = (await call(path, { key: apiKey })).body.trouble;
  t.like(one, { state: 'circuit_open', reason: 'failures' });
  t.like(one.lastFailure, { status: 500, answer: 'database is away' });
});

test('a disabled destination comes before a failing one', async (t) => {
  const { db, call, apiKey, path, workspace, destinationId } = await stage(t);
  const second = await aWebhook(db, await aChannel(db, workspace));
  await db('destinations')
    .where({ id: destinationId })
    .update({ failing_since: hoursAgo(1), consecutive_failures: 2 });
  await db('destinations').where({ id: second }).update({ enabled: false, disabled_reason: 'gone' });
  const { trouble, channels } = (await call(path, { key: apiKey })).body;
  t.deepEqual(fieldsOf(trouble, 'state', 'reason'), [
    ['disabled', 'gone'],
    ['failing', null],
  ]);
  t.like(channels, { connected: 2, withDestination: 2 });
});

test('only accepted test events and deliveries complete the first steps', async (t) => {
  const { db, call, apiKey, path, channel, workspace, destinationId } = await stage(t);
  const test = { channel_id: channel.id, destination_id: destinationId, event_type: 'chatapp.message.received' };
  const sent = {
    url: 'https://receiver.example.com/',
    body: Buffer.from('{}'),
    started_at: new Date(),
    duration_ms: 1,
  };
  await db('test_events').insert({ ...test, ...sent, outcome: 'rejected' });
  t.like((await call(path, { key: apiKey })).body.channels, { hasTestEvent: false, hasDelivery: false });
  await db('test_events').update({ outcome: 'accepted' });
  await db('destinations').where({ id: destinationId }).update({ last_delivered_at: new Date() });
  const ofWorkspace = `${path}?workspaceId=${workspace.publicId}`; // the other answer is cached
  t.like((await call(ofWorkspace, { key: apiKey })).body.channels, { hasTestEvent: true, hasDelivery: true });
});

test('members and limited keys see only their workspaces', async (t) => {
  const { db, call, refused, path, organization, user, workspace, delivered } = await stage(t);
  await delivered(hoursAgo(1), 100);
  const own = await insertWorkspace(db, { organizationId: organization.id, name: 'Own', kind: 'team' });
  const key = await aKey(db, { organization, user, workspaceIds: [own.id] });
  const limited = (await call(path, { key })).body;
  t.like(limited.current, { deliveries: 0 });
  t.like(limited.channels, { connected: 0, firstId: null });
  await refused('WORKSPACE_NOT_FOUND', `${path}?workspaceId=${workspace.publicId}`, { key });
  const member = await aMember(db, organization, 'member');
  const { headers } = await aSession(db, member);
  t.is((await call(path, { headers })).body.current.deliveries, 0);
  await db('workspace_members').insert({ workspace_id: workspace.id, user_id: member.id, role: 'member' });
  t.is((await call(`${path}?workspaceId=${workspace.publicId}`, { headers })).body.current.deliveries, 1);
});
