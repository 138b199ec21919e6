import { join } from 'node:path';
import { rm } from 'node:fs/promises';
import pg from 'pg';
import { leanEnvironment, leanNodeArguments } from '../../dev/lean-memory.ts';
import { startPostgres } from '../../dev/postgres/embedded-postgres.ts';
import { freePort } from '../../dev/processes/ports.ts';
import type { StopList } from '../../dev/processes/stop-list.ts';
import { startChild } from '../system/processes.ts';
import { cpuSecondsOfTree } from '../system/process-facts.ts';
import { answersOk, type System } from '../system/system.ts';
import { type BurstFigures, measureBurst, type MeasuredTarget } from '../figures/burst.ts';
import { describeStatements } from '../figures/split.ts';
import { startBusy } from '../system/busy.ts';
import { type Burst, WARM_UP_EVENTS } from '../system/traffic.ts';

/**
 * The least that such a service must do on this stack: bare HTTP, a signature check, a group commit of one row, and a
 * second process that claims by batch, signs, posts and deletes in bulk. It has no channels, leases, order, retries,
 * deduplication, attempts or lists. Figures of different days are not comparable; their ratios to the floor are.
 */
export type Floor = MeasuredTarget & Required<Pick<MeasuredTarget, 'whileAwake'>>;

type FloorPlace = Pick<System, 'sink' | 'publisher' | 'appSecret' | 'sinkUrl' | 'folder' | 'stops'>;

const started = new WeakMap<FloorPlace, Promise<Floor>>();

/** Starts the floor once for a system, and ends it with the system. */
export async function floorOf(system: FloorPlace): Promise<Floor> {
  const floor = started.get(system) ?? startFloor(system);
  started.set(system, floor);
  return await floor;
}

interface Pair {
  readonly service: BurstFigures;
  readonly least: BurstFigures;
}

/** A busy destination, which is measured in turn with the floor. `splits` grows with each pair. */
export async function besideFloor(system: System) {
  const { resourceIds } = await startBusy(system);
  const floor = await floorOf(system);
  await measureBurst(floor, { resourceIds, count: WARM_UP_EVENTS });
  const splits: string[] = [];

  async function measurePair(burst: Burst, at: string): Promise<Pair> {
    const least = await measureBurst(floor, burst);
    await system.takeStatements();
    const service = await measureBurst(system, burst);
    splits.push(...describeStatements(await system.takeStatements(), { eventCount: burst.count, at }));
    return { service, least };
  }

  return { floor, resourceIds, measurePair, splits };
}

async function startFloor({ folder, stops, sinkUrl, sink, publisher, appSecret }: FloorPlace): Promise<Floor> {
  const pids: Record<string, number | undefined> = {};
  const databaseUrl = await startDatabase({ folder, stops, pids });
  const apiPort = await freePort();
  const env = {
    ...leanEnvironment,
    PATH: process.env['PATH'],
    DATABASE_URL: databaseUrl,
    API_PORT: String(apiPort),
    PLATFORM_APP_SECRET: appSecret,
    SINK_URL: `${sinkUrl}/webhook`,
  };
  await startProcesses({ env, folder, stops, pids });
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  stops.add({ name: 'floor pool', stop: () => pool.end() });
  const { worker } = pids;
  // It polls, which would take processor time from a row that measures something else.
  process.kill(worker!, 'SIGSTOP');
  return {
    sink,
    publisher,
    appSecret,
    async whileAwake(act) {
      process.kill(worker!, 'SIGCONT');
      try {
        return await act();
      } finally {
        process.kill(worker!, 'SIGSTOP');
      }
    },
    webhookUrl: `${urlOf(apiPort)}/platform/webhooks`,
    hasWaiting: async () => (await pool.query('select from floor_waiting limit 1')).rows.length > 0,
    cpuSeconds: () =>
      Object.fromEntries(
        Object.entries(pids).map(([name, pid]) => [name, pid === undefined ? 0 : cpuSecondsOfTree(pid)]),
      ),
  };
}

async function startProcesses({ env, folder, stops, pids }: StartProcesses): Promise<void> {
  const isReady = {
    api: () => answersOk(urlOf(Number(env['API_PORT']))),
    worker: (log: string) => log.includes('"floor.started"'),
  };
  for (const part of ['api', 'worker'] as const) {
    const child = await startChild({
      name: `floor ${part}`,
      args: [...leanNodeArguments, join(import.meta.dirname, `floor-${part}-process.ts`)],
      env,
      logPath: join(folder, `floor-${part}.log`),
      isReady: isReady[part],
    });
    stops.add({ name: child.name, stop: child.kill });
    pids[part] = child.pid;
  }
}

interface StartProcesses {
  readonly env: NodeJS.ProcessEnv;
  readonly folder: string;
  readonly stops: StopList;
  readonly pids: Pids;
}

const urlOf = (apiPort: number): string => `http://127.0.0.1:${apiPort}`;

/** A server of its own, so that its processor time is the floor's alone. It has the same settings as the service's. */
async function startDatabase({ folder, stops, pids }: Omit<StartProcesses, 'env'>): Promise<string> {
  const postgres = await startPostgres({
    dataDir: join(folder, 'floor-postgres'),
    port: await freePort(),
    durable: true,
    onProgress: () => undefined,
    onPid: (pid) => void (pids['postgres'] = pid),
  });
  stops.add({
    name: 'floor postgres',
    async stop() {
      await postgres.stop();
      await rm(postgres.folder, { recursive: true, force: true });
    },
  });
  return postgres.url;
}

type Pids = Record<string, number | undefined>;
