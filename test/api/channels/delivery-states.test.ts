import test from 'ava';
import type { Knex } from 'knex';
import { tenantStage, channelStage } from '../../harness/api/stages.ts';
import { aDestination, aLedgerDelivery, aWebhook } from '../../harness/deliveries/ledger.ts';
import { aChannel } from '../../harness/tenants.ts';

const FAILED_AT = new Date('2026-01-31T08:00:00Z');
const OPENED_AT = new Date('2026-01-31T09:00:00Z');

const states = {
  ok: {},
  failing: { failing_since: FAILED_AT, consecutive_failures: 1 },
  open: {
    circuit: 'open',
    circuit_reason: 'failures',
    circuit_opened_at: OPENED_AT,
    circuit_probe_at: OPENED_AT,
    failing_since: FAILED_AT,
    consecutive_failures: 5,
  },
  gone: { enabled: false, disabled_reason: 'gone', failing_since: FAILED_AT, consecutive_failures: 2 },
  byHand: { enabled: false, disabled_reason: 'by_hand' },
} as const;

type Named = keyof typeof states;

async function set(db: Knex, id: number, state: Named): Promise<void> {
  if (state !== 'ok') await db('destinations').where({ id }).update(states[state]);
}

test('a channel shows which of its destinations needs attention most', async (t) => {
  const { db, call, workspace, at } = await tenantStage(t);
  const bare = await aChannel(db, workspace);
  const cases = [
    [['ok', 'ok'], { state: 'ok', reason: null, destination: 'webhook', since: null }],
    [['ok', 'failing'], { state: 'failing', reason: null, since: FAILED_AT.toISOString() }],
    [['byHand', 'failing'], { state: 'failing', reason: null }],
    [['failing', 'open'], { state: 'circuit_open', reason: 'failures', since: OPENED_AT.toISOString() }],
    [['open', 'gone'], { state: 'disabled', reason: 'gone', since: FAILED_AT.toISOString() }],
    [['byHand', 'ok'], { state: 'disabled', reason: 'by_hand', destination: 'webhook', since: null }],
  ] as const;
  const channels: string[] = [];
  for (const [[webhook, subscription]] of cases) {
    const channel = await aChannel(db, workspace);
    await set(db, await aWebhook(db, channel), webhook);
    await set(db, await aDestination(db, channel), subscription);
    channels.push(channel.publicId);
  }

  const listed: { id: string; delivery: object | null }[] = (await call('GET /platform/channels', at)).body.channels;

  const deliveryOf = (id: string) => listed.find((one) => one.id === id)!.delivery;
  t.is(deliveryOf(bare.publicId), null);
  for (const [index, [, expected]] of cases.entries()) {
    const id = channels[index]!;
    t.like(deliveryOf(id), expected);
    t.deepEqual((await call(`GET /platform/channels/${id}`, at)).body.delivery, deliveryOf(id));
  }
});

test('late deliveries are trouble of the channel, destination and overview', async (t) => {
  const { db, call, channel, organization, at } = await channelStage(t);
  const destinationId = await aWebhook(db, channel);
  const createdAt = new Date(Date.now() - 180_000);
  await aLedgerDelivery(db, channel, { destinationId, createdAt });
  await aLedgerDelivery(db, channel, { destinationId });
  const since = createdAt.toISOString();
  const { delivery } = (await call(`GET /platform/channels/${channel.publicId}`, at)).body;
  t.like(delivery, { state: 'overdue', reason: 'not_sent', destination: 'webhook', since });
  const { destinations } = (await call(`GET /channels/${channel.publicId}/destinations`, at)).body;
  t.like(destinations[0], { overdueSince: since, overdueReason: 'not_sent' });
  const { trouble } = (await call(`GET /organizations/${organization.publicId}/overview`, at)).body;
  t.like(trouble[0], { state: 'overdue', reason: 'not_sent', since });
});

test('listeners, earlier URLs and deleted subscriptions do not count', async (t) => {
  const { db, call, channel, at } = await channelStage(t);
  const webhook = await aWebhook(db, channel);
  const kept = await aDestination(db, channel);
  const deleted = await aDestination(db, channel);
  for (const id of [kept, deleted]) await set(db, id, 'gone');
  await db('destinations').where({ id: kept }).update({ type: 'webhook', event_types: null, kept_for: webhook });
  await db('destinations').where({ id: deleted }).update({ deleted_at: new Date() });
  const { body: listener } = await call(`POST /channels/${channel.publicId}/listeners`, { ...at, body: {} });
  t.truthy(listener.listenerId);
  await db('destinations').where({ type: 'listener' }).update(states.gone);

  const { body } = await call(`GET /platform/channels/${channel.publicId}`, at);

  t.like(body.delivery, { state: 'ok', destination: 'webhook' });
});
