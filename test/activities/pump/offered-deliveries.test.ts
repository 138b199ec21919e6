import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import type { QueryConfig } from 'pg';
import type { SendDelivery } from '../../../activities/deliveries/send-delivery.ts';
import { REMEMBER_MS } from '../../../activities/pump/offers.ts';
import type { WorkerPump } from '../../../activities/pump/worker-pump.ts';
import type { ClaimedDelivery } from '../../../db/ledger/claim.ts';
import { acceptItems } from '../../../db/ledger/accept.ts';
import type { DeliveryOffer } from '../../../db/ledger/offers/delivery-offer.ts';
import { createWorkerMeter } from '../../../metrics/worker-metrics.ts';
import { interceptedPool } from '../../harness/deliveries/intercepted-pool.ts';
import { anItem, aWebhookDestination, hotLedger, items } from '../../harness/deliveries/hot-ledger.ts';
import { extendLeases } from '../../harness/deliveries/extend-leases.ts';
import { runLeasedPump } from '../../harness/deliveries/leased-pump.ts';
import { notificationsOf, pumpDeps } from '../../harness/deliveries/pump-deps.ts';
import { recordedSends } from '../../harness/deliveries/recorded-sends.ts';
import { eventually } from '../../harness/eventually.ts';
import { pluck } from '../../harness/pluck.ts';
import { rememberingLog } from '../../harness/quiet-log.ts';

const otherShard = (shard: number): number => (shard + 1) % 256;

interface StageOptions {
  /** Optional. Default: accepts all after a while. */
  readonly sendDelivery?: SendDelivery;
  readonly shards?: (own: number) => readonly number[];
  /** Optional. Whether the pump has just taken the shards. Default: some time has passed since. */
  readonly isNew?: boolean;
}

/** A pump that has claimed a delivery of its destination, so that it knows it. */
async function aStage(t: ExecutionContext, { shards, isNew = false, ...others }: StageOptions = {}) {
  const ledger = await hotLedger(t, { prepare: extendLeases });
  const { pool, db } = ledger;
  const destination = await aWebhookDestination(ledger, ledger.channel);
  const claims = { count: 0, areHeld: false };
  const claimPool = interceptedPool(ledger.anotherPool(), async ({ name }, execute) => {
    const result = await execute();
    if (name !== 'claim-deliveries') return result;
    claims.count++;
    while (claims.areHeld) await sleep(5);
    return result;
  });
  const sends = recordedSends({ delayMs: () => Math.random() * 5 });
  const { sendDelivery = sends.sendDelivery } = others;
  // They stand still, so that no result depends on how busy the machine is.
  const times = { nowMs: 0, clockMs: Date.now() };
  const offersClocks = { now: () => times.nowMs, clock: () => times.clockMs };
  const stopping = new AbortController();
  const started = Promise.withResolvers<WorkerPump>();
  const log = rememberingLog();
  const meter = createWorkerMeter();
  const wake = notificationsOf(t, ledger);
  const deps = pumpDeps({ pool, claimPool, wake, log, holder: 'pump', sendDelivery, offersClocks, meter });
  const run = { ...(shards && { shards: shards(destination.shard) }), signal: stopping.signal };
  const ended = runLeasedPump(deps, { ...run, onPump: started.resolve });
  const stop = async (): Promise<void> => {
    claims.areHeld = false;
    stopping.abort();
    await ended;
  };
  t.teardown(stop);
  const pump = await started.promise;
  await eventually(() => pump.shards().length > 0);
  if (!isNew) times.nowMs += REMEMBER_MS;
  const { count } = claims;
  await eventually(() => claims.count >= count + 2); // none has begun before
  const accept = async (...accepted: Parameters<typeof acceptItems>[1]) => (await acceptItems(pool, accepted)).offers;
  const delivered = async (): Promise<number[]> => pluck(await db('deliveries').where({ status: 'delivered' }), 'id');
  const takenCount = async (): Promise<number> => {
    const taken = /offered_total\{outcome="taken"\} (\d+)/.exec(await meter.register.expose());
    return Number(taken?.[1] ?? 0);
  };
  return { ...ledger, takenCount, wake, destination, claims, sends, pump, accept, delivered, stop };
}

type Stage = Awaited<ReturnType<typeof aStage>>;

