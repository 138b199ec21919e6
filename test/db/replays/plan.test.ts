import test from 'ava';
import { countMatching, planNextBatch, takeSnapshot } from '../../../db/replays/plan.ts';
import { aSubscriptionDestination } from '../../harness/deliveries/hot-ledger.ts';
import { aLedgerDelivery, aWebhook } from '../../harness/deliveries/ledger.ts';
import { replayStage } from '../../harness/replays/replays.ts';
import { aChannel, aTenant } from '../../harness/tenants.ts';

const INSERT = `insert into deliveries
  (event_id, channel_id, workspace_id, destination_id, shard, conversation_key, event_type, status)`;
const SAME = "shard, 1, event_type, 'exhausted'";
const sourcesOf = (items: readonly { source_delivery_id: number }[]) => items.map((item) => item.source_delivery_id);

test('a plan has the deliveries that the preceding count matched', async (t) => {
  const stage = await replayStage(t);
  const hour = (h: number) => new Date(Date.UTC(2026, 0, 1, h));
  await stage.sources(1, { createdAt: hour(1) });
  const inside = await stage.sources(2, { createdAt: hour(2) });
  await stage.sources(1, { createdAt: hour(3) });
  await stage.sources(1, { createdAt: hour(2), status: 'delivered' });
  await stage.sources(1, { createdAt: hour(2), eventType: 'chatapp.message.status' });
  const wanted = { since: hour(2), until: hour(3), eventTypes: ['chatapp.message.received'] } as const;

  const snapshot = await takeSnapshot(stage.db);
  t.deepEqual(await countMatching(stage.db, { ...stage.everything, ...wanted, snapshot }), {
    matched: 2,
    isComplete: true,
  });
  const replayId = await stage.plannedReplay(wanted);

  t.deepEqual(sourcesOf(await stage.items()), inside);
  t.like(await stage.row(replayId), { status: 'running', planned: 2, sent: 0 });
});

test('a plan contains the matching deliveries committed before the request', async (t) => {
  const stage = await replayStage(t);
  const kept = await stage.sources(3);
  const retried = await stage.sources(1);
  const hidden = await stage.sources(1);
  // This transaction commits last: its row has a low id but is not visible when the replay begins.
  const late = await stage.db.transaction();
  await late('deliveries')
    .where({ id: hidden[0]! })
    .update({ attempt_count: 5, xid: late.raw('pg_current_xact_id()') });
  const [{ id: lateId }] = (
    await late.raw(`${INSERT} select event_id, channel_id, workspace_id, destination_id, ${SAME} from deliveries
      limit 1 returning id`)
  ).rows;
  const [after] = await stage.sources(1);
  t.true(lateId < after!);

  const replayId = await stage.replay();
  await late.commit();
  await stage.sources(4); // new deliveries that match
  await stage.db.raw("update deliveries set status = 'pending', xid = pg_current_xact_id() where id = ?", [
    retried[0]!,
  ]);
  await stage.plan(replayId);

  t.deepEqual(sourcesOf(await stage.items()), [...kept, after!]);
});

test('a replay sends an event once per destination', async (t) => {
  const stage = await replayStage(t);
  const [first] = await stage.sources(1);
  const again = `${INSERT} select event_id, channel_id, workspace_id, ?::bigint, ${SAME} from deliveries where id = ?`;
  const subscription = await aSubscriptionDestination(stage, stage.channel);
  for (const to of [stage.destinationId, subscription]) await stage.db.raw(again, [to, first!]);

  const each = await stage.plannedReplay();
  const named = await stage.plannedReplay({ destination: 'webhook', destinationSlot: 0 });

  t.is((await stage.row(each)).planned, 2, 'the webhook and the subscription');
  t.is((await stage.row(named)).planned, 1, 'the webhook');
});

test('a repeated part of a plan adds nothing', async (t) => {
  const stage = await replayStage(t);
  const { db, channel } = stage;
  await stage.sources(1);
  const many = `${INSERT} select event_id + n, channel_id, workspace_id, destination_id, ${SAME}
    from deliveries, generate_series(1, 12000) n where channel_id = ?`;
  await db.raw(many, [channel.id]);
  const replayId = await stage.replay();

  let parts = 0;
  while (await planNextBatch(stage.pool, replayId)) parts++;
  t.true(parts >= 2);
  t.false(await planNextBatch(stage.pool, replayId));

  t.is((await stage.row(replayId)).planned, 12_001);
  t.is((await stage.items()).length, 12_001);
});

test('two workers that plan the same replay write one plan', async (t) => {
  const stage = await replayStage(t);
  await stage.sources(30);
  const replayId = await stage.replay();
  await Promise.all([stage.plan(replayId), stage.plan(replayId), stage.plan(replayId)]);
  t.is((await stage.items()).length, 30);
  t.like(await stage.row(replayId), { planned: 30, status: 'running' });
});

test('a scope covers deliveries of its own channels and workspaces only', async (t) => {
  const stage = await replayStage(t);
  const { db, tenant, everything } = stage;
  const other = await aTenant(db);
  const foreign = await aChannel(db, other.workspace);
  await aLedgerDelivery(db, foreign, { status: 'exhausted', destinationId: await aWebhook(db, foreign) });
  const sibling = await aChannel(db, tenant.workspace);
  const own = await stage.sources(2);
  const { id: beside } = await aLedgerDelivery(db, sibling, {
    status: 'exhausted',
    destinationId: await aWebhook(db, sibling),
  });
  const within = async (place: Partial<typeof everything.place>) => ({
    ...everything,
    place: { ...everything.place, ...place },
    snapshot: await takeSnapshot(db),
  });
  const count = async (place: Partial<typeof everything.place>) =>
    (await countMatching(db, await within(place))).matched;

  t.is(await count({}), 2);
  t.is(await count({ channelId: null }), 3);
  t.is(await count({ channelId: null, workspaceId: null }), 3);
  await stage.plannedReplay({ place: { ...everything.place, channelId: null, workspaceId: null } });
  t.deepEqual(sourcesOf(await stage.items()), [...own, beside]);

  const [moved] = await db('workspaces')
    .insert({ public_id: 'ws_moved000', organization_id: tenant.organization.id, name: 'B', kind: 'team' })
    .returning('id');
  await db('channels').where({ id: stage.channel.id }).update({ workspace_id: moved.id });
  await db('channel_moves').insert({ channel_id: stage.channel.id, from_workspace_id: tenant.workspace.id });
  t.is(await count({ channelId: null }), 3, 'the workspace that it left keeps them');
  t.is(await count({ channelId: null, workspaceId: moved.id }), 0);
});

test('a count ends at its bounds and says so', async (t) => {
  const stage = await replayStage(t);
  const { db, everything } = stage;
  await stage.sources(3);
  const sibling = await aChannel(db, stage.tenant.workspace);
  await aLedgerDelivery(db, sibling, { status: 'exhausted', destinationId: await aWebhook(db, sibling) });
  const criteria = {
    ...everything,
    snapshot: await takeSnapshot(db),
    place: { ...everything.place, channelId: null, workspaceId: null },
  };
  const count = (maxMatched: number, maxLooked: number) => countMatching(db, criteria, { maxMatched, maxLooked });
  t.deepEqual(await count(10, 10_000), { matched: 4, isComplete: true });
  t.deepEqual(await count(2, 10_000), { matched: 2, isComplete: false }, 'of matches');
  t.like(await count(10, 1), { isComplete: false }, 'of deliveries and statements');
});
