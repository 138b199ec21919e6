import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../../dev/postgres/embedded-postgres.ts';
import { freePort } from '../../dev/processes/ports.ts';
import type { StopList } from '../../dev/processes/stop-list.ts';
import { type Disk, diskByStatements, diskInMemory } from './disk.ts';
import { KillableServer } from './killable-server.ts';
import { type ReplicatedPostgres, type Replication, startReplicated } from './standby.ts';
import { startQuietTemporal } from '../harness/system/quiet-server.ts';

export interface Servers {
  readonly postgres: KillableServer;
  readonly databaseUrl: string;
  readonly disk: Disk;
  readonly temporal: KillableServer;
  readonly temporalAddress: string;
  /** Undefined without a standby. */
  readonly standby?: ReplicatedPostgres;
}

export interface ServersOptions {
  readonly disk: Disk['kind'];
  /** Optional. With a standby, the primary can be lost. */
  readonly replication?: Replication;
  readonly say: (text: string) => void;
}

const quiet = (): void => undefined;

/** Starts separate servers: PostgreSQL, durable and on a disk that can be filled, and Temporal on a file. */
export async function startServers(options: ServersOptions, stops: StopList): Promise<Servers> {
  const folder = await mkdtemp(join(tmpdir(), 'messaging-channels-faults-'));
  stops.add({ name: 'folder', stop: () => rm(folder, { recursive: true, force: true }) });
  await chmod(folder, 0o711); // PostgreSQL runs as another user if this is root.
  const { replication } = options;
  const database = replication
    ? await replicatedPostgres({ folder, stops }, replication)
    : await ownPostgres(options, { folder, stops });
  return { ...database, ...(await ownTemporal({ folder, stops })) };
}

interface Place {
  readonly folder: string;
  readonly stops: StopList;
}

async function ownPostgres({ disk: wanted, say }: ServersOptions, { folder, stops }: Place) {
  const dataDir = join(folder, 'postgres');
  const port = await freePort();
  const first = await startPostgres({ dataDir, port, durable: true, onProgress: quiet });
  await first.stop();
  stops.add({ name: 'data', stop: () => rm(first.folder, { recursive: true, force: true }) });
  const isReal = wanted === 'file system';
  const disk = (isReal ? await diskInMemory(first.folder, stops) : undefined) ?? diskByStatements(first.url);
  if (disk.kind !== wanted)
    say('No file system may be mounted here: a full disk is shown by refusals of the database.');
  const launch = (onPid: (pid: number | undefined) => void) =>
    startPostgres({ dataDir, port, durable: true, onProgress: quiet, onPid });
  const postgres = new KillableServer({ name: 'PostgreSQL', launch }, stops);
  await postgres.start();
  return { postgres, databaseUrl: first.url, disk };
}

async function replicatedPostgres({ folder, stops }: Place, replication: Replication) {
  const standby = await startReplicated({ folder, replication }, stops);
  const { databaseUrl, primary } = standby;
  return { postgres: primary, databaseUrl, disk: diskByStatements(databaseUrl), standby };
}

/** Starts a server that keeps its state across kills. */
export async function ownTemporal({ folder, stops }: Place) {
  const server = { port: await freePort(), databaseFile: join(folder, 'temporal.db') };
  const launch = (onPid: (pid: number | undefined) => void) => startQuietTemporal({ ...server, onPid });
  const temporal = new KillableServer({ name: 'Temporal', launch }, stops);
  await temporal.start();
  return { temporal, temporalAddress: `127.0.0.1:${server.port}` };
}
