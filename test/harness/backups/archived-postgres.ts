import { execFile } from 'node:child_process';
import { chmod, chown, copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { parse } from 'yaml';
import { projectRoot } from '../../../dev/checks/source-files.ts';
import { startPostgres } from '../../../dev/postgres/embedded-postgres.ts';
import { findPostgresBinaries } from '../../../dev/postgres/postgres-binaries.ts';
import { postgresEnvironment } from '../../../dev/postgres/postgres-cluster.ts';
import { type OsUser, postgresUser } from '../../../dev/postgres/unprivileged-user.ts';
import { freePort } from '../../../dev/processes/ports.ts';
import { type ProcessWatch, type RunningProcess, startProcess } from '../../../dev/processes/processes.ts';
import type { StopList } from '../../../dev/processes/stop-list.ts';

/** PostgreSQL as `deploy/compose.yaml` starts it: by the same scripts, with the same flags and a WAL archive. */
export interface ArchivedPostgres {
  readonly url: string;
  readonly port: number;
  readonly dataFolder: string;
  readonly backupsFolder: string;
  /** Resolves when the server accepts writes, after a restore therefore at the end of the replay. */
  start(onPid: ProcessWatch['onPid']): Promise<RunningProcess>;
  /** Runs a script of `deploy/compose` and returns its output. Rejects with its errors. */
  run(script: string, args?: readonly string[], env?: NodeJS.ProcessEnv): Promise<string>;
  archivedSegments(): Promise<string[]>;
  /** Oldest first. */
  baseBackups(): Promise<string[]>;
}

export interface ArchivedPostgresOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly onLine?: (line: string) => void;
}

const exec = promisify(execFile);
const quiet = (): void => undefined;
const START_DEADLINE_MS = 120_000;
const STOP_DEADLINE_MS = 30_000;
/** Where the containers have the scripts and the backups. */
const MOUNTED_SCRIPTS = '/scripts';

export async function createArchivedPostgres(
  { env = {}, onLine = quiet }: ArchivedPostgresOptions,
  stops: StopList,
): Promise<ArchivedPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'messaging-channels-backups-'));
  stops.add({ name: 'folder of the backups', stop: () => rm(folder, { recursive: true, force: true }) });
  await chmod(folder, 0o755); // PostgreSQL runs as another user if this is root.
  const { url, port, folder: dataFolder } = await createCluster(join(folder, 'postgres'));
  stops.add({ name: 'data', stop: () => rm(dataFolder, { recursive: true, force: true }) });
  const user = await postgresUser(dataFolder);
  const scripts = await copyScripts(folder);
  const programs = await makePrograms({ folder, user, port, dataFolder });
  for (const each of [scripts, programs]) await openToAll(each);
  const backupsFolder = join(folder, 'backups');
  await mkdir(backupsFolder, { mode: 0o755 });
  if (user) await chown(backupsFolder, user.uid, user.gid);
  const { password } = new URL(url);
  const given = {
    ...postgresEnvironment(),
    PATH: `${programs}:${process.env['PATH']}`,
    BACKUPS: backupsFolder,
    PGDATA: dataFolder,
    PGHOST: '127.0.0.1',
    PGPORT: String(port),
    PGUSER: 'postgres',
    PGPASSWORD: password,
    PGDATABASE: 'postgres',
    ...env,
  };
  const flags = (await composeFlags()).map((flag) => flag.replaceAll(MOUNTED_SCRIPTS, scripts));
  return {
    url,
    port,
    dataFolder,
    backupsFolder,
    start: (onPid) =>
      startProcess(
        {
          name: 'postgres',
          command: 'sh',
          args: [join(scripts, 'postgres.sh'), ...flags],
          env: given,
          cwd: '/',
          ...(user && { user }),
          stopSignal: 'SIGINT',
          stopDeadlineMs: STOP_DEADLINE_MS,
          startDeadlineMs: START_DEADLINE_MS,
          isReady: () => acceptsWrites(url),
        },
        { onLine, onPid, onNotice: onLine },
      ),
    async run(script, args = [], more = {}) {
      const { stdout } = await exec('sh', [join(scripts, script), ...args], { env: { ...given, ...more } });
      return stdout;
    },
    archivedSegments: async () => (await readdir(join(backupsFolder, 'wal'))).sort(),
    baseBackups: async () => (await readdir(join(backupsFolder, 'base'))).sort(),
  };
}

/** The server's own start takes the port and the data folder from here. */
async function createCluster(dataDir: string) {
  const created = await startPostgres({ dataDir, port: await freePort(), durable: true, onProgress: quiet });
  await created.stop();
  return created;
}

async function copyScripts(folder: string): Promise<string> {
  const scripts = join(folder, 'scripts');
  await mkdir(scripts);
  const source = join(projectRoot, 'deploy/compose');
  for (const name of (await readdir(source)).filter((name) => name.endsWith('.sh'))) {
    await copyFile(join(source, name), join(scripts, name));
    await chmod(join(scripts, name), 0o755);
  }
  return scripts;
}

interface Programs {
  readonly folder: string;
  readonly user: OsUser | undefined;
  readonly port: number;
  readonly dataFolder: string;
}

/** Programs of the image that the embedded binaries lack. */
async function makePrograms({ folder, user, port, dataFolder }: Programs): Promise<string> {
  const programs = join(folder, 'programs');
  await mkdir(programs);
  const { postgres } = await findPostgresBinaries({ user, onProgress: quiet });
  const client = join(import.meta.dirname, 'postgres-client.ts');
  const local = '-c listen_addresses=127.0.0.1 -c unix_socket_directories=';
  const clients = ['pg_basebackup', 'pg_isready', 'psql'].map((name) => [
    name,
    `exec '${process.execPath}' '${client}' ${name} "$@"`,
  ]);
  const texts: Record<string, string> = {
    'docker-entrypoint.sh': `shift; exec '${postgres}' -D '${dataFolder}' -p ${port} ${local} "$@"`,
    ...Object.fromEntries(clients),
  };
  for (const [name, text] of Object.entries(texts)) {
    await writeFile(join(programs, name), `#!/bin/sh\n${text}\n`);
    await chmod(join(programs, name), 0o755);
  }
  return programs;
}

async function composeFlags(): Promise<string[]> {
  const text = await readFile(join(projectRoot, 'deploy/compose.yaml'), 'utf8');
  const { services }: { services: { postgres: { command: string[] } } } = parse(text, { merge: true });
  return services.postgres.command;
}

async function acceptsWrites(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  try {
    await client.connect();
    const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby');
    return rows[0]?.standby === false;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** While a process starts, the files that this one creates are private. */
async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const file of await readdir(folder)) await chmod(join(folder, file), 0o755);
}