/** Claims return nothing from now on, so that only offers are sent. */
async function untilKnown({ accept, claims, delivered }: Stage): Promise<void> {
  await accept(anItem());
  await eventually(async () => (await delivered()).length === 1);
  claims.areHeld = true;
}

test('an offered delivery is sent without a claim', async (t) => {
  const stage = await aStage(t);
  await untilKnown(stage);
  const offers = await stage.accept(...items(3));
  t.deepEqual(stage.pump.offer(offers), []);
  await eventually(async () => (await stage.delivered()).length === 4);
  stage.sends.assertOnceInOrder(t, await stage.delivered());
});

test('what the pump does not take is claimed', async (t) => {
  const stage = await aStage(t);
  await untilKnown(stage);
  const [offer] = await stage.accept(anItem());
  stage.pump.offer([{ ...offer!, destinationVersion: null }]);
  t.is(stage.sends.sentIds().length, 1);
  stage.claims.areHeld = false;
  await eventually(async () => (await stage.delivered()).length === 2);
  stage.sends.assertOnceInOrder(t, await stage.delivered());
});

test('an offer of a shard that another worker serves is returned', async (t) => {
  const stage = await aStage(t, { shards: (own) => [otherShard(own)] });
  const offers = await stage.accept(...items(2));
  t.deepEqual(new Set(stage.pump.offer(offers)), new Set([stage.destination.shard]));
  t.deepEqual(stage.sends.sentIds(), []);
});

test('a pump that has just taken a shard claims what is offered', async (t) => {
  const stage = await aStage(t, { isNew: true });
  await untilKnown(stage);
  stage.pump.offer(await stage.accept(anItem()));
  t.is(stage.sends.sentIds().length, 1);
  stage.claims.areHeld = false;
  await eventually(async () => (await stage.delivered()).length === 2);
  stage.sends.assertOnceInOrder(t, await stage.delivered());
});

test('an offer after the delivery was claimed, sent and settled repeats nothing', async (t) => {
  const stage = await aStage(t);
  await untilKnown(stage);
  stage.claims.areHeld = false;
  const late = await stage.accept(...items(2));
  await eventually(async () => (await stage.delivered()).length === 3);
  stage.pump.offer(late);
  const next = await stage.accept(anItem({ conversationKey: 2 }));
  stage.pump.offer(next);
  await eventually(async () => (await stage.delivered()).length === 4);
  stage.sends.assertOnceInOrder(t, await stage.delivered());
});

test('a claim under way does not repeat what was offered meanwhile', async (t) => {
  const stage = await aStage(t);
  await untilKnown(stage);
  const { count } = stage.claims;
  const offers = await stage.accept(anItem());
  await eventually(() => stage.claims.count > count);
  stage.pump.offer(offers);
  await eventually(async () => (await stage.delivered()).length === 2);
  stage.claims.areHeld = false;
  await eventually(() => stage.claims.count > count + 2);
  stage.sends.assertOnceInOrder(t, await stage.delivered());
});

test('a changed destination is claimed again before its offers are taken', async (t) => {
  const stage = await aStage(t);
  await untilKnown(stage);
  const { id, shard } = stage.destination;
  const changed = Promise.withResolvers<void>();
  stage.wake.subscribe((_, change) => change === id && changed.resolve());
  await stage.pool.query("select pg_notify('deliveries', $1)", [`${shard}:${id}`]);
  await changed.promise;
  stage.pump.offer(await stage.accept(anItem()));
  t.is(stage.sends.sentIds().length, 1);
  stage.claims.areHeld = false;
  await eventually(async () => (await stage.delivered()).length === 2);
});

test('a stopped pump takes no offers', async (t) => {
  const stage = await aStage(t);
  await untilKnown(stage);
  await stage.stop();
  t.deepEqual(stage.pump.offer(await stage.accept(anItem())), [stage.destination.shard]);
  t.is(stage.sends.sentIds().length, 1);
});

/** Answers when it is asked to, with a status that it is given. */
function heldSends() {
  const sentIds: number[] = [];
  const waiting: ((status: number) => void)[] = [];
  let isHeld = false;
  const sendDelivery: SendDelivery = async (delivery, number) => {
    sentIds.push((delivery as ClaimedDelivery).id);
    const status = isHeld ? await new Promise<number>((resolve) => waiting.push(resolve)) : 200;
    const answer = { status, responseHeaders: {}, responseBody: null, error: null };
    return {
      number,
      startedAtMs: Date.now(),
      durationMs: 1,
      outcome: status === 200 ? 'accepted' : 'rejected',
      ...answer,
    };
  };
  const hold = (): void => void (isHeld = true);
  const answer = (status = 200): void => waiting.shift()?.(status);
  const release = (): void => {
    isHeld = false;
    while (waiting.length > 0) answer();
  };
  return { sendDelivery, sentIds, hold, answer, release };
}

