import test from 'ava';
import { endLeftListenerDeliveries } from '../../../db/ledger/listeners/end-left-listener-deliveries.ts';
import { insertWorkspace } from '../../../db/organizations/workspaces.ts';
import { endVoid } from '../../harness/end-void.ts';
import { aWebhook } from '../../harness/deliveries/ledger.ts';
import { aChannel } from '../../harness/tenants.ts';
import { idsOf, listenerStage } from '../../harness/listeners/listener-stage.ts';

test("an accepted delivery records the local receiver's response", async (t) => {
  const { accept, read, readAll, acknowledge, record, listenerId, db } = await listenerStage(t);
  await accept({});
  const [deliveryId = ''] = idsOf(await readAll(1));
  t.like(await record(deliveryId), {
    status: 'pending',
    destination: { type: 'listener', url: null, label: 'mine', subscriptionId: null, listenerId },
    attempts: [],
  });
  const answer = { deliveryId, outcome: 'accepted', status: 204, durationMs: 12, responseBody: 'thanks\u0000' };
  t.deepEqual((await acknowledge(answer)).body, { acknowledged: 1 });
  const { status, attempts, workflowId } = await record(deliveryId);
  t.deepEqual([status, workflowId], ['delivered', null]);
  t.like(attempts, { 0: { number: 1, outcome: 'accepted', status: 204, durationMs: 12, responseBody: 'thanks\u0000' }, length: 1 }); // prettier-ignore
  t.deepEqual(idsOf(await read()), []);
  const destination = await db('destinations').first('last_delivered_at', 'last_failure_at');
  t.truthy(destination?.last_delivered_at);
  t.is(destination?.last_failure_at, null);

  t.deepEqual((await acknowledge(answer)).body, { acknowledged: 0 });
  t.is((await record(deliveryId)).attempts.length, 1);
});

test('an acknowledgement stores the channel of its attempts', async (t) => {
  const { accept, readAll, acknowledge, channel, db } = await listenerStage(t);
  await accept({}, {});
  const [rejected, accepted] = idsOf(await readAll(2));
  const failure = { deliveryId: rejected, outcome: 'rejected', status: 503, attempt: 1, retry: true };
  await acknowledge(failure, { deliveryId: accepted, outcome: 'accepted', status: 204 });
  t.deepEqual(await db('attempts').pluck('channel_id'), [channel.id, channel.id]);
});

test('a failure ends a delivery only once', async (t) => {
  const { accept, readAll, acknowledge, record, db } = await listenerStage(t);
  await accept({}, {});
  const [rejected, unanswered] = idsOf(await readAll(2));
  const outcomes = [
    { deliveryId: rejected, outcome: 'rejected', status: 500, responseBody: 'x'.repeat(16_384) },
    { deliveryId: unanswered, outcome: 'no_response', error: 'ECONNREFUSED' },
  ];
  t.deepEqual((await acknowledge(...outcomes)).body, { acknowledged: 2 });
  t.deepEqual((await acknowledge(...outcomes)).body, { acknowledged: 0 });
  t.like(await record(rejected!), { status: 'exhausted', attempts: { 0: { outcome: 'rejected', status: 500 }, length: 1 } }); // prettier-ignore
  t.like(await record(unanswered!), { status: 'exhausted', attempts: { 0: { outcome: 'no_response', status: null, error: 'ECONNREFUSED' }, length: 1 } }); // prettier-ignore
  const destination = await db('destinations').first();
  t.truthy(destination?.last_failure_at);
  t.like(destination, { enabled: true, circuit: 'closed', consecutive_failures: 0, failing_since: null });
});

test('a delivery to retry is read last, as its next attempt', async (t) => {
  const { accept, read, readAll, acknowledge, record } = await listenerStage(t);
  await accept({}, {});
  const before = await readAll(2);
  const [first, second] = idsOf(before);
  const failure = { deliveryId: first, outcome: 'rejected', status: 503, attempt: 1, retry: true };
  t.deepEqual((await acknowledge(failure)).body, { acknowledged: 1 });
  t.deepEqual((await acknowledge(failure)).body, { acknowledged: 0 });
  const again = await readAll(2);
  t.deepEqual(idsOf(again), [second, first]);
  t.like(again.body.deliveries[1], { attempt: 2, headers: { 'x-service-attempt': '2' } });
  t.deepEqual(
    idsOf(await read(`?cursor=${before.body.nextCursor}`)),
    [first],
    'a reader that has passed it sees it too',
  );
  await acknowledge({ deliveryId: first, outcome: 'accepted', attempt: 2 });
  const { status, attempts, workflowId } = await record(first!);
  t.is(status, 'delivered');
  t.is(workflowId, null);
  t.deepEqual(
    attempts.map(({ number, outcome }: { number: number; outcome: string }) => `${number} ${outcome}`),
    ['1 rejected', '2 accepted'],
  );
});

