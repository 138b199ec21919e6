import test, { type ExecutionContext } from 'ava';
import type { Knex } from 'knex';
import { createInvariantActivities } from '../../../activities/upkeep/invariant-activities.ts';
import type { InvariantRule } from '../../../contract/upkeep/invariants.ts';
import { sequencedId } from '../../../contract/ids.ts';
import { defaultRetryScheduleMs } from '../../../contract/deliveries/retry-schedule.ts';
import { readInvariants } from '../../../db/upkeep/invariant-runs.ts';
import { insertReplayedDelivery } from '../../../db/ledger/replays/replay-delivery.ts';
import type { invariants } from '../../../workflows/upkeep/invariants.ts';
import { aSubscriptionDestination } from '../../harness/deliveries/hot-ledger.ts';
import { aLedgerDelivery, type LedgerDelivery } from '../../harness/deliveries/ledger.ts';
import { rememberingLog } from '../../harness/quiet-log.ts';
import { replayStage } from '../../harness/replays/replays.ts';
import { temporalHarness } from '../../harness/temporal/temporal.ts';

const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000);

async function stage(t: ExecutionContext) {
  const ledger = await replayStage(t);
  const { db, channel, destinationId } = ledger;
  const activities = createInvariantActivities({
    ...ledger,
    log: rememberingLog(),
    stopping: new AbortController().signal,
    settings: { scheduleMs: defaultRetryScheduleMs },
  });
  const { execute } = await temporalHarness(t, { ...activities });
  const aDelivery = async (delivery: LedgerDelivery = {}) =>
    (await aLedgerDelivery(db, channel, { destinationId, ...delivery })).id;
  const check = async (): Promise<Partial<Record<InvariantRule, readonly string[]>>> => {
    await execute<typeof invariants>('invariants', { args: [] });
    const { violations } = (await readInvariants(db))!;
    return Object.fromEntries(
      Object.entries(violations).flatMap(([rule, { samples }]) => (samples.length > 0 ? [[rule, samples]] : [])),
    );
  };
  const wd = (id: number) => sequencedId(ledger.idKey, 'delivery', id);
  const evt = (id: number) => sequencedId(ledger.idKey, 'event', id);
  return { ...ledger, aDelivery, check, wd, evt, execute };
}

const accept = (db: Knex, id: number) =>
  db('attempts').insert({ delivery_id: id, number: 1, started_at: new Date(), duration_ms: 1, outcome: 'accepted' });

test('a consistent ledger violates no rule', async (t) => {
  const { db, destinationId, aDelivery, check, execute, channel } = await stage(t);
  await accept(db, await aDelivery({ status: 'delivered', attemptCount: 1 }));
  await aDelivery({ status: 'pending', createdAt: ago(5) });
  const head = await aDelivery({ status: 'retrying', createdAt: ago(5) });
  await db('conversation_holds').insert({ destination_id: destinationId, conversation_key: 1, delivery_id: head, until_at: new Date() }); // prettier-ignore
  await aDelivery({ status: 'exhausted', createdAt: ago(100) });
  await aDelivery({ status: 'cancelled' });
  const skipped = await aDelivery({ status: 'skipped', skipReason: 'no_destination', destinationId: null });
  await insertReplayedDelivery(db, { sourceId: skipped, destinationId });
  await insertReplayedDelivery(db, { sourceId: skipped, destinationId });
  await aSubscriptionDestination({ db }, channel);
  t.deepEqual(await check(), {});
  const result = await execute<typeof invariants>('invariants', { args: [] });
  t.deepEqual(result, { violationCount: 0, eventCount: 6, deliveryCount: 8 });
});

test('events without a delivery for each destination are found', async (t) => {
  const { db, channel, aDelivery, check, evt, destinationId } = await stage(t);
  const bare = await aDelivery();
  await db('deliveries').where({ id: bare }).delete();
  const partial = await aDelivery();
  const extra = await aSubscriptionDestination({ db }, channel);
  for (const id of [extra, destinationId]) await db('destinations').where({ id }).update({ created_at: ago(9), updated_at: ago(9) }); // prettier-ignore
  const other = await aSubscriptionDestination({ db }, channel, ['chatapp.message.status']);
  await db('destinations')
    .where({ id: other })
    .update({ created_at: ago(9), updated_at: ago(9) });
  t.deepEqual(await check(), { event_without_delivery: [evt(bare)], destination_without_delivery: [evt(partial)] });
});

test('an event delivered twice without a replay is found', async (t) => {
  const { db, aDelivery, check, wd } = await stage(t);
  const first = await aDelivery();
  const second = await aDelivery();
  const [row] = await db('deliveries').where({ id: first });
  await db('deliveries').where({ id: second }).update({ event_id: row.event_id });
  await db('events').whereNot({ id: row.event_id }).delete();
  t.deepEqual(await check(), { event_sent_twice: [wd(second)] });
});

test('a delivery without its event is found at any age', async (t) => {
  const { db, aDelivery, check, wd } = await stage(t);
  const ids = [
    await aDelivery({ createdAt: ago(24 * 20) }),
    await aDelivery({ status: 'cancelled' }),
  ]; // prettier-ignore
  await db('events').delete();
  t.deepEqual((await check()).delivery_without_event?.toSorted(), ids.map(wd).toSorted());
});

