import test from 'ava';
import { createAdoption } from '../../../activities/pump/adoption.ts';
import { createCircuitSignals, createPromotion } from '../../../activities/pump/start-missing.ts';
import type { FailingDestination } from '../../../contract/destinations/circuit.ts';
import { sequencedId } from '../../../contract/ids.ts';
import { allShards } from '../../../contract/deliveries/shards.ts';
import type { FailedDelivery } from '../../../contract/deliveries/workflow.ts';
import { eventually } from '../../harness/eventually.ts';
import { aWebhookDestination, hotLedger, acceptedItems } from '../../harness/deliveries/hot-ledger.ts';
import { rememberingLog } from '../../harness/quiet-log.ts';
import { openCircuitRow } from '../../harness/deliveries/failing-ledger.ts';

const circuits = { start: async () => undefined };

async function ledgerWithFailures(t: Parameters<typeof hotLedger>[0], count: number) {
  const ledger = await hotLedger(t);
  await aWebhookDestination(ledger, ledger.channel);
  const ids = await acceptedItems(ledger.pool, count);
  const next_attempt_at = new Date(Date.now() - 60_000);
  await ledger
    .db('deliveries')
    .update({ status: 'retrying', next_attempt_at, attempt_count: 1, failed_in_schedule: 1 });
  const publicIds = ids.map((each) => sequencedId(ledger.idKey, 'delivery', each));
  return { ...ledger, ids, publicIds };
}

test('each promoted delivery gets a workflow with its ledger data', async (t) => {
  const { pool, idKey, ids, publicIds, channel, tenant } = await ledgerWithFailures(t, 20);
  const started: FailedDelivery[] = [];
  const startDelivery = async (delivery: FailedDelivery) => void started.push(delivery);
  const promotion = createPromotion({ pool, idKey, startDelivery, log: rememberingLog() });
  promotion.request(new Set(ids));
  await eventually(() => started.length === 20);
  t.deepEqual(started.map(({ deliveryId }) => deliveryId).sort(), publicIds.sort());
  t.like(started[0], {
    channelId: channel.publicId,
    workspaceId: tenant.workspace.publicId,
    destination: 'webhook',
    eventType: 'chatapp.message.received',
    attemptsMade: 1,
    failedInSchedule: 1,
  });
});

test('a delivery that has left the schedule gets no workflow', async (t) => {
  const { pool, db, idKey, ids } = await ledgerWithFailures(t, 3);
  await db('deliveries').where({ id: ids[1]! }).update({ status: 'delivered', next_attempt_at: null });
  const started: string[] = [];
  const startDelivery = async ({ deliveryId }: FailedDelivery) => void started.push(deliveryId);
  createPromotion({ pool, idKey, startDelivery, log: rememberingLog() }).request(new Set(ids));
  await eventually(() => started.length === 2);
  t.false(started.includes(sequencedId(idKey, 'delivery', ids[1]!)));
});

test('promotion stops while Temporal is unreachable and then resumes', async (t) => {
  const { pool, idKey, ids } = await ledgerWithFailures(t, 30);
  let isAway = true;
  let calls = 0;
  const startDelivery = async () => {
    calls++;
    if (isAway) throw new Error('Temporal unreachable');
  };
  const log = rememberingLog();
  const promotion = createPromotion({ pool, idKey, startDelivery, log });
  promotion.request(new Set(ids));
  await eventually(() => log.lines.filter(({ level }) => level === 'warn').length === 8);
  t.is(calls, 8, 'one call per concurrent start');
  isAway = false;
  await eventually(() => {
    promotion.request(new Set(ids.slice(0, 1)));
    return calls > 8;
  });
});

test('a start that fails does not end those behind it', async (t) => {
  const { pool, idKey, ids, publicIds } = await ledgerWithFailures(t, 30);
  const started = new Set<string>();
  const startDelivery = async ({ deliveryId }: FailedDelivery) => {
    if (deliveryId === publicIds[0]) throw new Error('refused');
    started.add(deliveryId);
  };
  createPromotion({ pool, idKey, startDelivery, log: rememberingLog() }).request(new Set(ids));
  await eventually(() => started.size === 29);
  t.false(started.has(publicIds[0]!));
});

