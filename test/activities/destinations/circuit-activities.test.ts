import test, { type ExecutionContext } from 'ava';
import { sequencedId } from '../../../contract/ids.ts';
import { endVoid } from '../../harness/end-void.ts';
import { eventually } from '../../harness/eventually.ts';
import {
  HOUR_MS,
  type StandingRow,
  openCircuitRow,
  closedCircuitRow,
} from '../../harness/deliveries/failing-ledger.ts';
import { deliveryRows, acceptedItems } from '../../harness/deliveries/hot-ledger.ts';
import { HELD_MS, idsOf, pumpStage, statusesOf } from '../../harness/deliveries/pump-stage.ts';
import { isWaitedFor } from '../../harness/time/waits.ts';

/** The probe is due. One delivery is retrying; the others are pending, each in its own conversation. */
async function openStage(t: ExecutionContext, { waiting = 3 } = {}) {
  const stage = await pumpStage(t);
  const ids = await acceptedItems(stage.pool, waiting + 1, (index) => index);
  const { db, destination, idKey } = stage;
  const retrying = { status: 'retrying', attempt_count: 1, failed_in_schedule: 1, next_attempt_at: new Date() };
  await db('deliveries').where({ id: ids[0]! }).update(retrying);
  const circuit_opened_at = new Date(Date.now() - HOUR_MS);
  await db('destinations').where({ id: destination.id }).update(openCircuitRow({ circuit_opened_at }));
  const publicIds = ids.map((id) => sequencedId(idKey, 'delivery', id));
  const probe = (others: object = {}) =>
    stage.circuitActivities.probeDestination({
      destinationId: destination.id,
      probesMade: 0,
      delayMs: 600_000,
      isRequested: false,
      ...others,
    });
  const standing = async () => (await db<StandingRow>('destinations').where({ id: destination.id }).first())!;
  const attemptHead = (others: object = {}) =>
    stage.deliveryActivities.attemptDelivery({
      deliveryId: publicIds[0]!,
      attempt: 2,
      failedInSchedule: 1,
      retryDelayMs: 60_000,
      ...others,
    });
  const checkHead = (others: object = {}) =>
    stage.deliveryActivities.checkDelivery({
      deliveryId: publicIds[0]!,
      attempt: 2,
      failedInSchedule: 1,
      ...others,
    });
  return { ...stage, ids, publicIds, probe, standing, attemptHead, checkHead };
}

test('an accepted probe closes the circuit and wakes retrying deliveries', async (t) => {
  const { probe, webhook, publicIds, standing, ...stage } = await openStage(t);
  t.deepEqual(await probe(), { status: 'closed', description: 'accepted (200)', woken: [publicIds[0]!] });
  t.deepEqual(idsOf(webhook.deliveries()), [publicIds[0]!]);
  t.deepEqual(await statusesOf({ ...stage, webhook }), ['delivered', 'pending', 'pending', 'pending']);
  t.like(await standing(), { circuit: 'closed', consecutive_failures: 0 });
});

test('a probe wakes no workflow for a retry of the pump', async (t) => {
  const { probe, db, ids, ...stage } = await openStage(t);
  await db('deliveries').where({ id: ids[0]! }).update({ pump_retries: true });
  t.like(await probe(), { status: 'closed', woken: [] });
  t.deepEqual(await statusesOf({ ...stage, db }), ['delivered', 'pending', 'pending', 'pending']);
});

test('a slow probe sends heartbeats', async (t) => {
  const { probe, webhook, heartbeats } = await openStage(t);
  webhook.set({ then: { status: 500, delayMs: HELD_MS } });
  const answer = probe();
  await eventually(() => heartbeats() > 0);
  webhook.release();
  t.like(await answer, { status: 'open' });
});

test('a failed probe is not counted and delays the next one', async (t) => {
  const { probe, webhook, standing, db, pool, attemptHead } = await openStage(t);
  webhook.set({ then: { status: 500 } });
  const sinceMs = Date.now();
  const answer = await probe();
  t.like(answer, { status: 'open', wasProbed: true, description: 'rejected (500)', woken: [] });
  const [head] = await deliveryRows(pool);
  t.like(head, { status: 'retrying', attempt_count: 2, failed_in_schedule: 1 });
  const { circuit_probe_at } = await standing();
  isWaitedFor(t, circuit_probe_at!, { waitMs: 600_000, sinceMs });
  t.like(await probe(), { status: 'open', wasProbed: false, nextProbeAtMs: circuit_probe_at!.getTime() });
  t.is(webhook.deliveries().length, 1, 'no probe before it is due');
  t.like(await probe({ isRequested: true }), { wasProbed: true }, 'unless a user requests it');

  await db('destinations').update(closedCircuitRow);
  webhook.set({ then: null });
  t.like(await attemptHead(), { status: 'delivered', attemptsMade: 4 }, 'attempt numbers include the probes');
});

