import test, { type ExecutionContext } from 'ava';
import type { Knex } from 'knex';
import type { WorkflowStarts } from '../../../workflow-starts/workflow-starts.ts';
import { commitCandidate } from '../../../db/webhooks/candidates.ts';
import { channelStage } from '../../harness/api/stages.ts';
import { aLedgerDelivery, aWebhook } from '../../harness/deliveries/ledger.ts';

const oldUrl = 'https://receiver.example.com/hook';
const newUrl = 'https://moved.example.com/hook';

async function withWaiting(t: ExecutionContext) {
  const cancelled: string[] = [];
  const temporal = (db: Knex): Partial<WorkflowStarts> => ({
    saveWebhook: async ({ candidateId }) => ({ state: 'ended', result: await commitCandidate(db, { candidateId }) }),
    cancelDeliveries: (ids) => void cancelled.push(...ids),
  });
  const api = await channelStage(t, { starts: temporal });
  const { at, channel } = api;
  const destinationId = await aWebhook(api.db, channel, { url: oldUrl });
  const retrying = await aLedgerDelivery(api.db, channel, { destinationId, status: 'retrying', attemptCount: 1 });
  const pending = await aLedgerDelivery(api.db, channel, { destinationId });
  const until_at = new Date(Date.now() + 60_000);
  const hold = { destination_id: destinationId, conversation_key: 1, delivery_id: retrying.id, until_at };
  await api.db('conversation_holds').insert(hold);
  const save = (query: string, webhookUrl = newUrl) =>
    api.call(`PUT /webhook-config/${channel.publicId}${query}`, { ...at, body: { webhookUrl } });
  const shown = async () => {
    const bodies = await Promise.all(
      [pending, retrying].map(async ({ publicId }) => (await api.call(`GET /deliveries/${publicId}`, at)).body),
    );
    return bodies.map(({ status, destination }) => [status, destination.url]);
  };
  return { ...api, destinationId, retrying, pending, save, shown, cancelled };
}

test('pending deliveries follow the new URL by default', async (t) => {
  const { save, shown, cancelled, db } = await withWaiting(t);
  for (const query of ['', '?pending=follow']) {
    t.is((await save(query)).status, 200);
    t.deepEqual(await shown(), [['pending', newUrl], ['retrying', newUrl]]); // prettier-ignore
  }
  t.deepEqual(cancelled, []);
  t.is((await db('destinations')).length, 1);
});

test('kept deliveries keep their URL and hold', async (t) => {
  const { save, shown, db, destinationId, channel, call, at } = await withWaiting(t);
  t.is((await save('?pending=keep')).body.webhookUrl, newUrl);
  t.deepEqual(await shown(), [['pending', oldUrl], ['retrying', oldUrl]]); // prettier-ignore
  const webhook = await db('destinations').whereNull('kept_for').first();
  const kept = await db('destinations').where({ id: destinationId }).first();
  t.like(kept, { kept_for: webhook.id, type: 'webhook', url: oldUrl, enabled: true });
  t.like(await db('conversation_holds').first(), { destination_id: kept.id });
  t.is((await call(`GET /webhook-config/${channel.publicId}`, at)).body.webhookUrl, newUrl);

  await save('?pending=keep', `${newUrl}/again`);
  t.is((await db('destinations')).length, 2, 'no destination is kept without pending deliveries');
  await save('?pending=cancel', oldUrl);
  t.deepEqual(await shown(), [['pending', oldUrl], ['retrying', oldUrl]], 'kept deliveries do not change'); // prettier-ignore
});

test('a save of the same URL keeps one destination', async (t) => {
  const { save, shown, db } = await withWaiting(t);
  await save('?pending=keep', oldUrl);
  t.deepEqual(await shown(), [['pending', oldUrl], ['retrying', oldUrl]]); // prettier-ignore
  t.is((await db('destinations')).length, 1);
});

test('cancelled deliveries lose their hold, and their workflows are cancelled', async (t) => {
  const { save, shown, db, cancelled, retrying, endVoid } = await withWaiting(t);
  await save('?pending=cancel');
  await endVoid();
  t.deepEqual(await shown(), [['cancelled', oldUrl], ['cancelled', oldUrl]]); // prettier-ignore
  t.deepEqual(cancelled, [retrying.publicId]);
  t.is((await db('conversation_holds')).length, 0);
});

test('a failed save does not change pending deliveries', async (t) => {
  const { call, at, channel, shown } = await withWaiting(t);
  for (const pending of ['keep', 'cancel']) {
    const body = { webhookUrl: 'https://10.0.0.1/' };
    await call(`PUT /webhook-config/${channel.publicId}?pending=${pending}`, { ...at, body });
  }
  t.deepEqual(await shown(), [['pending', oldUrl], ['retrying', oldUrl]]); // prettier-ignore
});

test('clearing the webhook also cancels deliveries kept for its old URL', async (t) => {
  const { save, call, at, channel, db, cancelled, retrying, pending, endVoid } = await withWaiting(t);
  await save('?pending=keep');
  await call(`DELETE /webhook-config/${channel.publicId}`, at);
  await endVoid();
  for (const { id } of [pending, retrying]) t.is((await db('deliveries').where({ id }).first()).status, 'cancelled');
  t.deepEqual(cancelled, [retrying.publicId]);
  t.is((await db('destinations').whereNull('deleted_at')).length, 0);
});

test('a retry of an ended kept delivery uses the current URL', async (t) => {
  const { save, call, at, db, pending } = await withWaiting(t);
  await save('?pending=keep');
  await call(`POST /deliveries/${pending.publicId}/cancel`, at);
  t.is((await call(`POST /deliveries/${pending.publicId}/retry`, at)).status, 202);
  const webhook = await db('destinations').whereNull('kept_for').first();
  t.is((await db('deliveries').where({ id: pending.id }).first()).destination_id, webhook.id);
});
