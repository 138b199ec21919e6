import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../dev/processes/ports.ts';
import { toFigures, type FigureSpec, type Measured } from '../figures/figures.ts';
import { startTemporalCluster } from '../layout/temporal-cluster.ts';
import { shardHolders, untilHeldBy } from '../layout/shard-holders.ts';
import type { Child } from '../system/processes.ts';
import { repeat, type Row } from '../figures/row.ts';
import { seedChannels } from '../system/seed.ts';
import { durationsMs, percentile } from '../figures/statistics.ts';
import type { System } from '../system/system.ts';
import { prepareBurst, throwIfLost, sendBurst, untilSettled, type BurstResult } from '../system/traffic.ts';
import { CONNECTIONS } from './ingest.ts';

const APIS = 2;
const WORKERS = 3;
/** Enough destinations to use every shard. */
const DESTINATIONS = 24;
const FULL_SPEED_EVENTS = 20_000;
const PACED_EVENTS = 10_000;
const RATE_PER_SECOND = 1_000;
const KILL_API_AFTER_ARRIVALS = 3_000;
const KILL_WORKER_AFTER_ARRIVALS = 5_000;
/** As in crash.ts. */
const AFTERMATH_MS = 100;

const END_TO_END = 'end to end, first POST to last arrival';
const CPU = 'processor seconds for 1,000 events';
const partNames = ['api', 'worker', 'gateway', 'postgres', 'temporal', 'publisher', 'sink'];
const ofPart = (part: string): string => `  of these ${part}`;
const DISK = 'database files for 1,000 events of 500 bytes';
const MOST_SHARDS = 'shards at the worker that has the most';
const SERVING = 'workers that serve a shard';
const paced = 'at 1,000/s';
const killed = 'one API and one worker killed';
const specs: FigureSpec[] = [
  { name: END_TO_END, unit: '/s' },
  { name: CPU, unit: 's' },
  ...partNames.map((part) => ({ name: ofPart(part), unit: 's' })),
  { name: DISK, unit: 'KB' },
  { name: `accepted to arrived ${paced}, p50`, unit: 'ms' },
  { name: `accepted to arrived ${paced}, p95`, unit: 'ms' },
  { name: `sent to accepted ${paced}, p50`, unit: 'ms' },
  { name: `sent to accepted ${paced}, p99`, unit: 'ms' },
  { name: SERVING, unit: '' },
  { name: MOST_SHARDS, unit: '' },
  { name: `${killed}: lost`, unit: '', reach: { atMost: 0 } },
  { name: `${killed}: doubled`, unit: '', reach: { atMost: 64 } },
  { name: `${killed}: sent again by the platform`, unit: '' },
  { name: `${killed}: its shards with others after`, unit: 's', reach: { atMost: 5 } },
  { name: `${killed}: longest from sent to arrived`, unit: 's', reach: { atMost: 5 } },
];

interface Layout {
  readonly system: System;
  readonly resourceIds: readonly string[];
  readonly ports: readonly number[];
  readonly apis: Child[];
  readonly workers: Child[];
}

export const layout: Row = {
  title:
    'two APIs, three workers, one gateway and Temporal on PostgreSQL: rates, shards, and kill -9 of an API and a worker',
  startTemporal: startTemporalCluster,
  async measure({ system, say }) {
    const parts = await startLayout(system);
    const runs = await repeat(async () => {
      const full = await fullSpeed(parts);
      const arrivals = await pacedArrivals(parts);
      const spread = await shardSpread(parts);
      const crash = await killInTheMiddle(parts);
      const measured = { ...full, ...arrivals, ...spread, ...crash };
      say(specs.map(({ name, unit }) => `${name} ${measured[name]?.toFixed(2)} ${unit}`).join('\n  '));
      return measured;
    });
    const notes = [
      `${DESTINATIONS} destinations in 4 shards; ${CONNECTIONS} connections, half of them to each API.`,
      `Killed while ${RATE_PER_SECOND} events a second come: the API after ${KILL_API_AFTER_ARRIVALS} arrivals, the worker with the most shards after ${KILL_WORKER_AFTER_ARRIVALS}; neither is started again before all has arrived.`,
    ];
    return { figures: toFigures(specs, runs), notes };
  },
};

async function startLayout(system: System): Promise<Layout> {
  const destinationUrl = (number: number): string => `${system.sinkUrl}/webhook/${number}`;
  const channels = await seedChannels({ ...system, count: DESTINATIONS, destinationUrl });
  const resourceIds = channels.map(({ resourceId }) => resourceId);
  const ports = [];
  for (let index = 0; index < APIS; index++) ports.push(await freePort());
  // Started in parallel, because a first worker alone would take every shard.
  const workers = await Promise.all(Array.from({ length: WORKERS }, (_, index) => startWorker(system, index)));
  const apis = [];
  for (const index of ports.keys()) apis.push(await startApi({ system, ports }, index));
  await system.startGateway({ GATEWAY_PORT: String(await freePort()) });
  const parts = { system, resourceIds, ports, apis, workers };
  await sendBurst(system, { resourceIds, ports, count: PACED_EVENTS, connections: CONNECTIONS });
  return parts;
}

const startWorker = (system: System, index: number): Promise<Child> => system.startWorker({}, `worker-${index + 1}`);