test('deliveries whose status contradicts their attempts are found', async (t) => {
  const { db, aDelivery, check, wd } = await stage(t);
  const delivered = await aDelivery({ status: 'delivered', attemptCount: 1 });
  const early = await aDelivery({ status: 'exhausted', failedInSchedule: 11, attemptCount: 0 });
  const unlogged = await aDelivery({ status: 'exhausted', failedInSchedule: 12, attemptCount: 12 });
  await aDelivery({ status: 'exhausted', failedInSchedule: 12 });
  await db('attempts').insert({ delivery_id: delivered, number: 1, started_at: ago(1), duration_ms: 1, outcome: 'rejected' }); // prettier-ignore
  t.deepEqual(await check(), {
    delivered_without_acceptance: [wd(delivered)],
    exhausted_early: [wd(early), wd(unlogged)],
  });
});

test('a skipped delivery without a reason is found', async (t) => {
  const { db, aDelivery, check, wd } = await stage(t);
  await db.raw('alter table deliveries drop constraint "a skipped delivery says why"');
  const id = await aDelivery({ status: 'skipped' });
  t.deepEqual(await check(), { skipped_without_reason: [wd(id)] });
});

test('deliveries waiting for a disabled destination are found after a delay', async (t) => {
  const { db, aDelivery, check, wd, destinationId } = await stage(t);
  const ids = [await aDelivery({ createdAt: ago(3) }), await aDelivery({ status: 'retrying', createdAt: ago(3) })];
  await db('destinations').where({ id: destinationId }).update({ enabled: false, updated_at: new Date() });
  t.deepEqual(await check(), {});
  await db('destinations')
    .where({ id: destinationId })
    .update({ updated_at: ago(2) });
  t.deepEqual(await check(), {}, 'its channel changed recently');
  await db('channels').update({ updated_at: ago(2) });
  t.deepEqual(await check(), { waiting_for_nobody: ids.map(wd) });
});

test('an overdue attempt is found unless its circuit has a due probe', async (t) => {
  const { db, aDelivery, check, wd, destinationId, channel } = await stage(t);
  const id = await aDelivery({ status: 'retrying' });
  await db('deliveries').update({ next_attempt_at: ago(2) });
  t.deepEqual(await check(), { retrying_overdue: [wd(id)] });
  const open = { circuit: 'open', circuit_reason: 'failures', circuit_opened_at: ago(3) };
  await db('destinations')
    .where({ id: destinationId })
    .update({ ...open, circuit_probe_at: new Date() });
  t.deepEqual(await check(), {});
  await db('destinations')
    .where({ id: destinationId })
    .update({ circuit_probe_at: ago(2) });
  t.deepEqual(await check(), { circuit_overdue: [`webhook-${channel.publicId}`] });
});

test('a hold whose delivery has ended or is missing is found', async (t) => {
  const { db, aDelivery, check, wd, destinationId } = await stage(t);
  const id = await aDelivery({ status: 'cancelled' });
  const hold = { destination_id: destinationId, conversation_key: 1, until_at: new Date() };
  await db('conversation_holds').insert([
    { ...hold, delivery_id: id },
    { ...hold, delivery_id: 999 },
  ]);
  t.deepEqual(await check(), { hold_without_head: [wd(id), wd(999)] });
});

test('a stalled replay is found, but not a paused one', async (t) => {
  const { db, check, replay } = await stage(t);
  const id = await replay();
  await db('replays').update({ progressed_at: ago(2) });
  t.deepEqual(await check(), { replay_overdue: [id] });
  await db('replays').update({ status: 'paused' });
  t.deepEqual(await check(), {});
});

test('an unended media container past its expiry is found', async (t) => {
  const { db, check } = await stage(t);
  t.deepEqual(await check(), {});
  await db.raw(`drop table if exists media_containers cascade;
    create table media_containers (id bigint generated always as identity primary key,
      public_id text, status text, expires_at timestamptz, ended_at timestamptz)`);
  await db('media_containers').insert([
    { public_id: 'ctr_00000001', status: 'in_progress', expires_at: ago(2) },
    { public_id: 'ctr_00000002', status: 'in_progress', expires_at: ago(0) },
    { public_id: 'ctr_00000003', status: 'expired', expires_at: ago(2), ended_at: ago(1) },
  ]);
  t.deepEqual(await check(), { container_overdue: ['ctr_00000001'] });
});

test('many violations are counted in batches and sampled', async (t) => {
  const { db, check, channel, destinationId } = await stage(t);
  await db.raw(
    `insert into deliveries (event_id, channel_id, workspace_id, destination_id, shard, conversation_key, event_type, status)
     select 1000000 + n, id, workspace_id, ?, 0, 1, 'chatapp.message.received', case when n % 2 = 0 then 'pending' else 'cancelled' end
     from channels, generate_series(1, 5000) n where id = ?`,
    [destinationId, channel.id],
  );
  t.is((await check()).delivery_without_event?.length, 10);
  const run = (await readInvariants(db))!;
  t.is(run.violations.delivery_without_event.count, 5000);
  t.is(run.deliveryCount, 5000);
});
