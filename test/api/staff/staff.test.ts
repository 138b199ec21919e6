import { randomUUID } from 'node:crypto';
import test from 'ava';
import { routes } from '../../../openapi/route-table.ts';
import { fieldsOf } from '../../harness/fields-of.ts';
import { channelStage, webhookStage } from '../../harness/api/stages.ts';
import { testApi } from '../../harness/api/api.ts';
import { aStaffKey } from '../../harness/people/staff.ts';
import { aChannel, aTenant } from '../../harness/tenants.ts';

const ui = { temporalUiUrl: 'https://temporal.example.com', temporalNamespace: 'messaging' };

test("a channel's health shows pending deliveries, reasons and workflow links", async (t) => {
  const { db, call, organization, channel, destinationId, deliver } = await webhookStage(t, ui);
  const createdAt = new Date(Date.now() - 120_000);
  await deliver({ status: 'retrying', attemptCount: 1, createdAt });
  await deliver();
  await deliver();
  await deliver({ status: 'delivered' });
  await db('destinations').where({ id: destinationId }).update({
    circuit: 'open', circuit_reason: 'failures', circuit_opened_at: new Date(), circuit_probe_at: new Date(),
    consecutive_failures: 5, failing_since: createdAt, last_failure_at: new Date(),
  }); // prettier-ignore
  const staff = await aStaffKey(db);
  const route = `GET /staff/channels/${channel.publicId}`;

  const { body } = await call(`${route}?reason=Call`, { key: staff.token });

  t.like(body, { channelId: channel.publicId, organizationName: 'Acme', connected: true, forwardingEnabled: true });
  t.deepEqual(body.waiting, { pending: 2, retrying: 1 });
  t.true(body.oldestWaitingSeconds >= 119 && body.oldestWaitingSeconds < 900);
  const [webhook] = body.destinations;
  t.is(body.destinations.length, 1);
  t.like(webhook, { type: 'webhook', enabled: true, disabledReason: null, isKept: false, consecutiveFailures: 5 });
  t.like(webhook.circuit, { state: 'open', reason: 'failures' });
  const workflows = 'https://temporal.example.com/namespaces/messaging/workflows';
  t.is(webhook.circuit.temporalUrl, `${workflows}/destination%2Fwebhook-${channel.publicId}`);
  t.is(new URL(body.temporalUrls.all).searchParams.get('query'), `ServiceChannelId="${channel.publicId}"`);
  t.is(
    new URL(body.temporalUrls.troubled).searchParams.get('query'),
    `ServiceChannelId="${channel.publicId}" AND ExecutionStatus="Running"`,
  );
  const entry = await db('audit_entries').where({ action: 'channel.read' }).first();
  t.like(entry, { organization_id: organization.id, target_id: channel.publicId, reason: 'Call' });
});

test("a channel's health shows why a destination is disabled", async (t) => {
  const { db, call, channel, destinationId } = await webhookStage(t, ui);
  await db('destinations').where({ id: destinationId }).update({ enabled: false, disabled_reason: 'gone' });
  const { token: key } = await aStaffKey(db);
  const disabled = (await call(`GET /staff/channels/${channel.publicId}?reason=Call`, { key })).body.destinations[0];
  t.like(disabled, { enabled: false, disabledReason: 'gone', circuit: { state: 'closed', temporalUrl: null } });
});

test('a channel without destination or Temporal UI shows no links', async (t) => {
  const { db, call, channel } = await channelStage(t);
  const { token: key } = await aStaffKey(db);
  const { body } = await call(`GET /staff/channels/${channel.publicId}?reason=Call`, { key });
  t.deepEqual(body.destinations, []);
  t.like(body, { waiting: { pending: 0, retrying: 0 }, oldestWaitingSeconds: null, temporalUrls: null });
});

