import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { buildDashboard } from './build-dashboard.ts';
import { type Addresses, adminMain, seedDemo, writeDemoEnv } from './demo/demo.ts';
import { startPostgres } from './postgres/embedded-postgres.ts';
import { type InstanceLock, processRegister, stopOrphans, takeInstanceLock } from './instance-lock.ts';
import { startProcess } from './processes/processes.ts';
import { runOnce } from './processes/run-once.ts';
import { serviceProcesses } from './service-processes.ts';
import { showMainJob } from './demo/show-main-job.ts';
import { StopList } from './processes/stop-list.ts';
import { dataFolder, planStart, requirePorts, type StartPlan } from './settings/start-settings.ts';
import { findTemporal } from './temporal/temporal-binary.ts';
import { startTemporal } from './temporal/temporal-server.ts';
import { say, sayProblem, showLine } from './demo/terminal.ts';

/**
 * `npm start`: everything on one machine. Each step says what it does; what a step started is put on the stop list,
 * and the list is worked off backwards at Ctrl-C, or when a later step fails.
 */
type Register = ReturnType<typeof processRegister>;

interface Servers {
  readonly databaseUrl: string;
  readonly temporalAddress: string;
  readonly temporalUiUrl: string | undefined;
}

interface Start {
  readonly dataDir: string;
  readonly stops: StopList;
  readonly stopAsked: AbortSignal;
}

async function start({ dataDir, stops, stopAsked }: Start): Promise<void> {
  const pidsPath = join(dataDir, 'pids.json');
  await stopOrphans({ path: pidsPath, say });

  const plan = await planStart(dataDir);
  await requirePorts(plan);
  const register = processRegister(pidsPath);
  const servers = await startServers({ plan, register, stops, stopAsked });
  const env = {
    ...plan.env,
    DATABASE_URL: servers.databaseUrl,
    TEMPORAL_ADDRESS: servers.temporalAddress,
    ...(servers.temporalUiUrl && { TEMPORAL_UI_URL: servers.temporalUiUrl }),
  };
  await migrate({ env, stopAsked });
  say('Building the dashboard.');
  await buildDashboard();
  stopAsked.throwIfAborted();
  await startServices({ plan, env, register, stops, stopAsked });
  await tour({ plan, servers, env, stopAsked });
}

interface Starting {
  readonly plan: StartPlan;
  readonly register: Register;
  readonly stops: StopList;
  readonly stopAsked: AbortSignal;
}

async function startServers({ plan, register, stops, stopAsked }: Starting): Promise<Servers> {
  const { config, dataDir } = plan;
  const watched = (name: string) => ({
    onProgress: say,
    onPid: (pid: number | undefined) => void register(name, pid),
    signal: stopAsked,
  });
  let { databaseUrl, temporalAddress } = plan;
  let temporalUiUrl = config.temporalUiUrl;
  if (!databaseUrl) {
    say('Starting PostgreSQL.');
    const options = { dataDir: join(dataDir, 'postgres'), port: config.postgresPort, durable: true };
    const postgres = await startPostgres({ ...options, ...watched('postgres') });
    stops.add({ name: 'PostgreSQL', stop: postgres.stop });
    databaseUrl = postgres.url;
  }
  stopAsked.throwIfAborted();
  if (!temporalAddress) {
    const binary = await findTemporal({ onProgress: say, signal: stopAsked });
    stopAsked.throwIfAborted();
    say('Starting Temporal.');
    const temporal = await startTemporal({
      binary,
      databaseFile: join(dataDir, 'temporal.db'),
      port: config.temporalPort,
      uiPort: config.temporalUiPort,
      log: (line) => /error|fatal|panic/i.test(line) && showLine('temporal', line),
      ...watched('temporal'),
    });
    stops.add({ name: 'Temporal', stop: temporal.stop });
    temporalAddress = temporal.address;
    temporalUiUrl ??= temporal.uiUrl ?? undefined;
  }
  stopAsked.throwIfAborted();
  return { databaseUrl, temporalAddress, temporalUiUrl };
}

async function migrate({ env, stopAsked }: { env: NodeJS.ProcessEnv; stopAsked: AbortSignal }): Promise<void> {
  say('Bringing the database schema up to date.');
  const onLine = (line: string) => showLine('migrate', line);
  const output = await runOnce({ name: 'migrate', args: [adminMain, 'migrate'], env, onLine, signal: stopAsked });
  output.forEach(onLine);
}

async function startServices({ plan, env, register, stops, stopAsked }: Starting & { env: NodeJS.ProcessEnv }) {
  for (const spec of serviceProcesses({ plan, env })) {
    stopAsked.throwIfAborted();
    say(`Starting the ${spec.name}.`);
    const running = await startProcess(spec, {
      onLine: (line) => showLine(spec.name, line),
      onPid: (pid) => void register(spec.name, pid),
      signal: stopAsked,
      onNotice: (text) => sayProblem(`The ${spec.name} ${text}.`),
    });
    stops.add({ name: `the ${spec.name}`, stop: () => running.stop() });
  }
}

interface Tour {
  readonly plan: StartPlan;
  readonly servers: Servers;
  readonly env: NodeJS.ProcessEnv;
  readonly stopAsked: AbortSignal;
}

/** The demo tenants and the main job; a failure of the show leaves the service up, so that one can look. */
async function tour({ plan, servers, env, stopAsked }: Tour): Promise<void> {
  const addresses: Addresses = { ...plan, ...servers };
  const tenants = await seedDemo({ env, onLine: (line) => showLine('seed', line), signal: stopAsked });
  const demoEnvPath = join(plan.dataDir, 'demo.env');
  await writeDemoEnv({ path: demoEnvPath, addresses, tenants });
  const namespace = plan.config.temporalNamespace;
  try {
    await showMainJob({ addresses, tenants, namespace, demoEnvPath, say, signal: stopAsked });
  } catch (error) {
    if (stopAsked.aborted) throw error;
    sayProblem(`The tour broke off: ${error instanceof Error ? error.message : String(error)}`);
    say('The service stays up, so that you can look. Ctrl-C stops it.');
  }
}

/** A terminal's Ctrl-C and npm's forwarding of it arrive together, and are one wish. */
const SAME_WISH_MS = 700;

async function main(): Promise<number> {
  const stops = new StopList(say);
  const stopping = new AbortController();
  let firstAtMs: number | undefined;
  const asked = new Promise<void>((resolve) => {
    const onSignal = () => {
      if (firstAtMs !== undefined && performance.now() - firstAtMs > SAME_WISH_MS) {
        process.exit(130);
      }
      if (firstAtMs !== undefined) return;
      firstAtMs = performance.now();
      say('Stopping: what was begun is finished first. Ctrl-C once more ends everything at once.');
      stopping.abort();
      resolve();
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  });
  let exitCode = 0;
  let lock: InstanceLock | undefined;
  try {
    const dataDir = dataFolder();
    // PostgreSQL runs as another user when this is root, and has to get through.
    await mkdir(dataDir, { recursive: true, mode: 0o711 });
    lock = await takeInstanceLock(join(dataDir, 'start.lock'));
    await start({ dataDir, stops, stopAsked: stopping.signal });
    await asked;
  } catch (error) {
    if (!stopping.signal.aborted) {
      sayProblem(error instanceof Error ? error.message : String(error));
      exitCode = 1;
    }
  }
  await stops.stopAll();
  await lock?.release();
  if (exitCode !== 0) sayProblem('npm start did not succeed, for the reason given above. Nothing is left running.');
  if (exitCode === 0) say('Stopped. The next `npm start` goes on where this one ended.');
  return exitCode;
}

process.exit(await main());