test('a success overrides an ended delivery, a failure does not', async (t) => {
  const { accept, readAll, acknowledge, record, call, key, workspace } = await listenerStage(t);
  await accept({}, {});
  const [first, second] = idsOf(await readAll(2));
  for (const id of [first, second]) await call(`POST /deliveries/${id}/cancel`, { key, workspace: workspace.publicId });
  const answers = [
    { deliveryId: first, outcome: 'accepted' },
    { deliveryId: second, outcome: 'rejected' },
  ];
  t.deepEqual((await acknowledge(...answers)).body, { acknowledged: 1 });
  t.is((await record(first!)).status, 'delivered');
  t.like(await record(second!), { status: 'cancelled', attempts: { length: 0 } });
});

test('a request with a foreign or unknown delivery is refused whole', async (t) => {
  const stage = await listenerStage(t);
  const { call, key, listeners, path, accept, readAll, refused, record, db, workspace } = stage;
  const other = await call(`POST ${listeners}`, { key });
  await aChannel(db, workspace, { resourceId: 'res-2' });
  await accept({});
  const [own = ''] = idsOf(await readAll(1));
  const foreign = await call(`GET ${listeners}/${other.body.listenerId}/deliveries?waitSeconds=25`, { key });
  const [theirs = ''] = idsOf(foreign);
  t.not(own, theirs);
  for (const deliveryId of [theirs, 'wd_00000000']) {
    const deliveries = [own, deliveryId].map((id) => ({ deliveryId: id, outcome: 'accepted' }));
    const answer = await refused('DELIVERY_NOT_FOUND', `POST ${path}/acknowledge`, { key, body: { deliveries } });
    t.true(answer.body.message.includes(deliveryId));
    t.false(answer.body.message.includes(own));
  }
  t.is((await record(own)).status, 'pending');
  t.is((await record(theirs)).status, 'pending');
});

test('an inconsistent or invalid acknowledgement is refused', async (t) => {
  const { accept, readAll, refused, path, key } = await listenerStage(t);
  await accept({});
  const [deliveryId] = idsOf(await readAll(1));
  const wrong = [
    { outcome: 'accepted', status: 500 },
    { outcome: 'rejected', status: 200 },
    { outcome: 'no_response', status: 500 },
    { outcome: 'accepted', retry: true, attempt: 1 },
    { outcome: 'rejected', retry: true },
    { outcome: 'accepted', attempt: 2 },
    { outcome: 'blocked' },
    { outcome: 'rejected', error: 'a\u0000b' },
    { outcome: 'rejected', responseBody: 'x'.repeat(16_385) },
    { outcome: 'accepted', durationMs: -1 },
  ];
  for (const one of wrong) {
    const body = { deliveries: [{ deliveryId, ...one }] };
    await refused('VALIDATION_ERROR', `POST ${path}/acknowledge`, { key, body });
  }
  const twice = { deliveryId, outcome: 'accepted' };
  await refused('VALIDATION_ERROR', `POST ${path}/acknowledge`, { key, body: { deliveries: [twice, twice] } });
  await refused('VALIDATION_ERROR', `POST ${path}/acknowledge`, { key, body: { deliveries: [] } });
  t.deepEqual(idsOf(await readAll(1)), [deliveryId]);
});

test('concurrent acknowledgements are recorded once', async (t) => {
  const { accept, readAll, acknowledge, db } = await listenerStage(t);
  await accept(...Array.from({ length: 20 }, () => ({})));
  const deliveries = idsOf(await readAll(20)).map((deliveryId) => ({ deliveryId, outcome: 'accepted', attempt: 1 }));
  const counts = await Promise.all([
    ...[1, 2].map(() => acknowledge(...deliveries)),
    ...[1, 2].map(() => acknowledge(...deliveries.toReversed())),
  ]);
  t.is(counts.reduce((sum, { body }) => sum + body.acknowledged, 0), 20); // prettier-ignore
  t.is((await db('attempts')).length, 20);
});

