import { execFile } from 'node:child_process';
import { appendFile, chown, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { type RunningPostgres, startPostgres } from '../../dev/postgres/embedded-postgres.ts';
import { rememberCluster } from '../../dev/postgres/postgres-cluster.ts';
import { freePort } from '../../dev/processes/ports.ts';
import type { StopList } from '../../dev/processes/stop-list.ts';
import { until } from '../harness/until.ts';
import { withDatabase } from './database.ts';
import { KillableServer } from './killable-server.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

export const replications = ['synchronous', 'asynchronous'] as const;
export type Replication = (typeof replications)[number];

/** A primary and a standby behind one address, as behind the virtual address of a cluster. */
export interface ReplicatedPostgres {
  readonly primary: KillableServer;
  readonly databaseUrl: string;
  /** Kills the primary, for good. */
  losePrimary(): Promise<void>;
  /** The address then leads to the standby. */
  promoteStandby(): Promise<void>;
}

export interface StartReplicated {
  readonly folder: string;
  readonly replication: Replication;
}

const run = promisify(execFile);
const NAME = 'standby';
const quiet = (): void => undefined;
/** How far an asynchronous standby is behind when the primary dies. Events of this time may be lost. */
const BEHIND_MS = 1_000;

export async function startReplicated(start: StartReplicated, stops: StopList): Promise<ReplicatedPostgres> {
  const { folder, replication } = start;
  const dataDir = join(folder, 'primary');
  const port = await freePort();
  const first = await startPostgres({ dataDir, port, durable: true, onProgress: quiet });
  const replicationPath = await startTcpProxy({ name: 'path to the standby', port }, stops);
  await first.stop();
  const standby = await copyAsStandby({ folder, first, replicationPath });
  const launch = (onPid: (pid: number | undefined) => void): Promise<RunningPostgres> =>
    startPostgres({ dataDir, port, durable: true, onProgress: quiet, onPid });
  const primary = new KillableServer({ name: 'primary', launch }, stops);
  await primary.start();
  const follower = await startPostgres({ ...standby, durable: true, onProgress: quiet });
  stops.add({ name: NAME, stop: follower.stop });
  await untilStreaming(first.url);
  if (replication === 'synchronous') await requireStandby(first.url);
  const address = await startTcpProxy({ name: 'address of the database', port }, stops);
  const url = new URL(first.url);
  url.port = String(address.port);
  return {
    primary,
    databaseUrl: url.href,
    async losePrimary() {
      if (replication === 'asynchronous') {
        replicationPath.cut();
        await untilMoreEvents(first.url);
        await sleep(BEHIND_MS);
      }
      await primary.kill9();
    },
    async promoteStandby() {
      await promote(follower.url);
      address.moveTo(standby.port);
    },
  };
}

interface Copy {
  readonly folder: string;
  readonly first: RunningPostgres;
  readonly replicationPath: TcpProxy;
}

/** A copy of the stopped primary, because the embedded binaries have no `pg_basebackup`. */
async function copyAsStandby({ folder, first, replicationPath }: Copy) {
  const dataDir = join(folder, NAME);
  const port = await freePort();
  const { password } = new URL(first.url);
  await run('cp', ['-a', first.folder, dataDir]);
  const { uid, gid } = await stat(first.folder);
  const signal = join(dataDir, 'standby.signal');
  await writeFile(signal, '');
  await chown(signal, uid, gid);
  const source = `host=127.0.0.1 port=${replicationPath.port} user=postgres password=${password} application_name=${NAME}`;
  await appendFile(join(dataDir, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`);
  await rememberCluster({ dataDir, cluster: { folder: dataDir, password, port } });
  return { dataDir, port };
}

/** On a connection of its own, because the service's pools refuse a standby. */
async function promote(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('select pg_promote()');
  await client.end();
}

async function untilStreaming(primaryUrl: string): Promise<void> {
  const isStreaming = (): Promise<boolean> =>
    withDatabase(primaryUrl, async (db) => {
      const { rows } = await db.raw<{ rows: unknown[] }>(`select from pg_stat_replication where state = 'streaming'`);
      return rows.length > 0;
    });
  await until(isStreaming, { for: 'The replication' });
}

/** Waits until events are stored that the standby does not have. */
async function untilMoreEvents(primaryUrl: string): Promise<void> {
  const lastEvent = (): Promise<number> =>
    withDatabase(primaryUrl, async (db) => {
      const { rows } = await db.raw<{ rows: { id: number }[] }>('select coalesce(max(id), 0) as id from events');
      return rows[0]?.id ?? 0;
    });
  const before = await lastEvent();
  await until(async () => (await lastEvent()) > before, { for: 'Events that the standby lacks' });
}

async function requireStandby(primaryUrl: string): Promise<void> {
  await withDatabase(primaryUrl, async (db) => {
    await db.raw(`alter system set synchronous_standby_names = '${NAME}'`);
    await db.raw('select pg_reload_conf()');
  });
}