const startApi = ({ system, ports }: Pick<Layout, 'system' | 'ports'>, index: number): Promise<Child> =>
  system.startApi({ name: `api-${index + 1}`, port: ports[index]! });

async function fullSpeed({ system, resourceIds, ports }: Layout): Promise<Measured> {
  const send = await prepareBurst(system, { resourceIds, ports, count: FULL_SPEED_EVENTS, connections: CONNECTIONS });
  const before = cpuByPart(system);
  const bytesBefore = await databaseBytes(system);
  const result = await send();
  throwIfLost(result);
  await untilSettled(system);
  const after = cpuByPart(system);
  const bytesAfter = await databaseBytes(system);
  const used = partNames.map((part) => ((after[part]! - before[part]!) / FULL_SPEED_EVENTS) * 1000);
  const firstSentAtMs = result.sentAtMs.reduce((first, atMs) => Math.min(first, atMs));
  return {
    [END_TO_END]: (FULL_SPEED_EVENTS / (result.lastArrivedAtMs - firstSentAtMs)) * 1000,
    [CPU]: used.reduce((sum, seconds) => sum + seconds),
    ...Object.fromEntries(partNames.map((part, index) => [ofPart(part), used[index]!])),
    [DISK]: (bytesAfter - bytesBefore) / FULL_SPEED_EVENTS,
  };
}

async function pacedArrivals({ system, resourceIds, ports }: Layout): Promise<Measured> {
  const burst = { resourceIds, ports, count: PACED_EVENTS, connections: CONNECTIONS, ratePerSecond: RATE_PER_SECOND };
  const times = await sendBurst(system, burst);
  const accepted = durationsMs(times.answeredAtMs, times.arrivedAtMs);
  const answered = durationsMs(times.sentAtMs, times.answeredAtMs);
  return {
    [`accepted to arrived ${paced}, p50`]: percentile(accepted, 50),
    [`accepted to arrived ${paced}, p95`]: percentile(accepted, 95),
    [`sent to accepted ${paced}, p50`]: percentile(answered, 50),
    [`sent to accepted ${paced}, p99`]: percentile(answered, 99),
  };
}

async function shardSpread({ system, workers }: Layout): Promise<Measured> {
  const holders = await shardHolders(system.pool);
  const counts = workers.map(({ pid }) => holders.filter((holder) => holder === pid).length);
  return { [SERVING]: counts.filter((count) => count > 0).length, [MOST_SHARDS]: Math.max(...counts) };
}

async function killInTheMiddle({ system, resourceIds, ports, apis, workers }: Layout): Promise<Measured> {
  const burst = { resourceIds, ports, count: PACED_EVENTS, connections: CONNECTIONS, ratePerSecond: RATE_PER_SECOND };
  const send = await prepareBurst(system, burst);
  const sending = send();
  await system.sink.call('waitFor', { count: KILL_API_AFTER_ARRIVALS, timeoutMs: 30_000 });
  await apis[0]!.kill();
  await system.sink.call('waitFor', { count: KILL_WORKER_AFTER_ARRIVALS, timeoutMs: 30_000 });
  const victim = await busiestWorker({ system, workers });
  const killedAtMs = performance.now();
  await workers[victim]!.kill();
  const survivors = workers.filter((_, index) => index !== victim).map(({ pid }) => pid);
  await untilHeldBy(system.pool, survivors);
  const takenOverMs = performance.now() - killedAtMs;
  const result = await sending;
  await untilSettled(system);
  await sleep(AFTERMATH_MS);
  const { arrivalCount, distinctCount } = await system.sink.call('arrivals', undefined);
  apis[0] = await startApi({ system, ports }, 0);
  workers[victim] = await startWorker(system, victim);
  return crashFigures({ ...result, duplicateCount: arrivalCount - distinctCount }, takenOverMs);
}

async function busiestWorker({ system, workers }: Pick<Layout, 'system' | 'workers'>): Promise<number> {
  const holders = await shardHolders(system.pool);
  const counts = workers.map(({ pid }) => holders.filter((holder) => holder === pid).length);
  return counts.indexOf(Math.max(...counts));
}

function crashFigures({ sentAtMs, arrivedAtMs, ...result }: BurstResult, takenOverMs: number): Measured {
  return {
    [`${killed}: lost`]: result.lostCount,
    [`${killed}: doubled`]: result.duplicateCount,
    [`${killed}: sent again by the platform`]: result.resentCount,
    [`${killed}: its shards with others after`]: takenOverMs / 1000,
    [`${killed}: longest from sent to arrived`]: percentile(durationsMs(sentAtMs, arrivedAtMs), 100) / 1000,
  };
}

/** Excludes Temporal's databases on the same server. */
async function databaseBytes({ pool }: System): Promise<number> {
  const { rows } = await pool.query<{ bytes: number }>('select pg_database_size(current_database()) as bytes');
  return rows[0]?.bytes ?? Number.NaN;
}

/** `worker-1` and `worker-2` are one part. */
function cpuByPart(system: System): Record<string, number> {
  const seconds = Object.entries(system.cpuSeconds());
  return Object.fromEntries(
    partNames.map((part) => [
      part,
      seconds.reduce((sum, [name, used]) => (name.split('-')[0] === part ? sum + used : sum), 0),
    ]),
  );
}