test('a reader gets retries and replays; deliveries are filtered by listener', async (t) => {
  const stage = await listenerStage(t);
  const { accept, read, readAll, acknowledge, call, refused, key, listenerId } = stage;
  const access = { key, workspace: stage.workspace.publicId };
  await accept({});
  const [deliveryId = ''] = idsOf(await readAll(1));
  await acknowledge({ deliveryId, outcome: 'rejected' });
  t.deepEqual(idsOf(await read()), []);
  const retried = await call(`POST /deliveries/${deliveryId}/retry`, access);
  t.like(retried, { status: 202, body: { status: 'pending' } });
  t.like((await readAll(1)).body, { deliveries: { 0: { deliveryId, attempt: 2 }, length: 1 } });
  await acknowledge({ deliveryId, outcome: 'accepted' });
  await refused('DELIVERY_ALREADY_DELIVERED', `POST /deliveries/${deliveryId}/retry`, access);

  const other = (await call(`POST ${stage.listeners}`, { key })).body.listenerId;
  const own = await call(`POST /deliveries/${deliveryId}/replay`, access);
  const aimed = await call(`POST /deliveries/${deliveryId}/replay`, { ...access, body: { destination: other } });
  t.is(own.body.destination.listenerId, listenerId);
  t.is(aimed.body.destination.listenerId, other);
  t.deepEqual(idsOf(await readAll(1)), [own.body.deliveryId]);
  t.deepEqual(idsOf(await call(`GET ${stage.listeners}/${other}/deliveries?waitSeconds=25`, { key })), [
    aimed.body.deliveryId,
  ]);
  const found = await call(`GET /deliveries?destination=${other}`, access);
  t.deepEqual(idsOf(found), [aimed.body.deliveryId]);

  await call(`DELETE ${stage.listeners}/${other}`, { key });
  await endVoid(stage.pool);
  const { body } = await call(`GET /deliveries/${aimed.body.deliveryId}`, access);
  t.is(body.status, 'cancelled');
  await refused('DELIVERY_ENDED', `POST /deliveries/${aimed.body.deliveryId}/retry`, access);
  await refused('LISTENER_NOT_FOUND', `POST /deliveries/${deliveryId}/replay`, { ...access, body: { destination: other } }); // prettier-ignore
});

test('disabling a channel skips pending deliveries, disconnecting cancels them', async (t) => {
  const { accept, readAll, record, call, key, channel, workspace, pool } = await listenerStage(t);
  const act = async (what: string) => {
    const answer = await call(`POST /platform/channels/${channel.publicId}/${what}`, {
      key,
      workspace: workspace.publicId,
    });
    t.is(answer.status, 200, JSON.stringify(answer.body));
  };
  await accept({});
  const [first = ''] = idsOf(await readAll(1));
  await act('disable');
  await endVoid(pool);
  t.like(await record(first), { status: 'skipped', skipReason: 'forwarding_disabled' });
  await act('enable');
  await accept({});
  const [second = ''] = idsOf(await readAll(1));
  await act('disconnect');
  await endVoid(pool);
  t.is((await record(second)).status, 'cancelled');
});

test('a moved channel keeps its listener without its earlier deliveries', async (t) => {
  const stage = await listenerStage(t);
  const { accept, readAll, record, call, refused, key, path, channel, db, pool } = stage;
  await accept({});
  const [first = ''] = idsOf(await readAll(1));
  const target = await insertWorkspace(db, { organizationId: stage.organization.id, name: 'Other', kind: 'team' });
  const moved = await call(`POST /channels/${channel.publicId}/move`, { key, body: { workspaceId: target.publicId } });
  t.is(moved.status, 200, JSON.stringify(moved.body));
  await endLeftListenerDeliveries(pool);
  t.is((await record(first)).status, 'cancelled');
  await pool.query(`update deliveries set status = 'pending', xid = pg_current_xact_id()`); // as if accepted just now
  const body = { deliveries: [{ deliveryId: first, outcome: 'accepted' }] };
  await refused('DELIVERY_NOT_FOUND', `POST ${path}/acknowledge`, { key, body });
  await accept({});
  const [second = '', ...others] = idsOf(await readAll(1));
  t.not(second, first);
  t.deepEqual(others, []);
});

test("earlier deliveries can't be retried or replayed to a moved listener", async (t) => {
  const stage = await listenerStage(t);
  const { accept, readAll, acknowledge, record, call, refused, key, channel, db, workspace, listenerId } = stage;
  await accept({});
  const [deliveryId = ''] = idsOf(await readAll(1));
  await acknowledge({ deliveryId, outcome: 'rejected' });
  const target = await insertWorkspace(db, { organizationId: stage.organization.id, name: 'Other', kind: 'team' });
  const move = (workspaceId: string) => call(`POST /channels/${channel.publicId}/move`, { key, body: { workspaceId } });
  await move(target.publicId);

  const at = { key, workspace: workspace.publicId };
  for (const body of [undefined, {}, { destination: listenerId }]) {
    const act = body === undefined ? 'retry' : 'replay';
    const { body: refusal } = await refused('DELIVERY_ENDED', `POST /deliveries/${deliveryId}/${act}`, { ...at, body });
    t.regex(refusal.message, /moved/);
  }
  t.is((await record(deliveryId)).status, 'exhausted');
  await aWebhook(db, channel);
  const elsewhere = await call(`POST /deliveries/${deliveryId}/replay`, { ...at, body: { destination: 'webhook' } });
  t.is(elsewhere.status, 202);

  await move(workspace.publicId);
  t.is((await call(`POST /deliveries/${deliveryId}/retry`, at)).status, 202);
  t.deepEqual(idsOf(await readAll(1)), [deliveryId]);
});
