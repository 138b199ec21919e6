import test, { type ExecutionContext } from 'ava';
import pg from 'pg';
import type { WorkflowStarts } from '../../../workflow-starts/workflow-starts.ts';
import { type DeliveryStatus, deliveryStatuses } from '../../../contract/deliveries/status.ts';
import type { ErrorCode } from '../../../contract/errors.ts';
import { webhookStage } from '../../harness/api/stages.ts';
import { aDestination, aLedgerDelivery, aWebhook } from '../../harness/deliveries/ledger.ts';
import { aChannel } from '../../harness/tenants.ts';

async function steering(t: ExecutionContext) {
  const signals: string[] = [];
  const temporal: Partial<WorkflowStarts> = {
    retryDelivery: ({ deliveryId }) => {
      signals.push(`retry ${deliveryId}`);
      return Promise.resolve({ state: 'ended', result: 'signalled' });
    },
    cancelDeliveries: (ids) => void signals.push(...ids.map((id) => `cancel ${id}`)),
  };
  const api = await webhookStage(t, { starts: temporal });
  const { channel, destinationId } = api;
  const aDelivery = async (status: DeliveryStatus) => {
    const skipped = status === 'skipped' && ({ skipReason: 'destination_disabled' } as const);
    const attempts = status === 'pending' ? {} : { attemptCount: 1, failedInSchedule: 1 };
    return await aLedgerDelivery(api.db, channel, { destinationId, status, ...attempts, ...skipped });
  };
  const row = (id: number) => api.db('deliveries').where({ id }).first();
  return { ...api, signals, aDelivery, row };
}

interface Cell {
  readonly to: DeliveryStatus | ErrorCode;
  readonly tells?: 'retry' | 'cancel';
}

const table: Readonly<Record<'retry' | 'cancel', Readonly<Record<DeliveryStatus, Cell>>>> = {
  retry: {
    pending: { to: 'pending' },
    retrying: { to: 'retrying', tells: 'retry' },
    delivered: { to: 'DELIVERY_ALREADY_DELIVERED' },
    exhausted: { to: 'pending' },
    cancelled: { to: 'pending' },
    skipped: { to: 'pending' },
  },
  cancel: {
    pending: { to: 'cancelled' },
    retrying: { to: 'cancelled', tells: 'cancel' },
    delivered: { to: 'DELIVERY_ENDED' },
    exhausted: { to: 'DELIVERY_ENDED' },
    cancelled: { to: 'cancelled' },
    skipped: { to: 'DELIVERY_ENDED' },
  },
};

for (const action of ['retry', 'cancel'] as const) {
  for (const status of deliveryStatuses) {
    const { to, tells } = table[action][status];
    test(`a ${action} of a ${status} delivery results in ${to}`, async (t) => {
      const { call, at, aDelivery, row, signals } = await steering(t);
      const { id, publicId } = await aDelivery(status);
      const before = await row(id);
      const answer = await call(`POST /deliveries/${publicId}/${action}`, at);
      const after = await row(id);
      const isRefused = !deliveryStatuses.some((one) => one === to);
      if (isRefused) {
        t.is(answer.body.code, to);
        t.deepEqual(after, before);
      } else {
        t.deepEqual(answer.body, { deliveryId: publicId, status: to });
        t.is(after.status, to);
        if (to === 'cancelled') t.like(after, { next_attempt_at: null, skip_reason: null });
      }
      t.deepEqual(signals, tells === undefined ? [] : [`${tells} ${publicId}`]);
    });
  }
}

test('a cancelled delivery releases its conversation', async (t) => {
  const { call, at, aDelivery, db, destinationId } = await steering(t);
  const { id, publicId } = await aDelivery('retrying');
  const hold = { destination_id: destinationId, conversation_key: 1, delivery_id: id };
  await db('conversation_holds').insert({ ...hold, until_at: new Date(Date.now() + 60_000) });
  await call(`POST /deliveries/${publicId}/cancel`, at);
  t.is((await db('conversation_holds')).length, 0);
});

test('one of several concurrent cancels takes effect and is audited', async (t) => {
  const { call, at, aDelivery, db } = await steering(t);
  const { publicId } = await aDelivery('pending');
  const answers = await Promise.all([1, 2, 3, 4].map(() => call(`POST /deliveries/${publicId}/cancel`, at)));
  for (const { status, body } of answers) t.deepEqual([status, body.status], [200, 'cancelled']);
  t.is((await db('audit_entries').where({ action: 'delivery.cancelled', target_id: publicId })).length, 1);
});

test('one of several concurrent retries starts a new schedule', async (t) => {
  const { call, at, aDelivery, row, databaseUrl } = await steering(t);
  const { id, publicId } = await aDelivery('exhausted');
  const listener = new pg.Client({ connectionString: databaseUrl });
  await listener.connect();
  t.teardown(() => listener.end());
  let begun = 0;
  listener.on('notification', () => void begun++);
  await listener.query('listen deliveries');
  const answers = await Promise.all([1, 2, 3, 4].map(() => call(`POST /deliveries/${publicId}/retry`, at)));
  t.deepEqual(new Set(answers.map(({ status }) => status)), new Set([202]));
  await listener.query('select 1'); // earlier notifications have arrived
  t.is(begun, 1);
  t.like(await row(id), { status: 'pending', attempt_count: 1, failed_in_schedule: 0 });
});