test('every other probe posts the delivery with the fewest attempts', async (t) => {
  const { probe, webhook, publicIds } = await openStage(t, { waiting: 2 });
  webhook.set({ then: { status: 500 } });
  for (let probesMade = 0; probesMade < 4; probesMade++) await probe({ probesMade, isRequested: true });
  const [bad, second, third] = publicIds;
  t.deepEqual(idsOf(webhook.deliveries()), [bad, second, bad, third]);
});

test('a probe posts an event that was refused only after the others', async (t) => {
  const { probe, webhook, publicIds } = await openStage(t, { waiting: 2 });
  webhook.set({ then: { status: 422 } });
  for (let probesMade = 0; probesMade < 4; probesMade++) await probe({ probesMade, isRequested: true });
  const [first, second, third] = publicIds;
  t.deepEqual(idsOf(webhook.deliveries()), [first, second, third, second]);
});

test('a probe repeats no request that may still be in flight', async (t) => {
  const { probe, webhook, publicIds, db } = await openStage(t);
  webhook.set({ then: { status: 500 } });
  await db('destinations').update({ circuit_opened_at: new Date() });
  for (let probesMade = 0; probesMade < 2; probesMade++) await probe({ probesMade, isRequested: true });
  t.deepEqual(idsOf(webhook.deliveries()), [publicIds[0]!, publicIds[0]!]);
});

test('a probe prefers the oldest delivery that has failed', async (t) => {
  const { probe, webhook, ids, publicIds, db } = await openStage(t);
  const fresh = { status: 'pending', attempt_count: 0, failed_in_schedule: 0, next_attempt_at: null };
  await db('deliveries').where({ id: ids[0]! }).update(fresh);
  await db('deliveries').whereIn('id', ids.slice(2)).update({ attempt_count: 1 });
  await probe();
  t.deepEqual(idsOf(webhook.deliveries()), [publicIds[2]]);
});

test('a probe respects the order of its conversation', async (t) => {
  const { probe, webhook, publicIds, db } = await openStage(t, { waiting: 2 });
  await db('deliveries').update({ conversation_key: 0 });
  webhook.set({ then: { status: 500 } });
  for (let probesMade = 0; probesMade < 3; probesMade++) await probe({ probesMade, isRequested: true });
  t.deepEqual(idsOf(webhook.deliveries()), [publicIds[0], publicIds[0], publicIds[0]]);
});

test('a probe started before the URL changed does not delay the next', async (t) => {
  const { probe, webhook, standing, db } = await openStage(t);
  const dueAt = new Date(Date.now() - 1_000);
  await db('destinations').update({ standing_since: new Date(Date.now() + 60_000), circuit_probe_at: dueAt });
  webhook.set({ then: { status: 500 } });
  t.like(await probe(), { status: 'open', wasProbed: true });
  t.deepEqual((await standing()).circuit_probe_at, dueAt);
});

test('Retry-After delays the next probe by at most an hour', async (t) => {
  const { probe, webhook, standing } = await openStage(t);
  webhook.set({ then: { status: 503, headers: { 'retry-after': '7200' } } });
  const sinceMs = Date.now();
  await probe();
  isWaitedFor(t, (await standing()).circuit_probe_at!, { waitMs: 3_600_000, sinceMs });
});

test('deliveries that waited longer than the schedule are exhausted', async (t) => {
  const { probe, webhook, publicIds, db, ids, ...stage } = await openStage(t, { waiting: 3 });
  const old = new Date(Date.now() - HOUR_MS);
  await db('deliveries').whereIn('id', ids.slice(0, 3)).update({ created_at: old });
  await db('deliveries').where({ id: ids[2]! }).update({ restarted_at: new Date() });
  webhook.set({ then: { status: 500 } });
  t.deepEqual((await probe()).woken, [publicIds[0]!]);
  t.deepEqual(await statusesOf({ ...stage, db, webhook }), ['exhausted', 'exhausted', 'pending', 'pending']);
  t.deepEqual(idsOf(webhook.deliveries()), [publicIds[2]]);
});

test('without waiting deliveries the circuit closes on probation', async (t) => {
  const { probe, db, standing } = await openStage(t);
  await db('deliveries').update({ status: 'cancelled', next_attempt_at: null });
  t.deepEqual(await probe(), { status: 'closed', description: 'no deliveries waiting', woken: [] });
  t.like(await standing(), { circuit: 'closed', consecutive_failures: 4 });
});

