import { randomUUID } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { startPumpFleet } from '../../../activities/pump/pump-fleet.ts';
import type { PumpStart, ShardPump } from '../../../activities/pump/pump-fleet.ts';
import type { HotPool } from '../../../db/core/hot-pool.ts';
import { handOver } from '../../../db/ledger/shards/hand-over.ts';
import { eventually } from '../../harness/eventually.ts';
import { hotLedger, type HotLedger } from '../../harness/deliveries/hot-ledger.ts';
import { rememberingLog } from '../../harness/quiet-log.ts';
import { notificationsOf } from '../../harness/deliveries/pump-deps.ts';

const SHARDS = 4;
const ALL = [0, 1, 2, 3];
const ROUNDS = 4;

interface SlowPump {
  readonly shard: number;
  readonly pump: ShardPump;
  readonly isStopped: () => boolean;
  /** Lets the release begin. */
  readonly release: () => void;
}

/** A fleet whose pumps release their shards when the test lets them. */
async function slowFleet(t: ExecutionContext) {
  const ledger = await hotLedger(t);
  await ledger.db('installation').update({ delivery_shards: SHARDS });
  const log = rememberingLog();
  const wake = notificationsOf(t, ledger);
  const holder = `host/1/${randomUUID()}`;
  const started: SlowPump[] = [];
  const { pool, renewals } = noting(ledger.anotherPool(4));
  const startPump = (start: PumpStart): ShardPump => {
    const slow = slowPump({ pool: ledger.pool, holder }, start);
    started.push(slow);
    return slow.pump;
  };
  const fleet = startPumpFleet({ pool, wake, holder, roles: ['pump'], startPump, log });
  t.teardown(() => {
    for (const { release } of started) release();
    return fleet.stop();
  });
  await eventually(() => fleet.pumps().length === SHARDS);
  /** Returns the shards that each of the next rounds renews. */
  const nextRenewals = async (): Promise<number[][]> => {
    const from = renewals.length;
    await eventually(() => renewals.length >= from + ROUNDS);
    return renewals.slice(from);
  };
  return { ...ledger, log, fleet, started, nextRenewals };
}

function slowPump({ pool, holder }: { pool: HotPool; holder: string }, { shard, lease }: PumpStart): SlowPump {
  const allowed = Promise.withResolvers<void>();
  let stopped: Promise<void> | undefined;
  const progress = { destinationCount: 0, settledCount: 0, promotedCount: 0, heldCount: 0 };
  const release = async (): Promise<void> => {
    await allowed.promise;
    await handOver(pool, { shard, holder, fence: lease.fence, inFlight: [], overdueMs: 1 });
    lease.end();
  };
  const stop = (): Promise<void> => (stopped ??= release());
  const ended = Promise.resolve(progress);
  const pump: ShardPump = {
    shard,
    lease,
    stop,
    ended,
    leaseRenewed: () => undefined,
    setMoving: () => undefined,
    turnedAgoMs: () => 0,
    stopped: allowed.promise,
    progress: () => Promise.resolve(progress),
  };
  return { shard, pump, isStopped: () => stopped !== undefined, release: allowed.resolve };
}

/** Notes the shards of each renewal. */
function noting(pool: HotPool) {
  const renewals: number[][] = [];
  const query = (...args: Parameters<HotPool['query']>) => {
    const { name, values } = args[0] as { readonly name?: string; readonly values?: readonly unknown[] };
    if (name === 'renew-leases') renewals.push((values![1] as number[]).toSorted());
    return pool.query(...args);
  };
  return { pool: Object.create(pool, { query: { value: query } }) as HotPool, renewals };
}

/** Another live worker that takes no shard. */
async function addWorker({ db }: Pick<HotLedger, 'db'>): Promise<void> {
  await db('workers').insert({ holder: 'host/2/idle', roles: ['pump'], seen_at: new Date(Date.now() + 600_000) });
}

const freeShards = async ({ db }: Pick<HotLedger, 'db'>): Promise<number[]> =>
  await db('shard_leases').whereRaw('expires_at <= clock_timestamp()').orderBy('shard').pluck('shard');

test('a slow release delays no renewal and moves no more shards', async (t) => {
  const stage = await slowFleet(t);
  await addWorker(stage);
  const leaving = () => stage.started.filter(({ isStopped }) => isStopped());
  await eventually(() => leaving().length === SHARDS / 2);
  for (const shards of await stage.nextRenewals()) t.deepEqual(shards, ALL);
  t.is(leaving().length, SHARDS / 2);
  t.is(stage.fleet.pumps().length, SHARDS / 2);
  for (const { release } of leaving()) release();
  const given = leaving().map(({ shard }) => shard);
  await eventually(async () => (await freeShards(stage)).join() === given.toSorted().join());
  await stage.nextRenewals();
  t.is(stage.fleet.pumps().length, SHARDS / 2);
  t.false(stage.log.lines.some(({ event }) => event === 'lease.lost'));
});

test('a worker that stops renews its leases until they are released', async (t) => {
  const stage = await slowFleet(t);
  const stopping = stage.fleet.stop();
  await eventually(() => stage.started.every(({ isStopped }) => isStopped()));
  for (const shards of await stage.nextRenewals()) t.deepEqual(shards, ALL);
  t.deepEqual(await stage.db('workers').select(), []);
  for (const { release } of stage.started) release();
  await stopping;
  t.is((await freeShards(stage)).length, SHARDS);
  t.deepEqual(await stage.db('workers').select(), []);
});
