import test from 'ava';
import { MAX_PENDING } from '../../../../db/ledger/replays/send-replay-batch.ts';
import { moveReplay } from '../../../../db/replays/replays.ts';
import { insertWorkspace } from '../../../../db/organizations/workspaces.ts';
import { closedCircuitRow, openCircuitRow } from '../../../harness/deliveries/failing-ledger.ts';
import { eventually } from '../../../harness/eventually.ts';
import { aSubscriptionDestination, claim } from '../../../harness/deliveries/hot-ledger.ts';
import { aListener } from '../../../harness/listeners/listeners.ts';
import { replayStage } from '../../../harness/replays/replays.ts';
import { pluck } from '../../../harness/pluck.ts';

test('each planned event becomes one delivery with its own conversation', async (t) => {
  const stage = await replayStage(t);
  const sources = await stage.sources(3);
  const replayId = await stage.plannedReplay();
  await stage.sendAll(replayId);

  const sent = await stage.sentDeliveries();
  t.is(sent.length, 3);
  t.true(sent.every((row) => row.conversation_key === -row.id && row.destination_id === stage.destinationId));
  const items = await stage.items();
  t.deepEqual(
    items.map((item) => item.source_delivery_id),
    sources,
  );
  t.deepEqual(
    items.map((item) => item.delivery_id).toSorted(),
    sent.map(({ id }) => id),
  );
  t.like(await stage.row(replayId), { status: 'completed', sent: 3, missing: 0 });
});

test('concurrent workers send each event once and share the rate', async (t) => {
  const stage = await replayStage(t);
  await stage.sources(40);
  const replayId = await stage.plannedReplay({ ratePerSecond: 40 });
  const startedAt = Date.now();
  await Promise.all([1, 2, 3].map(() => stage.sendAll(replayId)));
  const seconds = (Date.now() - startedAt) / 1_000;

  const sent = await stage.sentDeliveries();
  t.is(sent.length, 40);
  t.is(new Set(sent.map(({ event_id }) => event_id)).size, 40);
  t.true(seconds > 0.7, `40 at 40 a second took ${seconds} s`);
});

test('a replay never exceeds its rate in any second', async (t) => {
  const stage = await replayStage(t);
  await stage.sources(50);
  const replayId = await stage.plannedReplay({ ratePerSecond: 20 });
  await stage.sendAll(replayId);
  const most = await stage.mostWithinASecond();
  t.is((await stage.sentDeliveries()).length, 50);
  t.true(most <= 20 * 1.25 + 1, `${most} within a second`);
});

test('a busy or failing destination is skipped without delaying others', async (t) => {
  const stage = await replayStage(t);
  const { db } = stage;
  const subscription = await aSubscriptionDestination(stage, stage.channel);
  await stage.sources(2);
  await stage.sources(2, { destinationId: subscription });
  const { shard } = await db('destinations').where({ id: stage.destinationId }).first('shard');
  const live = await stage.sources(MAX_PENDING, { status: 'pending' });
  await db('deliveries').whereIn('id', live).update({ shard });
  const replayId = await stage.plannedReplay();
  const sentTo = async () => (await stage.sentDeliveries()).map((row) => row.destination_id);

  await eventually(async () => (await stage.send(replayId), (await sentTo()).length >= 2));
  await stage.send(replayId);
  t.deepEqual(await sentTo(), [subscription, subscription]);

  await db('deliveries').whereIn('id', live).update({ status: 'delivered' });
  await db('destinations').where({ id: stage.destinationId }).update(openCircuitRow());
  t.is((await stage.send(replayId)).sentCount, 0);

  await db('destinations').where({ id: stage.destinationId }).update(closedCircuitRow);
  await eventually(async () => (await stage.send(replayId), (await sentTo()).length === 4));
});

test('a replay limits its pending deliveries per destination', async (t) => {
  const stage = await replayStage(t);
  await stage.sources(MAX_PENDING + 10);
  const replayId = await stage.plannedReplay();
  await eventually(async () => (await stage.send(replayId), (await stage.sentDeliveries()).length >= MAX_PENDING));
  for (let n = 0; n < 3; n++) await stage.send(replayId);
  t.is((await stage.sentDeliveries()).length, MAX_PENDING);
});

test('paused and cancelled replays send nothing', async (t) => {
  const stage = await replayStage(t);
  await stage.sources(3);
  const replayId = await stage.plannedReplay();
  const move = (how: 'pause' | 'resume' | 'cancel') => moveReplay(stage.db, { publicId: replayId, move: how });
  await move('pause');
  t.false((await stage.send(replayId)).isRunning);
  t.like(await move('resume'), { status: 'running' });
  t.like(await move('cancel'), { status: 'cancelled' });
  t.false((await stage.send(replayId)).isRunning);
  t.is(await move('resume'), undefined);
  t.is(await move('pause'), undefined);
  t.like(await move('cancel'), { status: 'cancelled' });
  t.is((await stage.sentDeliveries()).length, 0);
});