/** As another API process, whose statement has begun and which commits later. */
async function uncommitted({ pool }: Stage) {
  const client = await pool.connect();
  await client.query('begin');
  const { offers } = await acceptItems(
    interceptedPool(pool, (statement) => client.query(statement as QueryConfig)),
    [anItem()],
  );
  const commit = async (): Promise<void> => {
    await client.query('commit');
    client.release();
  };
  return { offers, commit };
}

test('a delivery that was accepted meanwhile waits behind a failed one', async (t) => {
  const { hold, answer, ...sends } = heldSends();
  const stage = await aStage(t, sends);
  await untilKnown(stage);
  const [first, second] = [await uncommitted(stage), await uncommitted(stage)];
  await first.commit();
  hold();
  stage.pump.offer(first.offers);
  answer(500);
  const { id } = first.offers[0]!;
  await eventually(async () => (await stage.db('deliveries').where({ id }).first()).status === 'retrying');
  await second.commit();
  stage.pump.offer(second.offers);
  t.deepEqual(second.offers[0]!.before, []);
  t.is(sends.sentIds.at(-1), id);
});

test('a delivery that was accepted meanwhile waits behind a declined one', async (t) => {
  const stage = await aStage(t);
  await untilKnown(stage);
  const [first, second] = [await uncommitted(stage), await uncommitted(stage)];
  await first.commit();
  stage.pump.offer([{ ...first.offers[0]!, destinationVersion: null }]);
  await second.commit();
  stage.pump.offer(second.offers);
  t.is(stage.sends.sentIds().length, 1);
  stage.claims.areHeld = false;
  await eventually(async () => (await stage.delivered()).length === 3);
  stage.sends.assertOnceInOrder(t, await stage.delivered());
});

test('later offers do not overtake those for which there was no room', async (t) => {
  const { hold, answer, release, ...sends } = heldSends();
  const stage = await aStage(t, sends);
  await untilKnown(stage);
  hold();
  const many = await stage.accept(...items(100, (index) => index + 2));
  stage.pump.offer(many);
  const taken = await stage.takenCount();
  t.true(taken > 0 && taken < many.length);
  answer();
  await eventually(async () => (await stage.delivered()).length === 2);
  stage.pump.offer(await stage.accept(anItem({ conversationKey: 200 })));
  t.is(await stage.takenCount(), taken);
  stage.claims.areHeld = false;
  release();
  await eventually(async () => (await stage.delivered()).length === many.length + 2);
  t.deepEqual(
    sends.sentIds,
    sends.sentIds.toSorted((a, b) => a - b),
  );
});

const CONVERSATIONS = 20;
const PER_CONVERSATION = 30;

/** The next event of a conversation is accepted once the one before is, as a platform sends it. */
async function converse(stage: Stage, conversationKey: number): Promise<readonly DeliveryOffer[]> {
  const accepted: DeliveryOffer[] = [];
  for (let count = 0; count < PER_CONVERSATION; count++) {
    const offers = await stage.accept(anItem({ conversationKey }));
    accepted.push(...offers);
    const chance = Math.random();
    if (chance < 0.5) stage.pump.offer(offers);
    else if (chance < 0.9) setTimeout(() => stage.pump.offer(offers), Math.random() * 40).unref();
    if (chance > 0.97) await stage.db('destinations').update({ updated_at: stage.db.fn.now() });
  }
  return accepted;
}

test('late, disordered and lost offers neither lose, repeat nor reorder', async (t) => {
  const stage = await aStage(t);
  await untilKnown(stage);
  stage.claims.areHeld = false;
  const conversations = Array.from({ length: CONVERSATIONS }, (_, key) => converse(stage, key + 1));
  const offers = (await Promise.all(conversations)).flat();
  t.true((await stage.takenCount()) > 0);
  await eventually(async () => (await stage.delivered()).length === offers.length + 1);
  stage.sends.assertOnceInOrder(t, await stage.delivered());
});
