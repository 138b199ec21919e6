import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createStatusLine } from './demo/status-line.ts';
import { startPostgres } from './postgres/embedded-postgres.ts';
import { freePort } from './processes/ports.ts';
import { INTERRUPTED_EXIT_CODE, runAva } from './processes/run-ava.ts';
import { StopList } from './processes/stop-list.ts';
import { findTemporal } from './temporal/temporal-binary.ts';
import { startTemporal } from './temporal/temporal-server.ts';
import { neededServers, type TestServer } from './tests/needed-servers.ts';
import { planOfOtherTests, planOfTests } from './tests/plan.ts';
import { runPlan } from './tests/run-plan.ts';

/** In memory, the databases take a third of the system time. */
const MEMORY_FOLDER = '/dev/shm';
/** More than the databases and the write-ahead log of a run, with room for the tests themselves. */
const MEMORY_FOLDER_MIN_BYTES = 4 * 1024 ** 3;
/** A test waits for fewer failures of workflow tasks until the server shows them: the pauses between them grow. */
const temporalSettings = { 'system.numConsecutiveWorkflowTaskProblemsToTriggerSearchAttribute': 2 };

const run = promisify(execFile);

/** A module that cannot be loaded fails only the tests that need it. */
async function compileModules(options: { readonly env: NodeJS.ProcessEnv; readonly signal: AbortSignal }) {
  const path = join(import.meta.dirname, 'tests/compile-modules.ts');
  await run(process.execPath, [path], options).catch(() => undefined);
}

function report(text: string): void {
  process.stderr.write(`${text}\n`);
}

interface Starting {
  readonly folder: string;
  readonly stops: StopList;
  readonly signal: AbortSignal;
}

async function startServers(starting: Starting, needed: ReadonlySet<TestServer>): Promise<NodeJS.ProcessEnv> {
  const { TEST_DATABASE_URL, TEST_TEMPORAL_ADDRESS } = process.env;
  const [postgres, temporal] = await Promise.allSettled([
    TEST_DATABASE_URL || (needed.has('TEST_DATABASE_URL') ? testDatabase(starting) : undefined),
    TEST_TEMPORAL_ADDRESS || (needed.has('TEST_TEMPORAL_ADDRESS') ? testTemporal(starting) : undefined),
  ]);
  if (postgres.status === 'rejected') throw postgres.reason;
  if (temporal.status === 'rejected') throw temporal.reason;
  return { TEST_DATABASE_URL: postgres.value, TEST_TEMPORAL_ADDRESS: temporal.value };
}

async function testDatabase({ folder, stops, signal }: Starting): Promise<string> {
  const dataDir = join(folder, 'postgres');
  const postgres = await startPostgres({ dataDir, durable: false, onProgress: () => undefined, signal });
  stops.add({
    name: 'PostgreSQL',
    stop: async () => {
      await postgres.stop();
      await rm(postgres.folder, { recursive: true, force: true });
    },
  });
  return postgres.url;
}

async function testTemporal({ stops, signal }: Starting): Promise<string> {
  const status = createStatusLine({ output: process.stderr, prefix: 'test:' });
  const binary = await findTemporal({ onProgress: status.phase, signal, addressSetting: 'TEST_TEMPORAL_ADDRESS' });
  status.end();
  const options = { binary, databaseFile: null, uiPort: null, onProgress: report, log: () => undefined, signal };
  const temporal = await startTemporal({ ...options, port: await freePort(), settings: temporalSettings });
  stops.add({ name: 'Temporal', stop: temporal.stop });
  return temporal.address;
}

/** Containers often limit the memory folder to 64 MiB; other systems have none. */
async function parentFolder(): Promise<string> {
  const size = await statfs(MEMORY_FOLDER).catch(() => undefined);
  const freeBytes = size ? Math.min(size.bavail * size.bsize, freemem()) : 0;
  return freeBytes >= MEMORY_FOLDER_MIN_BYTES ? MEMORY_FOLDER : tmpdir();
}

async function main(args: readonly string[]): Promise<number> {
  const stopping = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => stopping.abort());
  const { signal } = stopping;
  const folder = await mkdtemp(join(await parentFolder(), 'messaging-channels-test-'));
  // PostgreSQL may run as another OS user, which needs access to the folder.
  await chmod(folder, 0o711);
  const stops = new StopList(() => undefined);
  stops.add({ name: 'folder', stop: () => rm(folder, { recursive: true, force: true }) });
  try {
    // Each test process would compile the same modules again.
    const cached = { NODE_COMPILE_CACHE: join(folder, 'compiled'), ...process.env };
    const isWhole = args.length === 0 || args[0] === '--all';
    const [servers] = await Promise.all([
      startServers({ folder, stops, signal }, neededServers(args)),
      isWhole && compileModules({ env: cached, signal }),
    ]);
    signal.throwIfAborted();
    const env = { ...cached, ...servers };
    if (args.length === 0) return await runPlan({ plan: planOfTests(), env, signal });
    if (args[0] !== '--all') return await runAva({ args, env, signal });
    return await runPlan({ plan: planOfOtherTests(), env, signal });
  } catch (error) {
    if (!signal.aborted) report(error instanceof Error ? error.message : String(error));
    return signal.aborted ? INTERRUPTED_EXIT_CODE : 1;
  } finally {
    await stops.stopAll();
  }
}

process.exit(await main(process.argv.slice(2)));
