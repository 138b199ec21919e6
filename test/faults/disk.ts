import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { StopList } from '../../dev/processes/stop-list.ts';
import { withDatabase } from './database.ts';

const run = promisify(execFile);

export interface Disk {
  readonly kind: 'file system' | 'statements';
  fill(): Promise<void>;
  free(): Promise<void>;
}

/** Far more than a run needs. Memory is used only for what is written. */
const ROOM = '8g';
const SHRINK_TRIES = 20;

/**
 * Moves the data folder of a stopped PostgreSQL to a file system in memory, which can be shrunk until it is full.
 * Returns undefined if this process may not mount one.
 */
export async function diskInMemory(folder: string, stops: StopList): Promise<Disk | undefined> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined;
  const aside = await mkdtemp(join(dirname(folder), 'aside-'));
  const { uid, gid } = await stat(folder);
  await run('cp', ['-a', `${folder}/.`, aside]);
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${ROOM},mode=0700,uid=${uid},gid=${gid}`, 'tmpfs', folder]);
  } catch {
    return undefined; // Even root may lack the right to mount, as in most containers.
  } finally {
    stops.add({ name: 'copy of the data', stop: () => rm(aside, { recursive: true, force: true }) });
  }
  const unmount = (): void => void spawnSync('umount', ['--lazy', folder]);
  process.once('exit', unmount); // Unmounts even if the run ends abruptly.
  stops.add({
    name: 'disk',
    stop: async () => {
      process.off('exit', unmount);
      unmount();
    },
  });
  await run('cp', ['-a', `${aside}/.`, folder]);
  const resize = async (size: string): Promise<void> =>
    void (await run('mount', ['-o', `remount,size=${size}`, folder]));
  return { kind: 'file system', fill: () => shrink(folder, resize), free: () => resize(ROOM) };
}

/** A resize is refused if the data has grown since it was measured. */
async function shrink(folder: string, resize: (size: string) => Promise<void>): Promise<void> {
  for (let tried = 1; ; tried++) {
    const { blocks, bfree, bsize } = await statfs(folder);
    try {
      await resize(String((blocks - bfree) * bsize));
      return;
    } catch (error) {
      if (tried === SHRINK_TRIES) throw error;
    }
  }
}

const FULL_TABLES = ['events', 'deliveries', 'attempts'];

/**
 * Simulates a full disk without a mount: each row that needs space is refused with the same error. A full transaction
 * log is not simulated.
 */
export function diskByStatements(databaseUrl: string): Disk {
  return {
    kind: 'statements',
    fill: () =>
      withDatabase(databaseUrl, async (db) => {
        await db.raw(`create or replace function refuse_for_room() returns trigger language plpgsql as
          $$ begin raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$`);
        for (const table of FULL_TABLES) {
          await db.raw(`create or replace trigger refuse_for_room before insert or update on ${table}
            for each row execute function refuse_for_room()`);
        }
      }),
    free: () =>
      withDatabase(databaseUrl, async (db) => {
        for (const table of FULL_TABLES) await db.raw(`drop trigger if exists refuse_for_room on ${table}`);
      }),
  };
}
