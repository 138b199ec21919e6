import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Knex } from 'knex';
import { connectDatabase } from '../../db/core/connect-database.ts';
import { createHotPool, type HotPool } from '../../db/core/hot-pool.ts';
import { migrate } from '../../db/migrate.ts';
import { createSecretBox, type SecretBox } from '../../db/core/secret-box.ts';
import { leanEnvironment, leanNodeArguments } from '../../dev/lean-memory.ts';
import { freePort } from '../../dev/processes/ports.ts';
import { StopList } from '../../dev/processes/stop-list.ts';
import type { PublisherCalls } from '../remotes/publisher-process.ts';
import { startRemote } from '../remotes/remote.ts';
import type { SinkCalls } from '../remotes/sink-process.ts';
import { npmStart, SUPERVISOR } from './npm-start.ts';
import { cpuSecondsOfTree, ownCpuSeconds } from './process-facts.ts';
import { startChild, type Child } from './processes.ts';
import { encryptionKey } from './kept-data.ts';
import { type RestartDatabase, startServers } from './servers.ts';
import { readStatements, type Statement } from './statements.ts';
import type { Target } from './traffic.ts';

interface StartOptions {
  /** Optional. Default: the part's. */
  readonly name?: string;
  readonly env?: NodeJS.ProcessEnv;
}

export interface System extends Target {
  readonly db: Knex;
  readonly pool: HotPool;
  readonly secretBox: SecretBox;
  readonly sinkUrl: string;
  readonly databaseUrl: string;
  readonly temporalAddress: string;
  /** Before worker and API start. Not available with `npm start`. */
  readonly restartDatabase: RestartDatabase;
  /** With `npm start`, worker and API run already. A row with that option must not stop them. */
  startWorker(options?: StartOptions): Promise<Child>;
  startApi(options?: StartOptions): Promise<Child>;
  /** Removed at the end. */
  readonly folder: string;
  /** What ends with the system. */
  readonly stops: StopList;
  cpuSeconds(): Readonly<Record<string, number>>;
  /** Since the last call. Undefined without `BENCH_SPLIT`. */
  takeStatements(): Promise<Statement[] | undefined>;
  stop(): Promise<void>;
}

export interface SystemOptions {
  readonly say: (text: string) => void;
  /** Optional. True to run `npm start` as it is, with gateway, simulator and supervisor. */
  readonly asNpmStart?: boolean;
}

const root = join(import.meta.dirname, '../..');
const POOL_CONNECTIONS = 4;

type Pids = Record<string, number | undefined>;

export async function startSystem(options: SystemOptions): Promise<System> {
  const stops = new StopList(() => undefined);
  try {
    return await startParts(options, stops);
  } catch (error) {
    await stops.stopAll();
    throw error;
  }
}

async function startParts(options: SystemOptions, stops: StopList): Promise<System> {
  const pids: Pids = {};
  const folder = await dataFolder(stops);
  const near = await (options.asNpmStart ? runNpmStart : startService)({ ...options, folder, stops, pids });
  const database = await openDatabase(near.databaseUrl, { stops, isMigrated: options.asNpmStart ?? false });
  const far = await startFarSide({ stops, pids });
  const { secretBox, appSecret, databaseUrl, temporalAddress, restartDatabase, processes } = near;
  return {
    ...database,
    ...far,
    ...processes,
    secretBox,
    appSecret,
    databaseUrl,
    temporalAddress,
    restartDatabase,
    folder,
    stops,
    webhookUrl: `http://127.0.0.1:${near.apiPort}/platform/webhooks`,
    // For its first outcome.
    hasWaiting: async () =>
      (await database.pool.query(`select 1 from deliveries where status = 'pending' limit 1`)).rows.length > 0,
    cpuSeconds: () => Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, secondsOf(name, pid)])),
    takeStatements: () => readStatements(database.pool),
    stop: () => stops.stopAll(),
  };
}

function secondsOf(name: string, pid: number | undefined): number {
  if (pid === undefined) return 0;
  return name === SUPERVISOR ? ownCpuSeconds(pid) : cpuSecondsOfTree(pid);
}

interface Starting extends SystemOptions {
  readonly folder: string;
  readonly stops: StopList;
  readonly pids: Pids;
}

type Processes = Pick<System, 'startWorker' | 'startApi'>;

