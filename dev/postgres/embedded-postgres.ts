import { rm } from 'node:fs/promises';
import { createWriteStream } from 'node:fs';
import { join, resolve } from 'node:path';
import { readIfExists } from '../settings/env-file.ts';
import { freePort, isFree } from '../processes/ports.ts';
import { findPostgresBinaries } from './postgres-binaries.ts';
import { openCluster, postgresEnvironment, rememberCluster } from './postgres-cluster.ts';
import { processIdentity, stopRemembered } from '../processes/process-identity.ts';
import { type ProcessSpec, type ProcessWatch, startProcess } from '../processes/processes.ts';
import { postgresUser } from './unprivileged-user.ts';

export interface StartPostgres {
  readonly dataDir: string;
  /** Optional. Default: the last port, or a free one. */
  readonly port?: number;
  /** False only in tests: data survives a killed server, but not a crash of the machine. */
  readonly durable: boolean;
  /** Optional. Server parameters that replace or extend the defaults. */
  readonly parameters?: Readonly<Record<string, string>>;
  readonly onProgress: (text: string) => void;
  readonly onPid?: ProcessWatch['onPid'];
  readonly signal?: AbortSignal;
}

export interface RunningPostgres {
  readonly url: string;
  readonly port: number;
  readonly folder: string;
  stop(): Promise<void>;
}

const START_DEADLINE_MS = 60_000;
const STOP_DEADLINE_MS = 20_000;
const ORPHAN_DEADLINE_MS = 20_000;

const settings: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '192MB',
  // With the default of a minute, dead rows of deliveries slow every claim.
  autovacuum_naptime: '10s',
  // After each checkpoint, every changed page is written whole.
  checkpoint_timeout: '15min',
  max_wal_size: '2GB',
  wal_compression: 'off',
  jit: 'off',
  log_checkpoints: 'off',
  log_timezone: 'UTC',
  timezone: 'UTC',
};
const forTests = {
  fsync: 'off',
  full_page_writes: 'off',
  max_wal_size: '512MB',
  // Many tests run at a time, with a pool each.
  max_connections: '600',
  // Each of the databases would be visited every few seconds.
  autovacuum_naptime: '1min',
  // Other programs of a cluster may prepare transactions. The service does not.
  max_prepared_transactions: '8',
};

/** Stops a server that an earlier run left behind. Logs to `<dataDir>.log`. */
export async function startPostgres(request: StartPostgres): Promise<RunningPostgres> {
  const { durable, parameters, onProgress, onPid = () => undefined, signal } = request;
  const dataDir = resolve(request.dataDir);
  const user = await postgresUser(dataDir);
  const binaries = await findPostgresBinaries({ user, onProgress });
  const cluster = await openCluster({ dataDir, user, binaries, durable, onProgress });
  await stopOrphan({ folder: cluster.folder, onProgress });

  const port = request.port ?? (await lastOrFreePort(cluster.port));
  await rememberCluster({ dataDir, cluster: { ...cluster, port } });
  const log = createWriteStream(`${dataDir}.log`, { mode: 0o600 });
  const spec: ProcessSpec = {
    name: 'postgres',
    command: binaries.postgres,
    args: ['-D', cluster.folder, '-p', String(port), ...settingArguments(durable, parameters)],
    env: postgresEnvironment(),
    cwd: '/',
    ...(user && { user }),
    stopSignal: 'SIGINT',
    stopDeadlineMs: STOP_DEADLINE_MS,
    startDeadlineMs: START_DEADLINE_MS,
    isReady: ({ pid }) => isReady({ folder: cluster.folder, pid }),
    isTransient,
  };
  const watch: ProcessWatch = {
    // Children of a killed server can write after the log was closed.
    onLine: (line) => void (log.writable && log.write(`${line}\n`)),
    onPid,
    onNotice: (text) => onProgress(`PostgreSQL ${text}`),
    signal,
  };
  const running = await startProcess(spec, watch);
  return {
    url: `postgres://postgres:${cluster.password}@127.0.0.1:${port}/postgres`,
    port,
    folder: cluster.folder,
    stop: async () => {
      await running.stop();
      log.end();
    },
  };
}

function settingArguments(durable: boolean, parameters: StartPostgres['parameters']): string[] {
  const all = { ...settings, ...(durable ? {} : forTests), ...parameters };
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

async function lastOrFreePort(last: number | undefined): Promise<number> {
  return last !== undefined && (await isFree(last)) ? last : freePort();
}

/** A standby accepts reads only. */
const readyStates: ReadonlySet<string> = new Set(['ready', 'standby']);

/** As in pg_ctl: line 1 is the pid, line 8 the state. */
async function isReady({ folder, pid }: { folder: string; pid: number }): Promise<boolean> {
  const lines = (await readIfExists(join(folder, 'postmaster.pid')))?.split('\n') ?? [];
  return Number(lines[0]) === pid && readyStates.has(lines[7]?.trim() ?? '');
}

/** After a SIGKILL, the server's children briefly hold the shared memory. */
function isTransient(tail: readonly string[]): boolean {
  return tail.some((line) => /pre-existing shared memory block|lock file "postmaster.pid" already exists/.test(line));
}

/** The pid may belong to another program by now, which must not be stopped. */
async function stopOrphan({
  folder,
  onProgress,
}: {
  folder: string;
  onProgress: (text: string) => void;
}): Promise<void> {
  const pid = Number((await readIfExists(join(folder, 'postmaster.pid')))?.split('\n')[0]);
  const identity = pid > 0 ? processIdentity(pid) : undefined;
  if (!identity) return;
  if (!(await runsOn({ pid, folder }))) return rm(join(folder, 'postmaster.pid'));
  onProgress(`Stopping PostgreSQL (process ${pid}), which an earlier start left running.`);
  await stopRemembered({
    process: { name: 'postgres', pid, identity },
    signal: 'SIGINT',
    deadlineMs: ORPHAN_DEADLINE_MS,
  });
}

/** Outside Linux the command line is unknown. */
async function runsOn({ pid, folder }: { pid: number; folder: string }): Promise<boolean> {
  const command = await readIfExists(`/proc/${pid}/cmdline`);
  return command === undefined ? process.platform !== 'linux' : command.split('\0').includes(folder);
}
