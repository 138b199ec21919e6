import test, { type ExecutionContext } from 'ava';
import { acceptItems } from '../../../db/ledger/accept.ts';
import { settleAccepted } from '../../../db/ledger/settle-accepted.ts';
import type { PersonExportLine } from '../../../openapi/erasures/export-routes.ts';
import type { ApiCall, TestApiOptions } from '../../harness/api/api.ts';
import { recordedActs } from '../../harness/api/recorded-acts.ts';
import { aContainer, imageBody } from '../../harness/containers/containers.ts';
import { personStage } from '../../harness/erasures/person-stage.ts';
import { refusal } from '../../harness/deliveries/failing-ledger.ts';
import { anItem } from '../../harness/deliveries/hot-ledger.ts';
import { aWebhook } from '../../harness/deliveries/ledger.ts';
import { aChannel, aTenant } from '../../harness/tenants.ts';
import { until } from '../../harness/until.ts';

const SENDER = '15550001';
const reason = 'asked for';

async function exportStage(t: ExecutionContext, deps: TestApiOptions = {}) {
  const stage = await personStage(t, { ...deps, resourceId: 'res-1' });
  const { db, pool, channel, key } = stage;
  const destinationId = await aWebhook(db, channel);
  const send = async (count: number, item: Parameters<typeof anItem>[0] = {}) => {
    const items = Array.from({ length: count }, () => anItem({ sender: SENDER, ...item }));
    return await acceptItems(pool, items);
  };
  const exported = (body?: object, by: ApiCall = { key }) => stage.exported(SENDER, body, by);
  return { ...stage, destinationId, send, exported };
}

const typesOf = (lines: readonly PersonExportLine[]): string[] => lines.map(({ type }) => type);
const endOf = (lines: readonly PersonExportLine[]) => {
  const last = lines.at(-1);
  return last?.type === 'end' ? last.counts : undefined;
};
const nothing = {
  events: 0,
  deliveries: 0,
  attempts: 0,
  outboundCalls: 0,
  keptAnswers: 0,
  containers: 0,
  scheduledPosts: 0,
  scheduledMessages: 0,
  unroutedEvents: 0,
};

test('an export contains every record of a person', async (t) => {
  const { db, pool, tenant, channel, destinationId, exported, send } = await exportStage(t);
  await send(1, { body: Buffer.from('{"text":"Grüße"}') });
  await send(1, { sender: 'somebody' });
  const { id: deliveryId } = await db('deliveries').orderBy('id').first('id');
  const attempt = { ...refusal({ outcome: 'accepted', status: 200 }), responseBody: Buffer.from('thanks') };
  await settleAccepted(pool, [{ deliveryId, destinationId, attempt }]);
  const call = {
    channel_id: channel.id,
    workspace_id: tenant.workspace.id,
    via: 'gateway',
    caller: 'key',
    method: 'GET',
    status: 200,
    duration_ms: 1,
    request_id: 'one',
    started_at: new Date(),
  };
  await db('outbound_calls').insert(['/me', `/t_${SENDER}`, `/${SENDER}9`].map((path) => ({ ...call, path })));
  const answered = { request_hash: Buffer.alloc(32), answered_at: new Date() };
  const keyed = { channel_id: channel.id, operation: 'sendMessage', ...answered };
  await db('idempotent_calls').insert([
    { ...keyed, key_hash: Buffer.alloc(32, 1), answer: JSON.stringify({ contacts: [{ wa_id: SENDER }] }) },
    { ...keyed, key_hash: Buffer.alloc(32, 2), answer: JSON.stringify({ contacts: [{ wa_id: `1${SENDER}` }] }) },
  ]);
  const place = { channel, workspace: tenant.workspace };
  await aContainer(db, { ...place, body: { ...imageBody, caption: `Thanks, @${SENDER}!` } });
  await aContainer(db, place);

  const lines = await exported();

  t.deepEqual(typesOf(lines), [
    ...['export', 'event', 'delivery', 'attempt', 'outbound_call', 'kept_answer', 'container', 'end'],
  ]);
  t.like(lines[0], { sender: SENDER, workspaceId: null, channelId: null });
  t.like(lines[1], {
    channelId: channel.publicId,
    workspaceId: tenant.workspace.publicId,
    payload: '{"text":"Grüße"}',
  });
  t.like(lines[2], { status: 'delivered', sender: SENDER });
  t.like(lines[3], { number: 1, status: 200, responseBody: 'thanks' });
  t.like(lines[4], { path: `/t_${SENDER}` });
  t.like(lines[6], { request: { caption: `Thanks, @${SENDER}!` } });
  t.like(endOf(lines), { events: 1, deliveries: 1, attempts: 1, outboundCalls: 1, keptAnswers: 1, containers: 1 });
  t.deepEqual(await recordedActs(db), ['webhook.set', 'person.exported']);
});

