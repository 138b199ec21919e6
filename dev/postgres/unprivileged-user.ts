import { execFileSync, spawnSync } from 'node:child_process';
import { stat } from 'node:fs/promises';

/** Whom PostgreSQL runs as; undefined: as the user of this process. */
export interface OsUser {
  readonly uid: number;
  readonly gid: number;
}

/**
 * PostgreSQL refuses to run as root. As root, a data folder that exists keeps its owner; a new one goes to the
 * `postgres` user where there is one, else to `nobody`.
 */
export async function postgresUser(dataDir: string): Promise<OsUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await stat(dataDir).catch(() => undefined);
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const user = osUser('postgres') ?? osUser('nobody');
  if (!user)
    throw new Error('PostgreSQL does not run as root, and there is no user `postgres` or `nobody`: create one.');
  return user;
}

/** Whether that user gets into a folder: each one above it must let the user through as well. */
export function canEnter(user: OsUser, folder: string): boolean {
  return spawnSync('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], { ...user, cwd: '/', stdio: 'ignore' }).status === 0;
}

function osUser(name: string): OsUser | undefined {
  try {
    const id = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: 'pipe' }));
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return undefined;
  }
}