test('a circuit that was closed otherwise is not probed', async (t) => {
  const { probe, circuitActivities, destination, webhook, publicIds, standing } = await openStage(t);
  const closedManually = await circuitActivities.closeCircuitByHand({ destinationId: destination.id });
  t.deepEqual(closedManually, { status: 'closed', description: 'closed manually', woken: [publicIds[0]!] });
  t.like(await probe(), { status: 'closed', woken: [publicIds[0]!] });
  t.deepEqual(webhook.deliveries(), []);
  t.is((await standing()).circuit, 'closed');
});

test('a destination without deliveries to send ends them unprobed', async (t) => {
  const { probe, db, pool, webhook, publicIds, standing } = await openStage(t);
  await db('channels').update({ forwarding_enabled: false });
  t.like(await probe(), { status: 'ended', woken: [publicIds[0]!] });
  const ended = { status: 'skipped', skip_reason: 'forwarding_disabled', next_attempt_at: null };
  t.like((await deliveryRows(pool))[0], ended);
  t.is((await standing()).circuit, 'closed');
  t.deepEqual(webhook.deliveries(), []);
});

test('a probe that confirms a 410 disables the destination', async (t) => {
  const { probe, webhook, standing, startPump, publicIds, ...stage } = await openStage(t);
  webhook.set({ then: { status: 410 } });
  await probe({ isRequested: true });
  t.true((await standing()).enabled);
  t.like(await probe({ isRequested: true }), { status: 'ended', woken: [publicIds[0]!] });
  t.like(await standing(), { enabled: false, disabled_reason: 'gone' });
  startPump();
  const all = { ...stage, webhook, startPump };
  await endVoid(stage.pool);
  t.true((await statusesOf(all)).every((status) => status === 'skipped'));
  t.is(webhook.deliveries().length, 2);
});

test('a retry waits uncounted while the circuit is open', async (t) => {
  const { attemptHead, webhook, pool } = await openStage(t);
  t.like(await attemptHead(), { status: 'waiting', attemptsMade: 1 });
  t.deepEqual(webhook.deliveries(), []);
  webhook.set({ then: { status: 500 } });
  t.like(await attemptHead({ isRequested: true }), { status: 'waiting', attemptsMade: 2 });
  t.like((await deliveryRows(pool))[0], { status: 'retrying', attempt_count: 2, failed_in_schedule: 1 });
});

test('a check shows the circuit that a delivery waits for', async (t) => {
  const { checkHead, standing, db, ids, publicIds, webhook } = await openStage(t);
  const attempt = { number: 1, started_at: new Date(), duration_ms: 5, outcome: 'rejected', status: 503 };
  await db('attempts').insert({ delivery_id: ids[0]!, ...attempt });

  const checked = await checkHead();

  const [{ channelId, organizationId, workspaceId }] = await db('channels as c')
    .join('workspaces as w', 'w.id', 'c.workspace_id')
    .join('organizations as o', 'o.id', 'w.organization_id')
    .select({ channelId: 'c.public_id', workspaceId: 'w.public_id', organizationId: 'o.public_id' });
  t.like(checked, { status: 'waiting', attemptsMade: 1 });
  t.deepEqual('circuit' in checked && checked.circuit, {
    destination: 'webhook',
    channelId,
    circuitWorkflowId: `destination/webhook-${channelId}`,
    lastAnswer: 'rejected (503)',
    probeAtMs: (await standing()).circuit_probe_at!.getTime(),
    dashboardUrl: `https://api.example.com/app/${organizationId}/${workspaceId}/deliveries/${publicIds[0]}`,
  });
  t.deepEqual(webhook.deliveries(), []);
});

test('a check finds a delivery due that someone requested', async (t) => {
  const { checkHead, webhook, db } = await openStage(t);
  t.deepEqual(await checkHead({ isRequested: true }), { status: 'due' });
  await db('destinations').update(closedCircuitRow);
  t.deepEqual([await checkHead(), await checkHead()], [{ status: 'due' }, { status: 'due' }], 'it may run twice');
  t.deepEqual(webhook.deliveries(), []);
});

test('a retry that waited longer than the schedule is exhausted', async (t) => {
  const { attemptHead, db, pool } = await openStage(t);
  await db('deliveries').update({ created_at: new Date(Date.now() - HOUR_MS) });
  t.like(await attemptHead(), { status: 'exhausted', attemptsMade: 1 });
  t.is((await deliveryRows(pool))[0]!.status, 'exhausted');
});

test('Retry-After of a retry opens the circuit', async (t) => {
  const { attemptHead, circuitActivities, destination, webhook, standing, signalledIds } = await openStage(t);
  await circuitActivities.closeCircuitByHand({ destinationId: destination.id });
  webhook.set({ then: { status: 429, headers: { 'retry-after': '120' } } });
  t.like(await attemptHead(), { status: 'retrying', attemptsMade: 2 });
  t.like(await standing(), { circuit: 'open', circuit_reason: 'retry_after' });
  t.deepEqual(signalledIds, [destination.id]);
});
