import test, { type ExecutionContext } from 'ava';
import { replayWorkflowId } from '../../../contract/ids.ts';
import { countArrivals, untilArrived } from '../../harness/system/arrivals.ts';
import { publishBurst } from '../../harness/system/publish.ts';
import { patienceMs, sized } from '../../harness/system/scale.ts';
import { startSystem, type System } from '../../harness/system/system.ts';
import { until } from '../../harness/until.ts';
import { untilWorkflow, hasEnded } from '../../harness/system/workflow-view.ts';
import { untilAllDelivered } from '../../harness/system/delivery-watch.ts';

const count = sized({ quick: 300, full: 2_000 });
/** Slow enough to interrupt a replay. */
const RATE_PER_SECOND = sized({ quick: 15, full: 100 });

interface Replayed {
  readonly system: System;
  readonly replayId: string;
}

async function untilSent({ system, replayId }: Replayed, sent: number) {
  return await until(
    async () => {
      const { body } = await system.api.call(`GET /replays/${replayId}`);
      return body.sent >= sent && body;
    },
    { for: `${sent} sent of the replay`, timeoutMs: patienceMs(count) },
  );
}

async function untilEnded({ system, replayId }: Replayed) {
  return await until(
    async () => {
      const { body } = await system.api.call(`GET /replays/${replayId}`);
      return body.status === 'completed' && body.waiting === 0 && body;
    },
    { for: 'The end of the replay', timeoutMs: patienceMs(count) * 2 },
  );
}

async function startReplay(t: ExecutionContext, { api }: System, scope: string): Promise<string> {
  const { status, body } = await api.call('POST /replays', {
    scope,
    since: new Date(Date.now() - 3_600_000).toISOString(),
    until: new Date(Date.now() + 3_600_000).toISOString(),
    statuses: ['delivered'],
    ratePerSecond: RATE_PER_SECOND,
  });
  t.is(status, 202);
  t.is(body.matched, count);
  return body.replayId;
}

test('a replay sends exactly its planned deliveries despite killed workers', async (t) => {
  t.timeout(patienceMs(count) * 4);
  const arrivals = await countArrivals(t);
  const system = await startSystem(t);
  const { api, channel, workers, temporal } = system;
  const connected = await channel({ webhookUrl: arrivals.url });
  const publish = (prefix: string, size: number) =>
    publishBurst({ ...system, resourceIds: [connected.resourceId], count: size, prefix });
  const burst = publish('m', count);
  await burst.done;
  await untilArrived(arrivals, { messageIds: burst.acknowledged, timeoutMs: patienceMs(count) });
  await untilAllDelivered(system);
  const replay: Replayed = { system, replayId: await startReplay(t, system, `channel:${connected.publicId}`) };

  await untilSent(replay, count / 6);
  await workers[0]!.kill9();
  const later = publish('later', 64);
  await workers[0]!.start();
  await untilSent(replay, count / 3);
  await temporal.workflow.getHandle(replayWorkflowId(replay.replayId)).terminate('looked stuck');
  await untilSent(replay, count / 2);
  t.is((await api.call(`POST /replays/${replay.replayId}/pause`)).body.status, 'paused');
  const paused = (await api.call(`GET /replays/${replay.replayId}`)).body.sent;
  await workers[0]!.crash();
  t.is((await api.call(`POST /replays/${replay.replayId}/resume`)).body.status, 'running');
  t.true(paused < count);
  await later.done;

  const ended = await untilEnded(replay);
  t.like(ended, { matched: count, sent: count, delivered: count, failed: 0, waiting: 0 });
  await untilArrived(arrivals, { messageIds: later.acknowledged, timeoutMs: patienceMs(count) });
  t.true(
    burst.acknowledged.every((id) => arrivals.deliveryIds.get(id)?.size === 2),
    'each old event went again, once',
  );
  t.true(
    later.acknowledged.every((id) => arrivals.deliveryIds.get(id)?.size === 1),
    'no new event is in the plan',
  );
  const { status } = await untilWorkflow(temporal, replayWorkflowId(replay.replayId), hasEnded);
  t.is(status, 'COMPLETED');
});
