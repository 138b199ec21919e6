import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Knex } from 'knex';
import { connectDatabase } from '../../db/core/connect-database.ts';
import { createHotPool, type HotPool } from '../../db/core/hot-pool.ts';
import { migrate } from '../../db/migrate.ts';
import { createSecretBox, type SecretBox } from '../../db/core/secret-box.ts';
import { startPostgres } from '../../dev/postgres/embedded-postgres.ts';
import { leanEnvironment, leanNodeArguments } from '../../dev/lean-memory.ts';
import { freePort } from '../../dev/processes/ports.ts';
import { StopList } from '../../dev/processes/stop-list.ts';
import { findTemporal } from '../../dev/temporal/temporal-binary.ts';
import { startTemporal } from '../../dev/temporal/temporal-server.ts';
import { cpuSecondsOfTree } from './process-facts.ts';
import { startChild, type Child } from './processes.ts';
import type { PublisherCalls } from '../remotes/publisher-process.ts';
import { startRemote, type Remote } from '../remotes/remote.ts';
import type { SinkCalls } from '../remotes/sink-process.ts';

export interface System {
  readonly db: Knex;
  readonly pool: HotPool;
  readonly secretBox: SecretBox;
  readonly sink: Remote<SinkCalls>;
  readonly sinkUrl: string;
  /** Accepts connections and never answers. */
  readonly hangingUrl: string;
  readonly publisher: Remote<PublisherCalls>;
  readonly webhookUrl: string;
  readonly appSecret: string;
  readonly temporalAddress: string;
  startWorker(env?: NodeJS.ProcessEnv, name?: string): Promise<Child>;
  startApi(another?: AnotherApi): Promise<Child>;
  startGateway(env: NodeJS.ProcessEnv): Promise<Child>;
  cpuSeconds(): Readonly<Record<string, number>>;
  stop(): Promise<void>;
}

/** Webhooks go to the API without a port here. */
export interface AnotherApi {
  readonly name: string;
  readonly port: number;
  readonly env?: NodeJS.ProcessEnv;
}

export interface StartTemporalFor {
  readonly folder: string;
  readonly databaseUrl: string;
  readonly say: (text: string) => void;
  readonly onPid: (pid: number | undefined) => void;
}

export interface SystemOptions {
  readonly say: (text: string) => void;
  readonly startTemporal?: (start: StartTemporalFor) => Promise<{ readonly address: string; stop(): Promise<void> }>;
  readonly env?: NodeJS.ProcessEnv;
}

const root = join(import.meta.dirname, '../..');
const DELIVERY_SHARDS = 4;
const POOL_CONNECTIONS = 4;

export async function startSystem(options: SystemOptions): Promise<System> {
  const stops = new StopList(() => undefined);
  try {
    return await startParts(options, stops);
  } catch (error) {
    await stops.stopAll();
    throw error;
  }
}

async function startParts({ say, startTemporal, env: extra = {} }: SystemOptions, stops: StopList): Promise<System> {
  const pids: Record<string, number | undefined> = {};
  const folder = await dataFolder(stops);
  const { databaseUrl, temporalAddress } = await startServers({ folder, stops, pids, say, startTemporal });
  const key = randomBytes(32);
  const appSecret = randomBytes(16).toString('hex');
  const apiPort = await freePort();
  const env: NodeJS.ProcessEnv = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: temporalAddress,
    ENCRYPTION_KEYS: `bench:${key.toString('base64')}`,
    EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
    DEPLOYMENT: 'development',
    PLATFORM_APP_SECRET: appSecret,
    PLATFORM_VERIFY_TOKEN: 'bench',
    API_PORT: String(apiPort),
    BASE_URL: `http://127.0.0.1:${apiPort}`,
    ...extra,
  };
  const database = await openDatabase(databaseUrl, stops);
  const far = await startFarSide({ stops, pids });

  const startProcess = async (
    part: string,
    isReady: (log: string) => boolean | Promise<boolean>,
    { name = part, more = {} }: { name?: string | undefined; more?: NodeJS.ProcessEnv | undefined } = {},
  ): Promise<Child> => {
    const args = [...leanNodeArguments, ...profilerArguments(name), join(root, part, 'main.ts')];
    const child = await startChild({
      name,
      args,
      env: { ...leanEnvironment, ...env, ...more },
      logPath: join(folder, `${name}.log`),
      isReady,
    });
    stops.add(child);
    pids[name] = child.pid;
    return child;
  };
  return {
    ...database,
    ...far,
    secretBox: createSecretBox([{ id: 'bench', bytes: key }]),
    webhookUrl: `http://127.0.0.1:${apiPort}/platform/webhooks`,
    appSecret,
    temporalAddress,
    startWorker: (more, name) => startProcess('worker', (log) => log.includes('"worker.started"'), { name, more }),
    startApi: ({ name, port, env: own }: AnotherApi = { name: 'api', port: apiPort }) =>
      startProcess('api', () => answersOk(`http://127.0.0.1:${port}/readyz`), {
        name,
        more: { API_PORT: String(port), ...own },
      }),
    startGateway: (more) => startProcess('gateway', (log) => log.includes('"gateway.started"'), { more }),
    cpuSeconds: () =>
      Object.fromEntries(
        Object.entries(pids).map(([name, pid]) => [name, pid === undefined ? 0 : cpuSecondsOfTree(pid)]),
      ),
    stop: () => stops.stopAll(),
  };
}

