import { randomUUID } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { type PumpFleet, startPumpFleet } from '../../../activities/pump/pump-fleet.ts';
import { createAcceptedOutcomes } from '../../../activities/pump/outcomes/accepted-outcomes.ts';
import { startShardPump } from '../../../activities/pump/shard-pump.ts';
import { createSharedClaims } from '../../../activities/pump/shared-claims.ts';
import { createShortRetries } from '../../../activities/pump/short-retries.ts';
import { openDeliveryNotifications } from '../../../db/core/delivery-notifications.ts';
import type { HotPool } from '../../../db/core/hot-pool.ts';
import { acceptItems } from '../../../db/ledger/accept.ts';
import { listShards, readResharding, setTargetShards } from '../../../db/ledger/shards/resharding.ts';
import { anItem, aWebhookDestination, hotLedger } from '../../harness/deliveries/hot-ledger.ts';
import { extendLeases } from '../../harness/deliveries/extend-leases.ts';
import { recordedSends } from '../../harness/deliveries/recorded-sends.ts';
import { eventually } from '../../harness/eventually.ts';
import { rememberingLog } from '../../harness/quiet-log.ts';
import { aChannel } from '../../harness/tenants.ts';

const CHANNELS = 24;
const CONVERSATIONS = 3;
const ACCEPTORS = 3;
const patience = { deadlineMs: 240_000 };
const settings = {
  scheduleMs: [60_000],
  conversationHoldMs: 300_000,
  destinationInFlight: 16,
  workspaceInFlight: 256,
  probeDelaysMs: [60_000],
  failingDisableMs: 432_000_000,
  attemptTimeoutMs: 10_000,
};

interface Member {
  readonly holder: string;
  readonly fleet: PumpFleet;
  /** Cuts the worker off from the database for good. Nothing that it sent is settled. */
  readonly kill: () => void;
}

async function reshardingStage(t: ExecutionContext, { shards }: { readonly shards: number }) {
  const ledger = await hotLedger(t);
  const { db, pool, tenant } = ledger;
  await db('installation').update({ delivery_shards: shards });
  const resourceIds = Array.from({ length: CHANNELS }, (_, index) => `moving-${index}`);
  for (const resourceId of resourceIds)
    await aWebhookDestination(ledger, await aChannel(db, tenant.workspace, { resourceId }));
  const log = rememberingLog();
  const wake = openDeliveryNotifications({ url: ledger.url, log });
  t.teardown(() => wake.close());
  const sends = recordedSends({ delayMs: () => Math.random() * (Math.random() < 0.1 ? 500 : 15) });

  function join(): Member {
    const holder = `host/1/${randomUUID()}`;
    const own = ledger.anotherPool(6);
    const state = { isKilled: false };
    const query = (...args: Parameters<HotPool['query']>) =>
      state.isKilled ? Promise.reject(new Error('killed')) : own.query(...args);
    const noop = (): void => undefined;
    const sending = { sendDelivery: sends.sendDelivery, promote: noop, signalCircuits: noop };
    const gated = Object.create(own, { query: { value: query } }) as HotPool;
    const shared = {
      claims: createSharedClaims(gated),
      acceptedOutcomes: createAcceptedOutcomes({ pool: gated, onCircuits: noop, log }),
      shortRetries: createShortRetries({ pool: gated, log }),
    };
    const deps = { pool: gated, wake, log, holder, settings, ...sending, ...shared };
    const fleet = startPumpFleet({ ...deps, roles: ['pump'], startPump: (start) => startShardPump(deps, start) });
    t.teardown(() => {
      state.isKilled = false; // or its batcher repeats the last statement forever
      return fleet.stop();
    });
    return { holder, fleet, kill: () => void (state.isKilled = true) };
  }

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
