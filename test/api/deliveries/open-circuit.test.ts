import test, { type ExecutionContext } from 'ava';
import type { CircuitSignal, WorkflowStarts } from '../../../workflow-starts/workflow-starts.ts';
import type { FailedDelivery } from '../../../contract/deliveries/workflow.ts';
import { webhookStage } from '../../harness/api/stages.ts';
import { eventually } from '../../harness/eventually.ts';
import { type LedgerDelivery } from '../../harness/deliveries/ledger.ts';

const openedAt = new Date('2030-01-01T00:00:00Z');
const probeAt = new Date('2030-01-01T01:00:00Z');
const open = { circuit: 'open', circuit_reason: 'retry_after', circuit_opened_at: openedAt, circuit_probe_at: probeAt };

async function stage(t: ExecutionContext, { isAway = false } = {}) {
  const signals: CircuitSignal[] = [];
  const requests: FailedDelivery[] = [];
  const temporal: Partial<WorkflowStarts> = {
    checkDestination: () => Promise.resolve({ state: 'ended', result: 'allowed' }),
    retryDelivery: (delivery) => {
      requests.push(delivery);
      return Promise.resolve({ state: 'ended', result: 'signalled' });
    },
    signalCircuit: (signal) => {
      signals.push(signal);
      return isAway ? new Promise(() => undefined) : Promise.resolve({ state: 'ended', result: 'signalled' });
    },
  };
  const api = await webhookStage(t, { starts: temporal });
  const { db, destinationId, at, deliver } = api;
  const close = { circuit: 'closed', circuit_reason: null, circuit_opened_at: null, circuit_probe_at: null };
  const setCircuit = (fields: object) => db('destinations').where({ id: destinationId }).update(fields);
  await setCircuit(open);
  const delivery = (others: LedgerDelivery) => deliver(others);
  const read = async (publicId: string) => (await api.call(`GET /deliveries/${publicId}`, at)).body;
  return { ...api, at, setCircuit, close, delivery, read, signals, requests };
}

test('a delivery behind an open circuit shows its next attempt', async (t) => {
  const { call, at, delivery, read } = await stage(t);
  const { publicId } = await delivery({});
  const waitsForCircuit = {
    reason: 'retry_after',
    openedAt: openedAt.toISOString(),
    nextProbeAt: probeAt.toISOString(),
  };
  t.like(await read(publicId), { status: 'pending', nextAttemptAt: probeAt.toISOString(), waitsForCircuit });
  const { body } = await call('GET /deliveries', at);
  t.like(body.deliveries[0], { deliveryId: publicId, nextAttemptAt: probeAt.toISOString(), waitsForCircuit });
});

test('a retrying delivery shows the later of its schedule and the probe', async (t) => {
  const { db, delivery, read, setCircuit, close } = await stage(t);
  const { id, publicId } = await delivery({ status: 'retrying', attemptCount: 1 });
  const dueAt = async (at: Date) => {
    await db('deliveries').where({ id }).update({ next_attempt_at: at });
    return (await read(publicId)).nextAttemptAt;
  };
  const early = new Date('2030-01-01T00:30:00Z');
  const late = new Date('2030-01-02T00:00:00Z');
  t.is(await dueAt(early), probeAt.toISOString());
  t.is(await dueAt(late), late.toISOString());
  await setCircuit(close);
  t.is(await dueAt(early), early.toISOString());
  t.is((await read(publicId)).waitsForCircuit, null);
});

test('an ended delivery waits for no circuit', async (t) => {
  const { delivery, read } = await stage(t);
  for (const status of ['delivered', 'exhausted', 'cancelled'] as const) {
    const { publicId } = await delivery({ status });
    t.like(await read(publicId), { status, nextAttemptAt: null, waitsForCircuit: null });
  }
});

test('a retry behind an open circuit sends the same delivery', async (t) => {
  const { call, at, delivery, signals, requests, read } = await stage(t);
  await delivery({});
  const { publicId } = await delivery({});
  t.is((await call(`POST /deliveries/${publicId}/retry`, at)).body.status, 'retrying');
  t.like(requests, [{ deliveryId: publicId }]);
  t.is((await read(publicId)).status, 'retrying');
  t.deepEqual(signals, [], 'no other delivery is sent in its place');
});

test('a retry of an ended delivery probes the open circuit immediately', async (t) => {
  const { call, at, delivery, signals, destinationId, channel } = await stage(t);
  const { publicId } = await delivery({ status: 'exhausted' });
  t.is((await call(`POST /deliveries/${publicId}/retry`, at)).body.status, 'pending');
  await eventually(() => signals.length > 0);
  t.like(signals[0], {
    as: 'probe',
    destination: { destinationId, channelId: channel.publicId, destination: 'webhook' },
  });
});

test('concurrent retries request one probe, and another after the interval', async (t) => {
  const { call, at, delivery, signals, db } = await stage(t);
  const waiting = await Promise.all(Array.from({ length: 6 }, () => delivery({ status: 'exhausted' })));
  const answers = await Promise.all(waiting.map(({ publicId }) => call(`POST /deliveries/${publicId}/retry`, at)));
  t.deepEqual(new Set(answers.map(({ status }) => status)), new Set([202]));
  await eventually(() => signals.length === 2);
  for (let turn = 0; turn < 10; turn++) await db.raw('select 1'); // lets pending signals be sent
  t.is(signals.length, 2);
  t.true(signals.every(({ as }) => as === 'probe'));
});

test("a closed circuit's workflow is not signalled", async (t) => {
  const { call, at, delivery, signals, requests, setCircuit, close } = await stage(t);
  await setCircuit(close);
  for (const status of ['pending', 'exhausted'] as const) {
    const { publicId } = await delivery({ status });
    await call(`POST /deliveries/${publicId}/retry`, at);
  }
  t.deepEqual(requests, []);
  await setCircuit(open);
  const { publicId } = await delivery({ status: 'exhausted' });
  await call(`POST /deliveries/${publicId}/retry`, at);
  await eventually(() => signals.length > 0);
  t.is(signals.length, 1);
});

for (const isAway of [false, true]) {
  test(`a subscription's new URL signals its open circuit while Temporal is ${isAway ? 'away' : 'up'}`, async (t) => {
    const { db, call, key, channel, signals } = await stage(t, { isAway });
    const list = `/channels/${channel.publicId}/subscriptions`;
    const body = { url: 'https://extra.example.com/hook', events: ['chatapp.message.received'] };
    const { subscriptionId } = (await call(`POST ${list}`, { key, body })).body.subscription;
    const edit = (change: object) => call(`PATCH ${list}/${subscriptionId}`, { key, body: change });
    const { destination_id: id } = await db('subscriptions').first('destination_id');
    await db('destinations').where({ id }).update(open);
    const answer = await edit({ url: 'https://other.example.com/hook' });
    t.is(answer.status, 200, 'the request does not wait for the signal');
    await eventually(() => signals.length > 0);
    t.like(signals[0], { as: 'moved', destination: { destinationId: id, destination: subscriptionId, isKept: false } });
    t.true(signals[0]!.destination.probeAtMs <= Date.now() + 1_000, 'the probe is due');
  });
}
