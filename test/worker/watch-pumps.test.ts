import { createServer } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { startWorkerPump, type WorkerPump } from '../../activities/pump/worker-pump.ts';
import { createLease, leaseNow } from '../../activities/pump/lease.ts';
import { answersNewConnection } from '../../db/core/answers-new-connection.ts';
import { createMetricRegistry } from '../../metrics/registry.ts';
import { startMetrics } from '../../metrics/server.ts';
import { watchPumps } from '../../worker/watch-pumps.ts';
import { aLease } from '../harness/deliveries/a-lease.ts';
import { eventually } from '../harness/eventually.ts';
import { hotLedger, type HotLedger } from '../harness/deliveries/hot-ledger.ts';
import { interceptedPool } from '../harness/deliveries/intercepted-pool.ts';
import { rememberingLog } from '../harness/quiet-log.ts';
import { onLoopback } from '../harness/connections/loopback.ts';
import { pumpDeps, notificationsOf } from '../harness/deliveries/pump-deps.ts';

const HUNG_MS = 61_000;

function watched({ pumpMs = 0, roundMs = 0, reachable = true }) {
  const log = rememberingLog();
  const fleet = () => ({ pump: { shards: () => [3, 7], turnedAgoMs: () => pumpMs }, turnedAgoMs: () => roundMs });
  let asked = 0;
  const isDatabaseReachable = () => {
    asked++;
    return Promise.resolve(reachable);
  };
  return { watch: watchPumps({ fleet, isDatabaseReachable, log }), log, asked: () => asked };
}

test('a loop that hangs while the database answers fails the probe', async (t) => {
  for (const hung of [{ pumpMs: HUNG_MS }, { roundMs: HUNG_MS }]) {
    const { watch, log } = watched(hung);
    t.false(await watch.isAlive());
    t.true(log.lines.some(({ event }) => event === 'pump.roundFailed'));
  }
  t.deepEqual(watched({ pumpMs: 5 }).watch.turn(), { shardCount: 2, turnedAgoMs: 5 });
});

test('a database that is away does not fail the probe', async (t) => {
  t.true(await watched({ pumpMs: HUNG_MS, reachable: false }).watch.isAlive());
});

test('loops that turn need no database for the probe', async (t) => {
  const { watch, asked } = watched({ pumpMs: 59_000 });
  t.true(await watch.isAlive());
  t.is(asked(), 0);
  const none = watchPumps({
    fleet: () => undefined,
    isDatabaseReachable: () => Promise.resolve(true),
    log: rememberingLog(),
  });
  t.true(await none.isAlive());
  t.is(none.turn(), undefined);
});

interface Stall {
  readonly pump: WorkerPump;
  begin(): void;
}

/** A pump whose claims stop to be answered. */
async function stallingPump(t: ExecutionContext, ledger: HotLedger): Promise<Stall> {
  const { pool } = ledger;
  const log = rememberingLog();
  const wake = notificationsOf(t, ledger);
  const stalled = Promise.withResolvers<never>();
  let isStalled = false;
  const claimPool = interceptedPool(pool, (_, execute) => (isStalled ? stalled.promise : execute()));
  const lease = createLease();
  lease.renewed(leaseNow() + 3_600_000);
  const pump = startWorkerPump({ ...pumpDeps({ pool, claimPool, wake, log, holder: 'host' }), lease });
  pump.serve([await aLease(pool, 0, 'host')]);
  t.teardown(async () => {
    stalled.reject(new Error('the test has ended'));
    await pump.stop();
  });
  return { pump, begin: () => void (isStalled = true) };
}

test('a pump whose claim never ends is found by the probe', async (t) => {
  const ledger = await hotLedger(t);
  const stall = await stallingPump(t, ledger);
  const log = rememberingLog();
  let skippedMs = 0;
  const pumpTurnedAgoMs = () => stall.pump.turnedAgoMs() + skippedMs;
  const { isAlive } = watchPumps({
    fleet: () => ({ pump: { shards: () => [0], turnedAgoMs: pumpTurnedAgoMs }, turnedAgoMs: () => 0 }),
    isDatabaseReachable: () => answersNewConnection(ledger.url),
    log,
  });
  const health = { isAlive, isReady: () => true, temporalState: () => Promise.resolve('ok') };
  const server = await startMetrics({ port: 0, host: '127.0.0.1', register: createMetricRegistry(), health, log });
  t.teardown(() => server?.close());
  const probe = async () => (await fetch(server!.url.replace('/metrics', '/healthz'))).status;

  const roundAtMs = () => performance.now() - pumpTurnedAgoMs();
  const firstMs = roundAtMs();
  await eventually(() => roundAtMs() > firstMs + 1);
  t.is(await probe(), 200);

  stall.begin();
  // Longer than the longest rest after a sweep.
  await eventually(() => pumpTurnedAgoMs() > 3_000);
  skippedMs = HUNG_MS;
  // At a busy moment the database may take too long to answer the probe.
  await eventually(async () => (await probe()) === 503);
  t.pass();
});

test('only a database that answers counts as reachable', async (t) => {
  const { url } = await hotLedger(t);
  t.true(await eventually(() => answersNewConnection(url)));
  const silent = createServer((socket) => void t.teardown(() => socket.destroy()));
  const { port, stop } = await onLoopback(silent);
  t.teardown(stop);
  t.false(await answersNewConnection(`postgres://user@127.0.0.1:${port}/none`));
  t.false(await answersNewConnection('postgres://user@127.0.0.1:1/none'));
});