test('an export contains events from before an account was connected', async (t) => {
  const { db, tenant, exported, send } = await exportStage(t);
  const payload = `{"from":"${SENDER}"}`;
  await send(1, { resourceId: 'res-2', body: Buffer.from(payload) });
  await send(1, { resourceId: 'res-2' });
  const { publicId: channelId } = await aChannel(db, tenant.workspace, { resourceId: 'res-2' });
  const lines = await exported();
  t.deepEqual(typesOf(lines), ['export', 'unrouted_event', 'end']);
  t.like(lines[1], { channelId, eventType: 'chatapp.message.received', payload });
  t.like(endOf(lines), { events: 0, unroutedEvents: 1 });
});

test('an export after an erasure is empty', async (t) => {
  const { erase, exported, send } = await exportStage(t);
  await send(3);
  t.like(endOf(await exported()), { events: 3, deliveries: 3 });
  await erase({ sender: SENDER });
  t.deepEqual(endOf(await exported()), nothing);
});

test('an export of many events is read in pages', async (t) => {
  const { exported, send } = await exportStage(t);
  await send(230);
  await send(3, { body: Buffer.alloc(700_000, 'x') });
  const lines = await exported();
  const ids = lines.flatMap((line) => (line.type === 'event' ? [line.eventId] : []));
  t.is(new Set(ids).size, 233);
  const deliveries = lines.flatMap((line) => (line.type === 'delivery' ? [line.eventId] : []));
  t.deepEqual(deliveries.toSorted(), ids.toSorted());
  t.like(endOf(lines), { events: 233, deliveries: 233 });
});

test('an export is limited to a workspace or channel', async (t) => {
  const { db, tenant, channel, exported, send } = await exportStage(t);
  await aChannel(db, tenant.workspace, { resourceId: 'res-2' });
  await send(1);
  await send(2, { resourceId: 'res-2' });
  const workspaceId = tenant.workspace.publicId;
  t.is(endOf(await exported({ workspaceId }))?.events, 3);
  const lines = await exported({ workspaceId, channelId: channel.publicId });
  t.like(lines[0], { workspaceId, channelId: channel.publicId });
  t.is(endOf(lines)?.events, 1);
});

test('an export shows nothing of other organizations', async (t) => {
  const { db, refused, exported, send, route, key } = await exportStage(t);
  const other = await aTenant(db);
  const channel = await aChannel(db, other.workspace, { resourceId: 'res-2' });
  await send(2, { resourceId: 'res-2' });
  const body = { sender: SENDER, reason };
  await refused('WORKSPACE_NOT_FOUND', route, { key, body: { ...body, workspaceId: other.workspace.publicId } });
  await refused('CHANNEL_NOT_FOUND', route, { key, body: { ...body, channelId: channel.publicId } });
  t.deepEqual(await recordedActs(db), ['webhook.set']);
  t.deepEqual(endOf(await exported()), nothing);
});

test('unusable exports are refused', async (t) => {
  const { refused, route, key } = await exportStage(t);
  for (const body of [
    {},
    { sender: SENDER },
    { sender: '', reason },
    { sender: SENDER, reason, event: 'evt_00000000' },
  ]) {
    await refused('VALIDATION_ERROR', route, { key, body });
  }
});

test('an organization has one export at a time', async (t) => {
  const { url, refused, route, key, send } = await exportStage(t);
  await send(40, { body: Buffer.alloc(900_000, 'x') });
  const body = JSON.stringify({ sender: SENDER, reason });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const open = await fetch(`${url}${route.slice('POST '.length)}`, { method: 'POST', headers, body });
  const reader = open.body!.getReader();
  await reader.read();
  await refused('RATE_LIMITED', route, { key, body: { sender: SENDER, reason } });
  await reader.cancel();
  await until(async () => (await fetch(`${url}${route.slice('POST '.length)}`, { method: 'POST', headers, body })).ok, {
    for: 'The end of the abandoned export',
  });
  t.pass();
});

test('an export ends without its last line when access ends', async (t) => {
  const { db, url, route, key, send } = await exportStage(t, { accessCheckMs: 5 });
  await send(40, { body: Buffer.alloc(900_000, 'x') });
  const open = await fetch(`${url}${route.slice('POST '.length)}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ sender: SENDER, reason }),
  });
  const reader = open.body!.getReader();
  await reader.read();
  await db('api_keys').update({ revoked_at: new Date() });
  await t.throwsAsync(async () => {
    while (!(await reader.read()).done);
  });
});

test('a long search sends progress', async (t) => {
  let nowMs = 0;
  const { exported } = await exportStage(t, { now: () => (nowMs += 20_000) });
  const lines = await exported();
  t.true(typesOf(lines).includes('progress'));
  t.deepEqual(endOf(lines), nothing);
});
