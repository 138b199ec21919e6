import test, { type ExecutionContext } from 'ava';
import { acceptItems } from '../../../db/ledger/accept.ts';
import { listShards, readResharding, setTargetShards } from '../../../db/ledger/shards/resharding.ts';
import { anItem, aWebhookDestination, hotLedger } from '../../harness/deliveries/hot-ledger.ts';
import { extendLeases } from '../../harness/deliveries/extend-leases.ts';
import { recordedSends } from '../../harness/deliveries/recorded-sends.ts';
import { fleetOf } from '../../harness/deliveries/fleet-member.ts';
import { eventually } from '../../harness/eventually.ts';
import { aChannel } from '../../harness/tenants.ts';

const CHANNELS = 24;
const CONVERSATIONS = 3;
const ACCEPTORS = 3;
const patience = { deadlineMs: 240_000 };
async function reshardingStage(t: ExecutionContext, { shards }: { readonly shards: number }) {
  const ledger = await hotLedger(t);
  const { db, pool, tenant } = ledger;
  await db('installation').update({ delivery_shards: shards });
  const resourceIds = Array.from({ length: CHANNELS }, (_, index) => `moving-${index}`);
  for (const resourceId of resourceIds)
    await aWebhookDestination(ledger, await aChannel(db, tenant.workspace, { resourceId }));
  const sends = recordedSends({ delayMs: () => Math.random() * (Math.random() < 0.1 ? 500 : 15) });
  const { join } = fleetOf(t, ledger, sends.sendDelivery);

  /** Each acceptor waits for its commit before the next items of its conversations. */
  function load() {
    let isOver = false;
    const accept = async (acceptor: number): Promise<void> => {
      while (!isOver) {
        const items = resourceIds.flatMap((resourceId) =>
          Array.from({ length: 2 }, () => {
            const conversationKey = acceptor * CONVERSATIONS + Math.floor(Math.random() * CONVERSATIONS);
            return anItem({ resourceId, conversationKey });
          }),
        );
        await acceptItems(pool, items);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };
    const running = Promise.all(Array.from({ length: ACCEPTORS }, (_, index) => accept(index)));
    return async (): Promise<void> => {
      isOver = true;
      await running;
    };
  }

  const setShards = (count: number): Promise<void> => setTargetShards(db, count);
  const untilShards = (count: number) =>
    eventually(async () => {
      const state = await readResharding(db);
      return state.targetShards === null && state.shards === count && state.toMove === 0 && state.moving === 0;
    }, patience);
  const deliveries = () =>
    db<{ id: number; status: string; shard: number }>('deliveries').select('id', 'status', 'shard');
  const untilDelivered = () =>
    eventually(async () => (await deliveries()).every(({ status }) => status === 'delivered'), patience);
  return { ...ledger, sends, join, load, setShards, untilShards, untilDelivered, deliveries };
}

test('shards grow and shrink under load without loss, repetition or disorder', async (t) => {
  t.timeout(600_000);
  const stage = await reshardingStage(t, { shards: 4 });
  await extendLeases(stage.db); // or a pause of the machine repeats deliveries
  stage.join();
  stage.join();
  const stopLoad = stage.load();
  await eventually(() => stage.sends.sentIds().length > 500, patience);
  for (const count of [16, 3, 7]) {
    await stage.setShards(count);
    await stage.untilShards(count);
    const shards = await listShards(stage.db);
    t.is(shards.length, count);
    const sentCount = stage.sends.sentIds().length;
    await eventually(() => stage.sends.sentIds().length > sentCount + 200, patience);
  }
  await stopLoad();
  await stage.untilDelivered();
  const ids = (await stage.deliveries()).map(({ id }) => id);
  t.log(`${ids.length} deliveries`);
  stage.sends.assertOnceInOrder(t, ids);
  t.deepEqual(await stage.db('handed_over_deliveries').select(), []);
});

test('a change of the shards continues after a worker died', async (t) => {
  t.timeout(600_000);
  const stage = await reshardingStage(t, { shards: 4 });
  const [first] = [stage.join(), stage.join()];
  const stopLoad = stage.load();
  await eventually(() => stage.sends.sentIds().length > 300, patience);
  await stage.setShards(12);
  await eventually(async () => (await readResharding(stage.db)).moving > 0, patience);
  first.kill();
  await stage.setShards(2); // changes its mind as well
  stage.join();
  await stage.untilShards(2);
  await stopLoad();
  await stage.untilDelivered();
  const sent = new Set(stage.sends.sentIds());
  t.deepEqual(
    (await stage.deliveries()).filter(({ id }) => !sent.has(id)),
    [],
  );
});