test('unrouted events are listed by product and resource without content', async (t) => {
  const { db, call } = await testApi(t);
  const { token: key } = await aStaffKey(db);
  const insert = (type: string, resourceId: string) =>
    db('unrouted_events').insert({ type, resource_id: resourceId, key: randomUUID(), body: Buffer.from('secret') });
  for (const [type, id] of [['chatapp', '1'], ['chatapp', '1'], ['pageapp', '1'], ['', '']] as const) await insert(type, id); // prettier-ignore
  const list = async (query: string) => (await call(`GET /staff/unrouted-events?reason=Call&${query}`, { key })).body;
  const all = await list('limit=3');
  t.deepEqual(
    fieldsOf(all.events, 'type', 'resourceId'),
    [['', ''], ['pageapp', '1'], ['chatapp', '1']],
  ); // prettier-ignore
  t.is(all.events[0].sizeBytes, 6);
  t.false(JSON.stringify(all).includes('secret'));
  t.is((await list(`limit=3&cursor=${all.nextCursor}`)).events.length, 1);
  t.is((await list('type=chatapp')).events.length, 2);
  t.is((await list('resourceId=1')).events.length, 3);
  t.is((await list('resourceId=1&type=pageapp')).events.length, 1);
  t.is((await list('until=2020-01-01T00:00:00Z')).events.length, 0);
});

test('staff read audit entries of staff and of no organization only', async (t) => {
  const { db, call, organization, channel, at } = await channelStage(t);
  const staff = await aStaffKey(db);
  await call(`POST /platform/channels/${channel.publicId}/disable`, at);
  await db('audit_entries').insert({ actor_type: 'system', actor_id: 'api', action: 'registration.locked' });
  await call(`GET /staff/channels/${channel.publicId}?reason=Call`, { key: staff.token });

  const { body } = await call('GET /staff/audit-entries?reason=Review', { key: staff.token });

  t.deepEqual(fieldsOf(body.entries, 'action', 'organizationId', 'person'), [
    ['channel.read', organization.publicId, staff.user.email],
    ['registration.locked', null, null],
  ]);
  const ofLocked = 'action=registration.locked&limit=1&reason=Review';
  const locked = await call(`GET /staff/audit-entries?${ofLocked}`, { key: staff.token });
  t.is(locked.body.entries.length, 1);
  t.is(locked.body.nextCursor, null);
});

test('staff must give a reason, which is audited with each read', async (t) => {
  const { db, call, refused } = await testApi(t);
  const channel = await aChannel(db, (await aTenant(db)).workspace);
  const staff = await aStaffKey(db);
  const { token: key } = staff;
  const headers = { 'x-request-id': 'support-2' };
  const looks = [
    ['/staff/deliveries?channelId=ID', 'delivery.searched', channel.publicId],
    ['/staff/channels/ID?', 'channel.read', channel.publicId],
    ['/staff/replays?scope=channel:ID', 'replay.searched', channel.publicId],
    ['/staff/unrouted-events?resourceId=4711', 'unroutedEvent.searched', '4711'],
    ['/staff/invariants?', 'invariant.read', null],
    ['/staff/status?', 'status.read', null],
    [`/staff/audit-entries?actor=${staff.publicId}`, 'auditEntry.searched', staff.publicId],
  ] as const;
  for (const [address, action, targetId] of looks) {
    const route = `GET ${address.replace('ID', channel.publicId)}`;
    const before = await db('audit_entries').orderBy('id');
    for (const missing of ['', '&reason=', '&reason=%20']) {
      const { body } = await refused('VALIDATION_ERROR', route + missing, { key, headers });
      t.regex(body.message, /query\.reason/);
    }
    t.deepEqual(await db('audit_entries').orderBy('id'), before, 'nothing was read');
    t.is((await call(`${route}&reason=Ticket%209`, { key, headers })).status, 200);
    const added = (await db('audit_entries').orderBy('id')).slice(before.length);
    t.is(added.length, 1, route);
    t.like(added[0], {
      actor_type: 'staff',
      actor_id: staff.publicId,
      action,
      target_id: targetId,
      reason: 'Ticket 9',
    });
    t.is(added[0].caller_request_id, 'support-2');
  }
});

test('every staff route requires a reason', (t) => {
  const ofStaff = routes.filter(({ path }) => path.startsWith('/staff/'));
  t.true(ofStaff.length > 10);
  for (const { operationId, method, query, body } of ofStaff) {
    const input = method === 'get' ? query : body;
    t.is(input?.shape['reason']?.safeParse(undefined).success, false, operationId);
  }
});