async function dataFolder(stops: StopList): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'messaging-channels-bench-'));
  stops.add({ name: 'data', stop: () => rm(folder, { recursive: true, force: true }) });
  // PostgreSQL may run as another OS user, which needs access to the folder.
  await chmod(folder, 0o711);
  return folder;
}

interface Starting {
  readonly folder: string;
  readonly stops: StopList;
  readonly pids: Record<string, number | undefined>;
  readonly say: (text: string) => void;
  readonly startTemporal?: SystemOptions['startTemporal'] | undefined;
}

async function startServers({ folder, stops, pids, say, startTemporal = startDevelopmentServer }: Starting) {
  const postgres = await startPostgres({
    dataDir: join(folder, 'postgres'),
    port: await freePort(),
    durable: true,
    onProgress: () => undefined,
    onPid: (pid) => void (pids['postgres'] = pid),
  });
  stops.add({
    name: 'postgres',
    async stop() {
      await postgres.stop();
      await rm(postgres.folder, { recursive: true, force: true });
    },
  });
  const onPid = (pid: number | undefined): void => void (pids['temporal'] = pid);
  const temporal = await startTemporal({ folder, databaseUrl: postgres.url, say, onPid });
  stops.add({ name: 'temporal', stop: temporal.stop });
  return { databaseUrl: postgres.url, temporalAddress: temporal.address };
}

async function startDevelopmentServer({ folder, say, onPid }: StartTemporalFor) {
  const binary = await findTemporal({ onProgress: say });
  return await startTemporal({
    binary,
    databaseFile: join(folder, 'temporal.db'),
    port: await freePort(),
    uiPort: null,
    onProgress: say,
    log: () => undefined,
    onPid,
  });
}

async function openDatabase(url: string, stops: StopList) {
  const db = connectDatabase({ url, applicationName: 'bench' });
  stops.add({ name: 'database', stop: () => db.destroy() });
  await migrate(db, { deliveryShards: DELIVERY_SHARDS });
  const pool = createHotPool({
    url,
    applicationName: 'bench',
    connections: POOL_CONNECTIONS,
    onError: () => undefined,
  });
  stops.add({ name: 'pool', stop: () => pool.end() });
  return { db, pool };
}

async function startFarSide({ stops, pids }: Pick<Starting, 'stops' | 'pids'>) {
  const sink = await startRemote<SinkCalls>(join(import.meta.dirname, '../remotes/sink-process.ts'));
  stops.add({ name: 'sink', stop: sink.stop });
  const publisher = await startRemote<PublisherCalls>(join(import.meta.dirname, '../remotes/publisher-process.ts'));
  stops.add({ name: 'publisher', stop: publisher.stop });
  Object.assign(pids, { sink: sink.pid, publisher: publisher.pid });
  const { url, hangingUrl } = await sink.call('addresses', undefined);
  return { sink, publisher, sinkUrl: url, hangingUrl };
}

/** `BENCH_PROFILE=<folder>` writes CPU profiles of worker and API. */
function profilerArguments(name: string): string[] {
  const folder = process.env['BENCH_PROFILE'];
  return folder ? ['--cpu-prof', `--cpu-prof-dir=${folder}`, `--cpu-prof-name=${name}-${Date.now()}.cpuprofile`] : [];
}

async function answersOk(url: string): Promise<boolean> {
  const response = await fetch(url).catch(() => undefined);
  await response?.arrayBuffer();
  return response?.ok ?? false;
}
