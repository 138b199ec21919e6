import { join } from 'node:path';
import type { SiteName } from './build-sites.ts';
import { type Addresses, adminMain, seedDemo, writeDemoEnv } from './demo/demo.ts';
import { startPostgres } from './postgres/embedded-postgres.ts';
import { type InstanceLock, processRegister, stopOrphans, takeInstanceLock } from './instance-lock.ts';
import { startProcess } from './processes/processes.ts';
import { runOnce } from './processes/run-once.ts';
import { serviceProcesses } from './service-processes.ts';
import { showMainJob } from './demo/show-main-job.ts';
import { StopList } from './processes/stop-list.ts';
import { privateFolder } from './settings/private-folder.ts';
import { dataFolder, planStart, requirePorts, type StartPlan } from './settings/start-settings.ts';
import { findTemporal, temporalDatabase } from './temporal/temporal-binary.ts';
import { isTemporalTrouble, startTemporal } from './temporal/temporal-server.ts';
import { endPhases, phase, say, sayProblem, showLine, showProblem } from './demo/terminal.ts';

type Register = ReturnType<typeof processRegister>;

interface Servers {
  readonly databaseUrl: string;
  readonly temporalAddress: string;
  readonly temporalUiUrl: string | undefined;
}

interface Start {
  readonly dataDir: string;
  readonly stops: StopList;
  readonly stopSignal: AbortSignal;
}

async function start({ dataDir, stops, stopSignal }: Start): Promise<void> {
  const pidsPath = join(dataDir, 'pids.json');
  await stopOrphans({ path: pidsPath, say });

  const plan = await planStart(dataDir);
  await requirePorts(plan);
  const register = processRegister(pidsPath);
  const referenceEnd = buildBeside('reference', stopSignal);
  // Only a stop waits for the guides: until they are built, their address says so.
  const guidesEnd = buildBeside('guides', stopSignal);
  stops.add({ name: 'the builds', stop: () => Promise.all([referenceEnd, guidesEnd]).then(() => undefined) });
  const servers = await startServers({ plan, register, stops, stopSignal });
  const env = {
    ...plan.env,
    DATABASE_URL: servers.databaseUrl,
    TEMPORAL_ADDRESS: servers.temporalAddress,
    ...(servers.temporalUiUrl && { TEMPORAL_UI_URL: servers.temporalUiUrl }),
  };
  await migrate({ env, stopSignal });
  phase('Building the dashboard');
  await buildSite('dashboard', stopSignal);
  stopSignal.throwIfAborted();
  await startServices({ plan, env, register, stops, stopSignal });
  await tour({ plan, servers, env, referenceEnd, stopSignal });
}

/** In a process of its own, because the bundlers keep hundreds of megabytes. */
async function buildSite(site: SiteName, stopSignal: AbortSignal): Promise<void> {
  const lines = await runOnce({
    name: `The build of the ${site}`,
    args: [join(import.meta.dirname, 'build-sites.ts'), site],
    env: process.env,
    onLine: (line) => showLine('build', line),
    signal: stopSignal,
  });
  for (const line of lines) if (line.startsWith('Built')) say(line);
}

/** Never rejects, because the service works without the site: its address then says how to build it. */
async function buildBeside(site: SiteName, stopSignal: AbortSignal): Promise<void> {
  try {
    await buildSite(site, stopSignal);
  } catch (error) {
    if (!stopSignal.aborted) sayProblem(error instanceof Error ? error.message : String(error));
  }
}

interface Starting {
  readonly plan: StartPlan;
  readonly register: Register;
  readonly stops: StopList;
  readonly stopSignal: AbortSignal;
}

async function startServers({ plan, register, stops, stopSignal }: Starting): Promise<Servers> {
  const { config, dataDir } = plan;
  const watched = (name: string) => ({
    onProgress: say,
    onPid: (pid: number | undefined) => void register(name, pid),
    signal: stopSignal,
  });
  let { databaseUrl, temporalAddress } = plan;
  let temporalUiUrl = config.temporalUiUrl;
  if (!databaseUrl) {
    phase('Starting PostgreSQL');
    const options = { dataDir: join(dataDir, 'postgres'), port: config.postgresPort, durable: true };
    const postgres = await startPostgres({ ...options, ...watched('postgres') });
    stops.add({ name: 'PostgreSQL', stop: postgres.stop });
    databaseUrl = postgres.url;
  }
  stopSignal.throwIfAborted();
  if (!temporalAddress) {
    const binary = await findTemporal({ onProgress: phase, signal: stopSignal });
    stopSignal.throwIfAborted();
    phase('Starting Temporal');
    const temporal = await startTemporal({
      binary,
      databaseFile: await temporalDatabase({ binary, folder: dataDir }),
      port: config.temporalPort,
      uiPort: config.temporalUiPort,
      // It logs the calls that its stop cancels as errors.
      log: (line) => isTemporalTrouble(line) && !stopSignal.aborted && showLine('temporal', line),
      ...watched('temporal'),
    });
    stops.add({ name: 'Temporal', stop: temporal.stop });
    temporalAddress = temporal.address;
    temporalUiUrl ??= temporal.uiUrl ?? undefined;
  }
  stopSignal.throwIfAborted();
  return { databaseUrl, temporalAddress, temporalUiUrl };
}

