import test from 'ava';
import { restMs } from '../../../api/deliveries/change-feeds.ts';
import { acceptItems } from '../../../db/ledger/accept.ts';
import { insertWorkspace } from '../../../db/organizations/workspaces.ts';
import type { EventStream } from '../../harness/connections/event-stream.ts';
import { anItem } from '../../harness/deliveries/hot-ledger.ts';
import { aWebhook } from '../../harness/deliveries/ledger.ts';
import { streamStage } from '../../harness/api/stream-stage.ts';
import { aChannel, aTenant } from '../../harness/tenants.ts';

async function messages(stream: EventStream, count: number): Promise<unknown[]> {
  return (await stream.deliveries(count)).map(({ data }) => data.platformMessageId);
}

test('a workspace stream orders the changes of all its channels', async (t) => {
  const stage = await streamStage(t);
  const other = await aChannel(stage.db, stage.workspace, { resourceId: 'res-2' });
  await aWebhook(stage.db, other);
  const stream = await stage.openWorkspace();
  await stream.next();
  for (const [index, resourceId] of ['res-1', 'res-2', 'res-2', 'res-1'].entries()) {
    await acceptItems(stage.pool, [anItem({ resourceId, platformMessageId: `mid.${index}` })]);
  }
  t.deepEqual(await messages(stream, 4), ['mid.0', 'mid.1', 'mid.2', 'mid.3']);
});

test('a reconnecting workspace reader gets each missed change once', async (t) => {
  const stage = await streamStage(t);
  await aWebhook(stage.db, await aChannel(stage.db, stage.workspace, { resourceId: 'res-2' }));
  const first = await stage.openWorkspace();
  const place = (await first.next())?.id;
  first.close();
  for (let round = 0; round < 5; round++) {
    const items = Array.from({ length: 46 }, (_, index) => anItem({ resourceId: index % 3 === 0 ? 'res-2' : 'res-1' }));
    await acceptItems(stage.pool, items);
  }
  const second = await stage.openWorkspace(place);
  const before = await second.deliveries(115);
  second.close();
  const after = await (await stage.openWorkspace(before.at(-1)?.id)).deliveries(115);
  const shown = [...before, ...after];
  t.is(new Set(shown.map(({ data }) => data.deliveryId)).size, 230);
  t.is(new Set(shown.map(({ data }) => data.channelId)).size, 2);
});

test('a late commit in one channel delays later changes of others', async (t) => {
  const stage = await streamStage(t);
  await aWebhook(stage.db, await aChannel(stage.db, stage.workspace, { resourceId: 'res-2' }));
  const stream = await stage.openWorkspace();
  const late = stage.aPool(1);
  await late.query('begin');
  await acceptItems(late, [anItem({ platformMessageId: 'mid.slow' })]);
  await acceptItems(stage.pool, [anItem({ resourceId: 'res-2', platformMessageId: 'mid.quick' })]);
  const beats = [await stream.next(({ comment }) => comment !== undefined), await stream.next(), await stream.next()];
  t.deepEqual(new Set(beats.map((frame) => frame?.event)), new Set([undefined]));
  await late.query('commit');
  t.deepEqual(await messages(stream, 2), ['mid.slow', 'mid.quick']);
});

test('a workspace stream shows nothing of another workspace or tenant', async (t) => {
  const stage = await streamStage(t);
  const foreign = await aTenant(stage.db);
  const organizationId = stage.organization.id;
  const beside = await insertWorkspace(stage.db, { organizationId, name: 'Shop', kind: 'customer' });
  for (const [workspace, resourceId] of [
    [foreign.workspace, 'res-2'],
    [beside, 'res-3'],
  ] as const) {
    await aWebhook(stage.db, await aChannel(stage.db, workspace, { resourceId }));
  }
  const stream = await stage.openWorkspace();
  await stream.next();
  const theirs = ['res-2', 'res-3'].map((resourceId) => anItem({ resourceId }));
  await acceptItems(stage.pool, [...theirs, anItem({ platformMessageId: 'mid.own' })]);
  t.deepEqual(await messages(stream, 1), ['mid.own']);
  for (const { publicId } of [foreign.workspace, beside]) {
    await stage.refused('WORKSPACE_NOT_FOUND', `GET /deliveries/stream?scope=workspace:${publicId}`, stage.access);
  }
  const path = `GET /deliveries/stream?scope=workspace:${foreign.workspace.publicId}`;
  await stage.refused('WORKSPACE_ORG_MISMATCH', path, { ...stage.access, workspace: foreign.workspace.publicId });
  await stage.refused('VALIDATION_ERROR', 'GET /deliveries/stream?scope=organization:org_00000000', stage.access);
});

test("a delivery's changes appear in the workspace that accepted it", async (t) => {
  const stage = await streamStage(t);
  const { db, channel, apiKey: key, organization } = stage;
  const target = await insertWorkspace(db, { organizationId: organization.id, name: 'Shop', kind: 'customer' });
  await acceptItems(stage.pool, [anItem({ platformMessageId: 'mid.before' })]);
  await stage.call(`POST /channels/${channel.publicId}/move`, { key, body: { workspaceId: target.publicId } });
  const stream = await stage.openWorkspace();
  await stream.next();
  await acceptItems(stage.pool, [anItem({ platformMessageId: 'mid.after' })]);
  await stage.pool.query(`update deliveries set status = 'delivered', xid = pg_current_xact_id()`);
  t.deepEqual(await messages(stream, 1), ['mid.before']);
  const next = await stream.next(({ comment, event }) => comment !== undefined || event !== undefined);
  t.is(next?.event, undefined, 'nothing of the other workspace is shown');
});

test('a filtered stream shows matching changes and advances past the others', async (t) => {
  const stage = await streamStage(t);
  const filters = 'status=retrying,exhausted&eventType=chatapp.message.received,chatapp.message.status';
  const stream = await stage.openAt(`workspace:${stage.workspace.publicId}&${filters}`);
  const began = (await stream.next())?.id;
  const others = Array.from({ length: 250 }, () => anItem());
  await acceptItems(stage.pool, [...others, anItem({ platformMessageId: 'mid.wanted' })]);
  await acceptItems(stage.pool, [anItem({ platformMessageId: 'mid.type', eventType: 'chatapp.other.received' })]);
  await stage.pool.query(
    `update deliveries d set status = 'exhausted', xid = pg_current_xact_id() from events e
     where e.id = d.event_id and e.platform_message_id in ('mid.wanted', 'mid.type')`,
  );
  const [wanted] = await stream.deliveries(1);
  t.like(wanted?.data, { platformMessageId: 'mid.wanted', status: 'exhausted' });
  await stage.db.raw('select pg_current_xact_id()');
  const beat = await stream.next(({ comment, id }) => comment !== undefined && id !== wanted?.id);
  t.not(beat?.id, began);
  await stage.refused('VALIDATION_ERROR', `GET ${stage.path}&status=lost`, stage.access);
});

test("a reader's pause grows with its read time, up to a heartbeat", (t) => {
  const times = { pollMs: 1_000, heartbeatMs: 15_000 };
  t.is(restMs({ readMs: 2, isFull: false }, times), 1_000);
  t.is(restMs({ readMs: 2, isFull: true }, times), 8, 'a full page: the next read follows almost immediately');
  t.is(restMs({ readMs: 500, isFull: false }, times), 2_000);
  t.is(restMs({ readMs: 500, isFull: true }, times), 2_000);
  t.is(restMs({ readMs: 60_000, isFull: false }, times), 15_000);
});