for (const status of deliveryStatuses) {
  test(`a ${status} delivery is replayed as a new one outside its conversation`, async (t) => {
    const { call, at, aDelivery, row, db, destinationId } = await steering(t);
    const { id, publicId } = await aDelivery(status);
    const before = await row(id);
    const answer = await call(`POST /deliveries/${publicId}/replay`, at);
    t.is(answer.status, 202);
    t.like(answer.body, { status: 'pending', eventType: 'chatapp.message.received', workflowId: null });
    t.not(answer.body.deliveryId, publicId);
    t.deepEqual(await row(id), before);
    const [replayed] = await db('deliveries').whereNot({ id });
    t.like(replayed, { event_id: before.event_id, destination_id: destinationId, attempt_count: 0 });
    t.is(replayed.conversation_key, -replayed.id, 'a separate conversation');
    const listed = (await call(`GET /deliveries/${answer.body.deliveryId}`, at)).body;
    t.is(listed.eventId, answer.body.eventId);
    t.is(listed.payload, '{"n":1}');
  });
}

test('a replay goes to the current webhook or a named subscription', async (t) => {
  const { call, refused, at, db, channel, workspace, destinationId, aDelivery } = await steering(t);
  const subscriptionOf = async (of: typeof channel, public_id: string) => {
    const destination_id = await aDestination(db, of);
    await db('subscriptions').insert({ public_id, channel_id: of.id, destination_id });
    return destination_id;
  };
  const subscribed = await subscriptionOf(channel, 'sub_00000001');
  await subscriptionOf(await aChannel(db, workspace), 'sub_00000002');
  const source = await aDelivery('delivered');
  const replay = async (id: string, body?: object) => {
    const answer = await call(`POST /deliveries/${id}/replay`, { ...at, ...(body && { body }) });
    t.is(answer.status, 202, JSON.stringify(answer.body));
    return { id: answer.body.deliveryId, to: answer.body.destination };
  };
  const toSubscription = await replay(source.publicId, { destination: 'sub_00000001' });
  t.like(toSubscription.to, { type: 'subscription', subscriptionId: 'sub_00000001' });
  t.is((await replay(toSubscription.id)).to.subscriptionId, 'sub_00000001', 'its previous destination');
  t.is((await replay(toSubscription.id, { destination: 'webhook' })).to.type, 'webhook');

  const to = async (destination: string, code: ErrorCode) =>
    await refused(code, `POST /deliveries/${source.publicId}/replay`, { ...at, body: { destination } });
  await to('sub_00000002', 'SUBSCRIPTION_NOT_FOUND');
  await to('sub_00000003', 'SUBSCRIPTION_NOT_FOUND');
  await to('https://elsewhere.example.com/', 'VALIDATION_ERROR');
  await db('destinations').where({ id: subscribed }).update({ deleted_at: new Date() });
  await to('sub_00000001', 'SUBSCRIPTION_NOT_FOUND');
  t.regex(
    (await refused('DELIVERY_ENDED', `POST /deliveries/${toSubscription.id}/replay`, at)).body.message,
    /deleted/,
  );

  await call(`DELETE /webhook-config/${channel.publicId}`, at);
  t.regex(
    (await refused('DELIVERY_ENDED', `POST /deliveries/${source.publicId}/replay`, at)).body.message,
    /no webhook/,
  );
  const present = await aWebhook(db, channel, { url: 'https://present.example.com/' });
  t.not(present, destinationId);
  t.is((await replay(source.publicId)).to.url, 'https://present.example.com/');
});

test('a replay to an unavailable destination or channel is refused', async (t) => {
  const { refused, at, db, aDelivery } = await steering(t);
  const { publicId } = await aDelivery('delivered');
  const replay = [`POST /deliveries/${publicId}/replay`, at] as const;
  await db('destinations').update({ enabled: false });
  t.regex((await refused('DELIVERY_ENDED', ...replay)).body.message, /disabled/);
  await db('channels').update({ forwarding_enabled: false });
  await refused('CHANNEL_FORWARDING_DISABLED', ...replay);
  await db('channels').update({ disconnected_at: new Date() });
  await refused('CHANNEL_DISCONNECTED', ...replay);
  t.is((await db('deliveries')).length, 1);
});

test('a repeated replay returns one delivery per idempotency key', async (t) => {
  const { call, refused, at, db, aDelivery } = await steering(t);
  const one = await aDelivery('delivered');
  const other = await aDelivery('delivered');
  const headers = { 'idempotency-key': 'click' };
  const replay = async (more: object = { headers }) =>
    (await call(`POST /deliveries/${one.publicId}/replay`, { ...at, ...more })).body.deliveryId;
  const ids = await Promise.all([1, 2, 3, 4].map(() => replay()));
  t.is(new Set(ids).size, 1);
  t.is((await db('deliveries')).length, 3);
  await refused('IDEMPOTENCY_KEY_REUSED', `POST /deliveries/${other.publicId}/replay`, { ...at, headers });
  const body = { destination: 'webhook' };
  await refused('IDEMPOTENCY_KEY_REUSED', `POST /deliveries/${one.publicId}/replay`, { ...at, headers, body });
  t.not(await replay({}), await replay({}));
  t.is((await db('audit_entries').where({ action: 'delivery.replayed' })).length, 3);
});
