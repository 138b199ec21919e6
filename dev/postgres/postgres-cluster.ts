import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chown, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { readIfExists, writePrivateFile } from '../settings/env-file.ts';
import type { PostgresBinaries } from './postgres-binaries.ts';
import { canEnter, type OsUser } from './unprivileged-user.ts';

export interface PostgresCluster {
  readonly folder: string;
  readonly password: string;
  readonly port: number | undefined;
}

export interface OpenCluster {
  readonly dataDir: string;
  readonly user: OsUser | undefined;
  readonly binaries: PostgresBinaries;
  readonly durable: boolean;
  readonly onProgress: (text: string) => void;
}

const ROOT_DATA = '/var/lib/messaging-channels';

export async function openCluster(request: OpenCluster): Promise<PostgresCluster> {
  const { dataDir, user, onProgress } = request;
  await mkdir(dirname(dataDir), { recursive: true });
  const folder = await chooseFolder({ dataDir, user, onProgress });
  const notes = await readNotes(dataDir);
  const exists = (await stat(join(folder, 'PG_VERSION')).catch(() => undefined)) !== undefined;
  if (exists && !notes?.password) {
    throw new Error(
      `${notesPath(dataDir)}, which has the password of the database in ${folder}, is missing or unreadable. ` +
        'Restore it, or delete that folder to start with an empty database.',
    );
  }
  const password = notes?.password ?? randomBytes(24).toString('base64url');
  const cluster = { folder, password, port: notes?.port };
  if (!exists) {
    await rememberCluster({ dataDir, cluster });
    await createCluster({ ...request, folder, password });
  }
  return cluster;
}

export async function rememberCluster({
  dataDir,
  cluster,
}: {
  dataDir: string;
  cluster: PostgresCluster;
}): Promise<void> {
  const { folder, password, port } = cluster;
  await writePrivateFile(notesPath(dataDir), JSON.stringify({ folder, password, port }));
}

async function chooseFolder({ dataDir, user, onProgress }: Pick<OpenCluster, 'dataDir' | 'user' | 'onProgress'>) {
  const wanted = resolve(dataDir);
  if (!user || canEnter(user, dirname(wanted))) return wanted;
  const name = `postgres-${createHash('sha256').update(wanted).digest('hex').slice(0, 12)}`;
  await mkdir(ROOT_DATA, { recursive: true, mode: 0o755 });
  onProgress(`Storing PostgreSQL's data in ${join(ROOT_DATA, name)}, because only root can enter ${dirname(wanted)}.`);
  return join(ROOT_DATA, name);
}

/** Renamed into place, so that an interrupted run leaves nothing behind. */
async function createCluster(request: OpenCluster & { folder: string; password: string }): Promise<void> {
  const { folder, password, user, binaries, durable, onProgress } = request;
  onProgress('Creating the PostgreSQL database files.');
  const draft = `${folder}.new`;
  const passwordFile = `${folder}.password`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  await writeFile(passwordFile, password, { mode: 0o600 });
  try {
    for (const path of user ? [draft, passwordFile] : []) await chown(path, user!.uid, user!.gid);
    await runInitdb({ initdb: binaries.initdb, draft, passwordFile, durable, user });
    await rename(draft, folder);
  } finally {
    await rm(passwordFile, { force: true });
    await rm(draft, { recursive: true, force: true });
  }
}

interface Initdb {
  readonly initdb: string;
  readonly draft: string;
  readonly passwordFile: string;
  readonly durable: boolean;
  readonly user: OsUser | undefined;
}

async function runInitdb({ initdb, draft, passwordFile, durable, user }: Initdb): Promise<void> {
  const args = [
    ...['-D', draft, '-U', 'postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`],
    // The default under LANG=C has no encoding.
    ...['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    // Tests connect thousands of times, and each connection would hash the password as often as a stolen hash deserves.
    ...(durable ? [] : ['--no-sync', '--set=scram_iterations=1']),
  ];
  const child = spawn(initdb, args, {
    ...user,
    cwd: '/',
    env: postgresEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`PostgreSQL's initdb failed:\n${output.trim()}`);
}

/** PG* variables and locales of the user would affect the server. */
export function postgresEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], LANG: 'C', TZ: 'UTC' };
}

async function readNotes(dataDir: string): Promise<{ password: string; port: number | undefined } | undefined> {
  const text = await readIfExists(notesPath(dataDir));
  if (text === undefined) return undefined;
  try {
    const { password, port } = Object(JSON.parse(text));
    if (typeof password !== 'string') return undefined;
    return { password, port: Number.isSafeInteger(port) ? port : undefined };
  } catch {
    return undefined;
  }
}

function notesPath(dataDir: string): string {
  return `${resolve(dataDir)}.json`;
}