async function migrate({ env, stopSignal }: { env: NodeJS.ProcessEnv; stopSignal: AbortSignal }): Promise<void> {
  phase('Migrating the database schema');
  const onLine = (line: string) => showLine('migrate', line);
  await runOnce({ name: 'migrate', args: [adminMain, 'migrate'], env, onLine, signal: stopSignal });
}

async function startServices({ plan, env, register, stops, stopSignal }: Starting & { env: NodeJS.ProcessEnv }) {
  const show = plan.config.startLogs === 'all' ? showLine : showProblem;
  for (const spec of serviceProcesses({ plan, env })) {
    stopSignal.throwIfAborted();
    phase(`Starting the ${spec.name}`);
    const running = await startProcess(spec, {
      onLine: (line) => show(spec.name, line),
      onPid: (pid) => void register(spec.name, pid),
      signal: stopSignal,
      onNotice: (text) => sayProblem(`The ${spec.name} ${text}.`),
    });
    stops.add({ name: `the ${spec.name}`, stop: () => running.stop() });
  }
}

interface Tour {
  readonly plan: StartPlan;
  readonly servers: Servers;
  readonly env: NodeJS.ProcessEnv;
  readonly referenceEnd: Promise<void>;
  readonly stopSignal: AbortSignal;
}

async function tour({ plan, servers, env, referenceEnd, stopSignal }: Tour): Promise<void> {
  phase('Creating demo data');
  const addresses: Addresses = { ...plan, ...servers };
  const tenants = await seedDemo({ env, onLine: (line) => showLine('seed', line), signal: stopSignal });
  const demoEnvPath = join(plan.dataDir, 'demo.env');
  await writeDemoEnv({ path: demoEnvPath, addresses, tenants });
  phase('Waiting for the API reference');
  await referenceEnd;
  stopSignal.throwIfAborted();
  endPhases();
  const namespace = plan.config.temporalNamespace;
  try {
    await showMainJob({ addresses, tenants, namespace, demoEnvPath, say, signal: stopSignal });
  } catch (error) {
    if (stopSignal.aborted) throw error;
    sayProblem(`The tour failed: ${error instanceof Error ? error.message : String(error)}`);
    say('The service keeps running. Press Ctrl-C to stop it.');
  }
}

/** npm forwards the terminal's Ctrl-C, too. */
const SAME_REQUEST_MS = 700;

async function main(): Promise<number> {
  const stops = new StopList(say);
  const stopping = new AbortController();
  let firstAtMs: number | undefined;
  const stopRequested = new Promise<void>((resolve) => {
    const onSignal = () => {
      if (firstAtMs !== undefined && performance.now() - firstAtMs > SAME_REQUEST_MS) {
        process.exit(130);
      }
      if (firstAtMs !== undefined) return;
      firstAtMs = performance.now();
      say('Stopping after the work in progress. Press Ctrl-C again to stop immediately.');
      stopping.abort();
      resolve();
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  });
  let exitCode = 0;
  let lock: InstanceLock | undefined;
  try {
    const dataDir = dataFolder();
    await privateFolder(dataDir);
    lock = await takeInstanceLock(join(dataDir, 'start.lock'));
    await start({ dataDir, stops, stopSignal: stopping.signal });
    await stopRequested;
  } catch (error) {
    if (!stopping.signal.aborted) {
      sayProblem(error instanceof Error ? error.message : String(error));
      exitCode = 1;
    }
  }
  await stops.stopAll();
  await lock?.release();
  if (exitCode !== 0) sayProblem('npm start failed; see the error above. All processes were stopped.');
  if (exitCode === 0) say('Stopped. The next `npm start` continues with the same data.');
  return exitCode;
}

process.exit(await main());