test('a replay paused during planning resumes planning', async (t) => {
  const stage = await replayStage(t);
  await stage.sources(1);
  const replayId = await stage.replay();
  await moveReplay(stage.db, { publicId: replayId, move: 'pause' });
  await stage.plan(replayId);
  t.is((await stage.items()).length, 0);
  t.like(await moveReplay(stage.db, { publicId: replayId, move: 'resume' }), { status: 'planning' });
  await stage.plan(replayId);
  t.is((await stage.items()).length, 1);
});

test('an undeliverable item gets a delivery with the reason', async (t) => {
  const stage = await replayStage(t);
  const { db, destinationId, channel } = stage;
  const ends: readonly [object, () => Promise<unknown>][] = [
    [{ status: 'skipped', skip_reason: 'destination_disabled' }, async () => await db('destinations').where({ id: destinationId }).update({ enabled: false })],
    [{ status: 'skipped', skip_reason: 'forwarding_disabled' }, async () => await db('channels').where({ id: channel.id }).update({ forwarding_enabled: false })],
    [{ status: 'cancelled', skip_reason: null }, async () => await db('channels').where({ id: channel.id }).update({ disconnected_at: new Date() })],
  ]; // prettier-ignore
  for (const [expected, change] of ends) {
    await stage.sources(1);
    await change();
    const replayId = await stage.plannedReplay();
    await stage.sendAll(replayId);
    t.like((await stage.sentDeliveries()).at(-1), expected);
  }
});

test("an event without a destination goes to the channel's current webhook", async (t) => {
  const stage = await replayStage(t);
  await stage.sources(1, { status: 'skipped', skipReason: 'no_destination', destinationId: null });
  const replayId = await stage.plannedReplay({ statuses: ['skipped'] });
  await stage.sendAll(replayId);
  t.like((await stage.sentDeliveries())[0], { destination_id: stage.destinationId, status: 'delivered' });
});

test('a deleted event counts as missing without delaying others', async (t) => {
  const stage = await replayStage(t);
  const [gone] = await stage.sources(2);
  const replayId = await stage.plannedReplay();
  const { event_id: eventId } = await stage.db('deliveries').where({ id: gone! }).first('event_id');
  await stage.db('events').where({ id: eventId }).delete();
  await stage.sendAll(replayId);
  t.like(await stage.row(replayId), { status: 'completed', planned: 2, sent: 1, missing: 1 });
});

test('a replayed delivery ignores holds of the original conversation', async (t) => {
  const stage = await replayStage(t);
  const { db, destinationId } = stage;
  const [head] = await stage.sources(1, { status: 'retrying', attemptCount: 1 });
  await db('conversation_holds').insert({
    destination_id: destinationId,
    conversation_key: 1,
    delivery_id: head!,
    until_at: new Date(Date.now() + 60_000),
  });
  await stage.sources(1);
  const replayId = await stage.plannedReplay();
  await eventually(async () => (await stage.send(replayId)).sentCount === 1);
  const [replayed] = await stage.sentDeliveries();

  const { deliveries } = await claim(stage.pool);
  t.deepEqual(pluck(deliveries, 'id'), [replayed.id]);
});

test("a replay cancels a moved channel's old deliveries for listeners", async (t) => {
  const replays = await replayStage(t);
  const { db, channel, tenant } = replays;
  const listener = await aListener(db, channel);
  const [moved] = await replays.sources(1, { destinationId: listener.destinationId });
  const target = await insertWorkspace(db, { organizationId: tenant.organization.id, name: 'Other', kind: 'team' });
  await db('channels').where({ id: channel.id }).update({ workspace_id: target.id });
  await db('channel_moves').insert({ channel_id: channel.id, from_workspace_id: tenant.workspace.id });
  const place = { organizationId: tenant.organization.id, workspaceId: null, channelId: null };
  const [stayed] = await replays.sources(1, { destinationId: listener.destinationId });
  const replayId = await replays.plannedReplay({ place });
  await eventually(async () => {
    await replays.send(replayId);
    return (await replays.row(replayId)).sent === 2;
  });
  const sent = await replays.sentDeliveries();
  const statusOf = async (source: number | undefined) => {
    const { delivery_id: id } = await db('replay_items').where({ source_delivery_id: source }).first();
    return sent.find((row) => row.id === id)?.status;
  };
  t.is(await statusOf(moved), 'cancelled');
  t.is(await statusOf(stayed), 'pending');
});
