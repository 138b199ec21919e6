import test from 'ava';
import { webhookStage } from '../../harness/api/stages.ts';
import { aStaffKey } from '../../harness/people/staff.ts';

const ui = { temporalUiUrl: 'https://temporal.example.com', temporalNamespace: 'messaging' };

test("a staff read of a delivery appears in its organization's audit log", async (t) => {
  const { db, call, organization, workspace, apiKey, deliver } = await webhookStage(t, ui);
  const { id, publicId } = await deliver({ status: 'retrying', attemptCount: 1 });
  const attempt = { started_at: new Date(), duration_ms: 12, outcome: 'rejected', status: 503 };
  await db('attempts').insert({ delivery_id: id, number: 1, ...attempt, response_body: Buffer.from('down') });
  const staff = await aStaffKey(db);
  const headers = { 'x-request-id': 'support-1' };

  const { body } = await call(`GET /staff/deliveries/${publicId}?reason=Ticket%20812`, { key: staff.token, headers });

  t.like(body, { deliveryId: publicId, payload: '{"n":1}', status: 'retrying', workflowId: `delivery/${publicId}` });
  t.like(body.attempts[0], { number: 1, status: 503, responseBody: 'down' });
  t.like(body, { organizationId: organization.publicId, organizationName: 'Acme', workspaceId: workspace.publicId });
  t.is(body.temporalUrl, `https://temporal.example.com/namespaces/messaging/workflows/delivery%2F${publicId}`);
  const log = await call(`GET /organizations/${organization.publicId}/audit-entries`, { key: apiKey });
  const [entry] = log.body.entries;
  t.like(entry, { actor: { type: 'staff', id: staff.publicId }, action: 'delivery.read', targetId: publicId });
  t.like(entry, { reason: 'Ticket 812', callerRequestId: 'support-1', workspaceId: workspace.publicId });
  t.regex(entry.clientAddress, /127\.0\.0\.1$/);
  t.true(Math.abs(Date.parse(entry.at) - Date.now()) < 600_000);
});

test('staff cannot read, retry or replay a delivery without a reason', async (t) => {
  const { db, refused, deliver } = await webhookStage(t);
  const { id, publicId } = await deliver({ status: 'exhausted' });
  const { token: key } = await aStaffKey(db);
  const before = await db('audit_entries').count();
  await refused('VALIDATION_ERROR', `GET /staff/deliveries/${publicId}`, { key });
  await refused('VALIDATION_ERROR', `GET /staff/deliveries/${publicId}?reason=%20`, { key });
  for (const act of ['retry', 'replay']) {
    for (const body of [{}, { reason: '' }, { reason: '  ' }, { reason: 'x'.repeat(501) }, { reason: 'a\u0000b' }]) {
      await refused('VALIDATION_ERROR', `POST /staff/deliveries/${publicId}/${act}`, { key, body });
    }
  }
  t.like(await db('deliveries').where({ id }).first(), { status: 'exhausted' });
  t.is((await db('deliveries')).length, 1);
  t.deepEqual(await db('audit_entries').count(), before);
});

test('a retry by staff is audited, even for a pending delivery', async (t) => {
  const { db, call, refused, organization, workspace, deliver } = await webhookStage(t);
  const staff = await aStaffKey(db);
  const retry = (publicId: string) =>
    [`POST /staff/deliveries/${publicId}/retry`, { key: staff.token, body: { reason: 'Receiver is back' } }] as const;
  const exhausted = await deliver({ status: 'exhausted', attemptCount: 12 });
  const answer = await call(...retry(exhausted.publicId));
  t.is(answer.status, 202);
  t.deepEqual(answer.body, { deliveryId: exhausted.publicId, status: 'pending' });
  t.is((await call(...retry(exhausted.publicId))).body.status, 'pending');
  const delivered = await deliver({ status: 'delivered', attemptCount: 1 });
  await refused('DELIVERY_ALREADY_DELIVERED', ...retry(delivered.publicId));
  const entries = await db('audit_entries').where({ actor_type: 'staff' }).orderBy('id');
  const entry = { organization_id: organization.id, workspace_id: workspace.id, actor_id: staff.publicId };
  t.is(entries.length, 2);
  for (const row of entries) {
    t.like(row, { ...entry, action: 'delivery.retried', target_id: exhausted.publicId, reason: 'Receiver is back' });
  }
});

test('a replay by staff is idempotent, creates a delivery and is audited', async (t) => {
  const { db, call, refused, organization, workspace, deliver } = await webhookStage(t);
  const staff = await aStaffKey(db);
  const { publicId } = await deliver({ status: 'delivered', attemptCount: 1 });
  const route = `POST /staff/deliveries/${publicId}/replay`;
  const headers = { 'idempotency-key': 'ticket-812' };
  const request = { key: staff.token, headers, body: { reason: 'Lost by their database' } };

  const { status, body } = await call(route, request);

  t.is(status, 202);
  t.not(body.deliveryId, publicId);
  t.like(body, { status: 'pending', organizationId: organization.publicId, temporalUrl: null });
  t.is((await call(route, request)).body.deliveryId, body.deliveryId);
  t.is((await db('deliveries')).length, 2);
  const entries = await db('audit_entries').where({ actor_type: 'staff' });
  t.is(entries.length, 1);
  t.like(entries[0], { organization_id: organization.id, workspace_id: workspace.id, action: 'delivery.replayed' });
  t.like(entries[0], { target_id: publicId, reason: 'Lost by their database', actor_id: staff.publicId });
  const elsewhere = { reason: 'Call', destination: 'sub_00000000' };
  await refused('SUBSCRIPTION_NOT_FOUND', route, { key: staff.token, body: elsewhere });
});
