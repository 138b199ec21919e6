import test, { type ExecutionContext } from 'ava';
import { startSink } from '../../../simulator/sink/sink.ts';
import { type Arrivals, tally, untilArrived } from '../../harness/system/arrivals.ts';
import { publishBurst } from '../../harness/system/publish.ts';
import { patienceMs, sized } from '../../harness/system/scale.ts';
import { startSystem } from '../../harness/system/system.ts';
import { until } from '../../harness/until.ts';

const count = sized({ quick: 1_200, full: 8_000 });
const MAX_EVENTS = 5;
const MESSAGE_ID = /"id":"([a-z]+\.\d+\.\d+)"/;

interface GatheredArrivals extends Arrivals {
  readonly sizes: readonly number[];
}

/** Each event of an array is an arrival. */
async function countGathered(t: ExecutionContext): Promise<GatheredArrivals> {
  const [messageIds, sizes]: [string[], number[]] = [[], []];
  const [distinct, deliveryIds] = [new Set<string>(), new Map<string, Set<string>>()];
  const sink = await startSink({
    port: 0,
    readBodies: true,
    onRequest({ body }) {
      const items = JSON.parse(String(body)) as { deliveryId: string; event: unknown }[];
      sizes.push(items.length);
      for (const { deliveryId, event } of items) {
        const id = MESSAGE_ID.exec(JSON.stringify(event))?.[1] ?? 'unknown';
        messageIds.push(id);
        distinct.add(id);
        deliveryIds.set(id, (deliveryIds.get(id) ?? new Set()).add(deliveryId));
      }
    },
  });
  t.teardown(() => sink.stop());
  return { url: `${sink.url}/hook`, messageIds, distinct, deliveryIds, sizes };
}

test('a worker killed twice loses no gathered event and keeps the order', async (t) => {
  t.timeout(patienceMs(count) * 2 + 240_000);
  const arrivals = await countGathered(t);
  const { workers, channel, db, ...system } = await startSystem(t);
  const { id, resourceId } = await channel({ webhookUrl: arrivals.url });
  const debounce = { seconds: 1, maxEvents: MAX_EVENTS };
  await db('destinations')
    .where({ channel_id: id })
    .update({ options: JSON.stringify({ debounce }) });
  const burst = publishBurst({ ...system, resourceIds: [resourceId], count });
  const kill = async (arrivedCount: number): Promise<void> => {
    await until(() => arrivals.distinct.size >= arrivedCount, { for: 'The middle of the burst' });
    await workers[0]!.kill9();
    await workers[0]!.start();
  };

  await kill(count / 4);
  await kill(count / 2);
  await burst.done;
  await untilArrived(arrivals, { messageIds: burst.acknowledged, timeoutMs: patienceMs(count) + 120_000 });

  const counts = tally(t, { acknowledged: burst.acknowledged, arrivals });
  t.is(counts.acknowledged, count);
  t.is(counts.lost, 0);
  t.is(counts.delivered, count);
  t.is(counts.disordered, 0);
  t.true(arrivals.sizes.some((size) => size > 1));
  t.true(arrivals.sizes.every((size) => size <= MAX_EVENTS));
  t.true(
    [...arrivals.deliveryIds.values()].every((ids) => ids.size === 1),
    'a repeat bears the same delivery id',
  );
});