const noneClosed = {
  listAbandoned: async () => [],
  listAbandonedCircuits: async () => [],
  wakeDelivery: async () => undefined,
  stopping: new AbortController().signal,
};

test('an overdue delivery without a workflow is adopted', async (t) => {
  const { pool, idKey, publicIds } = await ledgerWithFailures(t, 2);
  const started = new Set<string>();
  const startDelivery = async ({ deliveryId }: FailedDelivery) => void started.add(deliveryId);
  const log = rememberingLog();
  const promotion = createPromotion({ pool, idKey, startDelivery, log });
  t.teardown(createAdoption({ pool, idKey, promotion, circuits, ...noneClosed, log }).watch(() => allShards));
  await eventually(() => started.size === 2);
  t.deepEqual([...started].sort(), publicIds.sort());
});

test('a delivery with a terminated workflow is adopted before it is due', async (t) => {
  const { pool, db, idKey, publicIds } = await ledgerWithFailures(t, 1);
  await db('deliveries').update({ next_attempt_at: new Date(Date.now() + 3_600_000) });
  const started: string[] = [];
  const startDelivery = async ({ deliveryId }: FailedDelivery) => void started.push(deliveryId);
  const log = rememberingLog();
  const promotion = createPromotion({ pool, idKey, startDelivery, log });
  const listAbandoned = async () => [publicIds[0]!, 'wd_00000000'];
  await createAdoption({ pool, idKey, promotion, circuits, ...noneClosed, listAbandoned, log }).adoptClosed();
  t.deepEqual(started, [publicIds[0]]);
});

test('an open circuit with a terminated workflow is adopted', async (t) => {
  const { pool, db, idKey } = await ledgerWithFailures(t, 1);
  const soon = new Date(Date.now() + 3_600_000);
  const open = openCircuitRow({ circuit_reason: 'retry_after', circuit_probe_at: soon });
  const { id, channel_id } = await db('destinations').first('id', 'channel_id');
  await db('destinations').where({ id }).update(open);
  const { public_id: channelId } = await db('channels').where({ id: channel_id }).first('public_id');
  const adopted: FailingDestination[] = [];
  const startCircuit = async (destination: FailingDestination) => void adopted.push(destination);
  const log = rememberingLog();
  const circuits = createCircuitSignals({ pool, startCircuit, log });
  const promotion = createPromotion({ pool, idKey, startDelivery: async () => undefined, log });
  const ended = ['sub_00000000', `webhook-${channelId}`, 'webhook-ch_00000000'];
  const listAbandonedCircuits = async () => (adopted.length === 0 ? ended : []);
  const deps = { pool, idKey, promotion, circuits, ...noneClosed, listAbandonedCircuits, log };
  await createAdoption(deps).adoptClosed();
  t.like(adopted[0], { destinationId: id, channelId, destination: 'webhook', isKept: false });
  t.is(adopted[0]!.probeAtMs, soon.getTime());
  t.is(adopted.length, 1);
});

test('void deliveries are ended after a change, and their workflows woken', async (t) => {
  const { pool, db, idKey, publicIds } = await ledgerWithFailures(t, 2);
  const woken: string[] = [];
  const wakeDelivery = async (id: string) => void woken.push(id);
  const log = rememberingLog();
  const promotion = createPromotion({ pool, idKey, startDelivery: async () => undefined, log });
  const counts: Record<string, number> = {};
  const meter = { moved: (status: string, count: number) => void (counts[status] = (counts[status] ?? 0) + count) };
  const adoption = createAdoption({ pool, idKey, promotion, circuits, ...noneClosed, wakeDelivery, meter, log });
  t.teardown(adoption.watch(() => allShards));
  await db('destinations').update({ enabled: false });
  adoption.endVoidSoon();
  await eventually(() => woken.length === 2);
  t.deepEqual(woken.toSorted(), publicIds.toSorted());
  t.deepEqual(counts, { cancelled: 0, skipped: 2 });
});
