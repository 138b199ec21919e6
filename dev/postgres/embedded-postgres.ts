import { rm } from 'node:fs/promises';
import { createWriteStream } from 'node:fs';
import { join, resolve } from 'node:path';
import { readIfThere } from '../settings/env-file.ts';
import { freePort, isFree } from '../processes/ports.ts';
import { findPostgresBinaries } from './postgres-binaries.ts';
import { openCluster, postgresEnvironment, rememberCluster } from './postgres-cluster.ts';
import { processIdentity, stopRemembered } from '../processes/process-identity.ts';
import { type ProcessSpec, type ProcessWatch, startProcess } from '../processes/processes.ts';
import { postgresUser } from './unprivileged-user.ts';

export interface StartPostgres {
  readonly dataDir: string;
  /** Left out: the port of the last run, else a free one. */
  readonly port?: number;
  /** False only for tests: data survives a killed server, not a crash of the machine. */
  readonly durable: boolean;
  readonly onProgress: (text: string) => void;
  readonly onPid?: ProcessWatch['onPid'];
  /** Ends a start that is under way. */
  readonly signal?: AbortSignal;
}

export interface RunningPostgres {
  readonly url: string;
  readonly port: number;
  /** Where the data really is; elsewhere than asked when root runs a checkout that only root may enter. */
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
  // A queue's tables turn over within seconds: dead rows left for a minute would slow each claim.
  autovacuum_naptime: '10s',
  max_wal_size: '2GB',
  wal_compression: 'off',
  // Statements are short; compiling them would cost more than running them.
  jit: 'off',
  log_checkpoints: 'off',
  log_timezone: 'UTC',
  timezone: 'UTC',
};
/** A killed server still loses nothing: what is committed is with the operating system. */
const withoutDurability = { fsync: 'off', full_page_writes: 'off' };

/**
 * Starts PostgreSQL on a data folder that the caller has to itself, and starts it again when it dies.
 *
 * A server that an earlier run left behind is stopped first. It listens on the loopback address only, with a random
 * password that is kept beside the data folder, and logs to `<dataDir>.log`.
 */
export async function startPostgres(request: StartPostgres): Promise<RunningPostgres> {
  const { durable, onProgress, onPid = () => undefined, signal } = request;
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
    args: ['-D', cluster.folder, '-p', String(port), ...settingArguments(durable)],
    env: postgresEnvironment(),
    cwd: '/',
    ...(user && { user }),
    // The fast shutdown: SIGTERM would wait for every client to leave.
    stopSignal: 'SIGINT',
    stopDeadlineMs: STOP_DEADLINE_MS,
    startDeadlineMs: START_DEADLINE_MS,
    isReady: ({ pid }) => isReady({ folder: cluster.folder, pid }),
    isPassing,
  };
  const watch: ProcessWatch = {
    // What a killed server's children have still to say may come when nobody listens any more.
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

function settingArguments(durable: boolean): string[] {
  const all = { ...settings, ...(durable ? {} : withoutDurability) };
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

async function lastOrFreePort(last: number | undefined): Promise<number> {
  return last !== undefined && (await isFree(last)) ? last : freePort();
}

/** Line 1 of `postmaster.pid` is the server's pid, line 8 its state, as pg_ctl reads them. */
async function isReady({ folder, pid }: { folder: string; pid: number }): Promise<boolean> {
  const lines = (await readIfThere(join(folder, 'postmaster.pid')))?.split('\n') ?? [];
  return Number(lines[0]) === pid && lines[7]?.trim() === 'ready';
}

/** After a SIGKILL of the server its children live on for a moment, and hold the shared memory. */
function isPassing(tail: readonly string[]): boolean {
  return tail.some((line) => /pre-existing shared memory block|lock file "postmaster.pid" already exists/.test(line));
}

/**
 * Stops the server that has this data folder, if there is one. The file may outlive its server, and the pid may
 * belong to another program since then: only a process that runs on this folder is touched.
 */
async function stopOrphan({
  folder,
  onProgress,
}: {
  folder: string;
  onProgress: (text: string) => void;
}): Promise<void> {
  const pid = Number((await readIfThere(join(folder, 'postmaster.pid')))?.split('\n')[0]);
  const identity = pid > 0 ? processIdentity(pid) : undefined;
  if (!identity) return;
  if (!(await runsOn({ pid, folder }))) return rm(join(folder, 'postmaster.pid'));
  onProgress(`An earlier start left PostgreSQL running (process ${pid}): stopping it.`);
  await stopRemembered({
    process: { name: 'postgres', pid, identity },
    signal: 'SIGINT',
    deadlineMs: ORPHAN_DEADLINE_MS,
  });
}

/** Where the operating system does not tell a process's command, PostgreSQL's own note is believed. */
async function runsOn({ pid, folder }: { pid: number; folder: string }): Promise<boolean> {
  const command = await readIfThere(`/proc/${pid}/cmdline`);
  return command === undefined ? process.platform !== 'linux' : command.split('\0').includes(folder);
}
