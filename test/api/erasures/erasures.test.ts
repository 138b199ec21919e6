import test, { type ExecutionContext } from 'ava';
import { sequencedId } from '../../../contract/ids.ts';
import { readInstallation } from '../../../db/core/installation.ts';
import { personStage } from '../../harness/erasures/person-stage.ts';
import { recordedActs } from '../../harness/api/recorded-acts.ts';
import { aLedgerDelivery, aWebhook } from '../../harness/deliveries/ledger.ts';
import { aChannel, aTenant } from '../../harness/tenants.ts';

const SENDER = '15550001';
const reason = 'asked for';

async function erasureStage(t: ExecutionContext) {
  const stage = await personStage(t);
  const { db, channel, org } = stage;
  const { publicId: delivery, id } = await aLedgerDelivery(db, channel, { destinationId: await aWebhook(db, channel) });
  const { event_id: number } = await db('deliveries').where({ id }).first('event_id');
  const eventId = sequencedId((await readInstallation(db)).idKey, 'event', number);
  return { ...stage, delivery, eventId, path: `${org}/erasures` };
}

test('an erased delivery shows no body and cannot be sent again', async (t) => {
  const { create, finish, call, refused, delivery, eventId, at, db } = await erasureStage(t);
  t.like(await create({ event: eventId }, { dryRun: true }), { erasureId: null, matched: 1 });
  const { erasureId, matched } = await create({ event: eventId });
  t.is(matched, 1);
  const report = await finish(erasureId);
  t.like(report, { kind: 'event', eventId, status: 'completed', reason });
  t.like(report.erased, { events: 1, deliveries: 1, cancelled: 1 });
  const shown = (await call(`GET /deliveries/${delivery}`, at)).body;
  t.like(shown, { status: 'cancelled', payload: '', sender: null, platformMessageId: null });
  t.is(typeof shown.erasedAt, 'string');
  await refused('EVENT_ERASED', `POST /deliveries/${delivery}/retry`, at);
  await refused('EVENT_ERASED', `POST /deliveries/${delivery}/replay`, { ...at, body: {} });
  t.deepEqual(await recordedActs(db), ['webhook.set', 'erasure.counted', 'erasure.created']);
});

test('erasures of a sender and a workspace are listed without the sender', async (t) => {
  const { create, finish, call, tenant, channel, path, key } = await erasureStage(t);
  const workspaceId = tenant.workspace.publicId;
  const sender = await create({ sender: SENDER, workspaceId, channelId: channel.publicId });
  t.is(sender.matched, 1);
  await finish(sender.erasureId);
  const { erasureId } = await create({ workspace: workspaceId });
  await finish(erasureId);
  t.is((await create({ workspace: workspaceId }, { dryRun: true })).matched, 0);
  const answer = await call(`GET ${path}?limit=1`, { key });
  t.like(answer.body.erasures[0], { kind: 'workspace', workspaceId, channelId: null });
  const next = await call(`GET ${path}?cursor=${answer.body.nextCursor}`, { key });
  t.like(next.body.erasures[0], { kind: 'sender', workspaceId, channelId: channel.publicId, status: 'completed' });
  t.false(JSON.stringify(next.body).includes(SENDER));
});

test('only data of the organization is erased', async (t) => {
  const { db, refused, path, erase, key } = await erasureStage(t);
  const other = await aTenant(db);
  const channel = await aChannel(db, other.workspace);
  await aLedgerDelivery(db, channel, { status: 'skipped', skipReason: 'no_destination' });
  for (const [code, scope] of [
    ['WORKSPACE_NOT_FOUND', { workspace: other.workspace.publicId }],
    ['WORKSPACE_NOT_FOUND', { sender: SENDER, workspaceId: other.workspace.publicId }],
    ['CHANNEL_NOT_FOUND', { sender: SENDER, channelId: channel.publicId }],
    ['EVENT_NOT_FOUND', { event: 'evt_00000000' }],
  ] as const) {
    await refused(code, `POST ${path}`, { key, body: { scope, reason } });
  }
  await erase({ sender: SENDER });
  t.is((await db('events').whereNotNull('sender')).length, 1, "the other organization's event stays");
});

test('unusable erasures are refused', async (t) => {
  const { refused, path, key } = await erasureStage(t);
  for (const body of [
    { reason },
    { scope: {}, reason },
    { scope: { sender: SENDER } },
    { scope: { sender: '' }, reason },
    { scope: { sender: SENDER, workspace: 'ws_00000000' }, reason },
    { scope: { sender: SENDER }, reason: 'x'.repeat(501) },
    { scope: { sender: SENDER }, reason, mode: 'delete' },
  ]) {
    await refused('VALIDATION_ERROR', `POST ${path}`, { key, body });
  }
});

test('at most 20 erasures of an organization run at once', async (t) => {
  const { create, refused, path, key } = await erasureStage(t);
  for (let number = 0; number < 20; number++) await create({ sender: `nobody-${number}` });
  await refused('LIMIT_REACHED', `POST ${path}`, { key, body: { scope: { sender: SENDER }, reason } });
});

test('deleting a workspace erases its events on request', async (t) => {
  const { db, call, tenant, key, path, finish } = await erasureStage(t);
  await call(`POST /organizations/${tenant.organization.publicId}/workspaces`, {
    key,
    body: { name: 'One', kind: 'team' },
  });
  await call(`DELETE /workspaces/${tenant.workspace.publicId}?erase=true`, { key });
  const [erasure] = (await call(`GET ${path}`, { key })).body.erasures;
  t.like(erasure, { kind: 'workspace', workspaceId: tenant.workspace.publicId });
  // No worker runs here, which otherwise ends pending deliveries of a deleted workspace.
  t.like((await finish(erasure.erasureId)).erased, { events: 1, cancelled: 1 });
  t.is((await db('events').whereNull('erased_at')).length, 0);
});
