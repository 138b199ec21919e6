import { randomUUID } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { createLease, leaseNow } from '../../../activities/pump/lease.ts';
import { startWorkerPump } from '../../../activities/pump/worker-pump.ts';
import { aLease } from '../../harness/deliveries/a-lease.ts';
import { accepted, anItem } from '../../harness/deliveries/hot-ledger.ts';
import { interceptedPool } from '../../harness/deliveries/intercepted-pool.ts';
import { pumpDeps } from '../../harness/deliveries/pump-deps.ts';
import { aReceivingWebhook, pumpStage, statusesOf, untilAll } from '../../harness/deliveries/pump-stage.ts';
import { eventually } from '../../harness/eventually.ts';
import { aChannel } from '../../harness/tenants.ts';

/** A pump that serves the shards of two destinations, whose claims can be held back after the database has answered. */
async function twoShards(t: ExecutionContext) {
  const stage = await pumpStage(t);
  const { db, pool, wake, log, sendDelivery, tenant } = stage;
  const channel = await aChannel(db, tenant.workspace, { resourceId: 'res-2' });
  const other = await aReceivingWebhook(stage, channel, stage.receiver.webhook('other'));
  const holder = `pump/${randomUUID()}`;
  let answered: { readonly isHeld: () => void; readonly released: Promise<void> } | undefined;
  let refusedShard: number | undefined;
  const claimPool = interceptedPool(pool, async ({ name, values = [] }, execute) => {
    const isRefused = refusedShard !== undefined && (values[0] as number[]).includes(refusedShard);
    if (isRefused) throw new TypeError('refused');
    const held = name === 'claim-deliveries' ? answered : undefined;
    const result = await execute();
    held?.isHeld();
    await held?.released;
    return result;
  });
  const lease = createLease();
  lease.renewed(leaseNow() + 3_600_000);
  const pump = startWorkerPump({ ...pumpDeps({ pool, claimPool, wake, log, holder, sendDelivery }), lease });
  const serve = async (shard: number) => pump.serve([await aLease(pool, shard, holder)]);
  await serve(stage.destination.shard);
  await serve(other.destination.shard);
  t.teardown(() => pump.stop());
  const acceptBoth = () => accepted(pool, [anItem(), anItem({ resourceId: 'res-2' })]);
  /** Resolves once a claim has read the database. Its answer waits until `release`. */
  const holdClaim = () => {
    const isHeld = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    answered = { isHeld: isHeld.resolve, released: released.promise };
    t.teardown(released.resolve);
    return { isHeld: isHeld.promise, release: released.resolve };
  };
  const refuseClaimsOf = (shard: number | undefined): void => void (refusedShard = shard);
  return { stage, ...stage, other, pump, serve, acceptBoth, holdClaim, refuseClaimsOf };
}

test('a pump gives up a shard and continues with another', async (t) => {
  const { stage, pump, serve, webhook, other, destination, acceptBoth } = await twoShards(t);
  await acceptBoth();
  await untilAll(stage, 'delivered');
  await pump.giveUp([destination.shard]);
  t.deepEqual(pump.shards(), [other.destination.shard]);
  await acceptBoth();
  await other.webhook.waitForDeliveries(2);
  await eventually(async () => (await statusesOf(stage)).filter((each) => each === 'delivered').length === 3);
  t.is(webhook.deliveries().length, 1);
  await serve(destination.shard);
  await webhook.waitForDeliveries(2);
});

test('a claim that ends after its shard was given up sends nothing', async (t) => {
  const { pump, serve, webhook, other, destination, acceptBoth, holdClaim } = await twoShards(t);
  const { isHeld, release } = holdClaim();
  await acceptBoth();
  await isHeld;
  await pump.giveUp([destination.shard]);
  await serve(destination.shard);
  await pump.giveUp([destination.shard]);
  release();
  await other.webhook.waitForDeliveries(1);
  t.is(webhook.deliveries().length, 0);
});

test('a shard whose claim fails stops no other', async (t) => {
  const { refuseClaimsOf, webhook, other, destination, acceptBoth, log } = await twoShards(t);
  refuseClaimsOf(destination.shard);
  await acceptBoth();
  await other.webhook.waitForDeliveries(1);
  await acceptBoth();
  await other.webhook.waitForDeliveries(2);
  t.is(webhook.deliveries().length, 0);
  t.true(log.lines.some(({ event }) => event === 'delivery.claimFailed'));
});

test('a shard under another fence is lost', async (t) => {
  const { pump, other, destination } = await twoShards(t);
  const fences = new Map([
    [destination.shard, 99],
    [other.destination.shard, 1],
  ]);
  t.deepEqual(pump.renewed(fences), [destination.shard]);
  t.deepEqual(pump.heldShards(), [other.destination.shard]);
  t.deepEqual(pump.renewed(fences), []);
});