async function runNpmStart({ folder, stops, pids, say }: Starting) {
  const { encryptionKey: startedKey, ...started } = await npmStart({ folder, stops, pids, say });
  const running = async (name: string): Promise<Child> => {
    const refuse = (): Promise<void> => Promise.reject(new Error(`The ${name} belongs to npm start`));
    return { name, pid: pids[name]!, stop: refuse, kill: refuse };
  };
  const processes: Processes = {
    startWorker: () => running('worker'),
    startApi: () => running('api'),
  };
  const restartDatabase = (): Promise<void> => Promise.reject(new Error('The database belongs to npm start'));
  return { ...started, restartDatabase, secretBox: createSecretBox([startedKey]), processes };
}

async function startService(starting: Starting) {
  const key = await encryptionKey();
  const servers = await startServers(starting);
  const appSecret = randomBytes(16).toString('hex');
  const apiPort = await freePort();
  const env: NodeJS.ProcessEnv = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    DATABASE_URL: servers.databaseUrl,
    TEMPORAL_ADDRESS: servers.temporalAddress,
    ENCRYPTION_KEYS: `bench:${key.toString('base64')}`,
    EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
    DEPLOYMENT: 'development',
    PLATFORM_APP_SECRET: appSecret,
    PLATFORM_VERIFY_TOKEN: 'bench',
    API_PORT: String(apiPort),
    BASE_URL: `http://127.0.0.1:${apiPort}`,
  };
  const secretBox = createSecretBox([{ id: 'bench', bytes: key }]);
  return { ...servers, secretBox, appSecret, apiPort, processes: ownProcesses({ ...starting, env, apiPort }) };
}

function ownProcesses({ folder, stops, pids, env, apiPort }: OwnStarting): Processes {
  const start = async (part: string, { isReady, name = part, env: more }: StartPart): Promise<Child> => {
    const args = [...leanNodeArguments, ...profilerArguments(name), join(root, part, 'main.ts')];
    const own = { ...leanEnvironment, ...env, ...more };
    const child = await startChild({ name, args, env: own, logPath: join(folder, `${name}.log`), isReady });
    stops.add(child);
    pids[name] = child.pid;
    return child;
  };
  return {
    startWorker: (options) => start('worker', { isReady: (log) => log.includes('"worker.started"'), ...options }),
    startApi: (options) => start('api', { isReady: () => answersOk(`http://127.0.0.1:${apiPort}/readyz`), ...options }),
  };
}

interface OwnStarting extends Starting {
  readonly env: NodeJS.ProcessEnv;
  readonly apiPort: number;
}

interface StartPart extends StartOptions {
  readonly isReady: (log: string) => boolean | Promise<boolean>;
}

async function startFarSide({ stops, pids }: { readonly stops: StopList; readonly pids: Pids }) {
  const remotes = join(root, 'bench/remotes');
  const sink = await startRemote<SinkCalls>(join(remotes, 'sink-process.ts'));
  stops.add({ name: 'sink', stop: sink.stop });
  const publisher = await startRemote<PublisherCalls>(join(remotes, 'publisher-process.ts'));
  stops.add({ name: 'publisher', stop: publisher.stop });
  Object.assign(pids, { sink: sink.pid, publisher: publisher.pid });
  return { sink, publisher, sinkUrl: await sink.call('address', undefined) };
}

async function dataFolder(stops: StopList): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'messaging-channels-bench-'));
  stops.add({ name: 'data', stop: () => rm(folder, { recursive: true, force: true }) });
  // PostgreSQL may run as another OS user, which needs access to the folder.
  await chmod(folder, 0o711);
  return folder;
}

async function openDatabase(url: string, { stops, isMigrated }: { stops: StopList; isMigrated: boolean }) {
  const db = connectDatabase({ url, applicationName: 'bench' });
  stops.add({ name: 'database', stop: () => db.destroy() });
  if (!isMigrated) await migrate(db);
  const pool = createHotPool({
    url,
    applicationName: 'bench',
    connections: POOL_CONNECTIONS,
    onError: () => undefined,
  });
  stops.add({ name: 'pool', stop: () => pool.end() });
  return { db, pool };
}

/** `BENCH_PROFILE=<folder>` writes CPU profiles of worker and API. */
function profilerArguments(name: string): string[] {
  const folder = process.env['BENCH_PROFILE'];
  return folder ? ['--cpu-prof', `--cpu-prof-dir=${folder}`, `--cpu-prof-name=${name}-${Date.now()}.cpuprofile`] : [];
}

export async function answersOk(url: string): Promise<boolean> {
  const response = await fetch(url).catch(() => undefined);
  await response?.arrayBuffer();
  return response?.ok ?? false;
}
