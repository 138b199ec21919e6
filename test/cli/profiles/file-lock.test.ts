import { spawnSync } from 'node:child_process';
import { constants } from 'node:fs';
import { type FileHandle, open, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { withFileLock } from '../../../cli/profiles/file-lock.ts';
import { eventually } from '../../harness/eventually.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';

async function lockPath(t: ExecutionContext): Promise<{ folder: string; path: string }> {
  const folder = await temporaryFolder(t);
  return { folder, path: join(folder, 'session.lock') };
}

async function leaveBehind(path: string): Promise<void> {
  const longAgo = new Date(Date.now() - 3_600_000);
  await writeFile(path, 'of a process that died');
  await utimes(path, longAgo, longAgo);
}

test('one process at a time takes over an abandoned lock', async (t) => {
  const { folder, path } = await lockPath(t);
  for (let round = 0; round < 2; round++) {
    await leaveBehind(path);
    let inside = 0;
    let most = 0;
    let done = 0;
    const act = async (): Promise<void> => {
      most = Math.max(most, ++inside);
      for (let n = 0; n < 20; n++) await turn();
      inside--;
      done++;
    };
    await Promise.all(Array.from({ length: 12 }, () => withFileLock(path, act)));
    t.deepEqual({ most, done }, { most: 1, done: 12 });
  }
  t.deepEqual(await readdir(folder), [], 'no files remain');
});

test('a holder removes only its own lock', async (t) => {
  const { folder, path } = await lockPath(t);
  await withFileLock(path, async () => {
    const other = join(folder, 'other');
    await writeFile(other, 'of another process');
    await rename(other, path);
  });
  t.is(await readFile(path, 'utf8'), 'of another process');
});

/** Returns undefined until a reader has opened the pipe. */
async function writerOfPipe(path: string): Promise<FileHandle | undefined> {
  return await open(path, constants.O_WRONLY | constants.O_NONBLOCK).catch(() => undefined);
}

test('a late process does not remove a newer lock', async (t) => {
  const { folder, path } = await lockPath(t);
  const next = join(folder, 'next');
  const fresh = join(folder, 'fresh');
  t.is(spawnSync('mkfifo', [path, next]).status, 0);
  const longAgo = new Date(Date.now() - 3_600_000);
  await utimes(path, longAgo, longAgo);
  let isInside = false;
  const waiting = withFileLock(path, async () => void (isInside = true));
  const stale = await eventually(() => writerOfPipe(path));
  // Another process takes over the stale lock before this one reads its token.
  await rename(next, path);
  await stale.writeFile('of a process that died');
  await stale.close();
  const looked = await eventually(async () => isInside || (await writerOfPipe(path)));
  if (looked === true) return t.fail('the process removed a newer lock');
  await writeFile(fresh, 'of another process');
  await rename(fresh, path);
  await looked.writeFile('of another process');
  await looked.close();
  await eventually(async () => (await readdir(folder)).length === 1);
  t.is(await readFile(path, 'utf8'), 'of another process');
  t.false(isInside);
  await rm(path);
  await waiting;
});

test('a lock with an abandoned removal is taken over', async (t) => {
  const { folder, path } = await lockPath(t);
  await leaveBehind(path);
  await leaveBehind(`${path}.of a process that died.end`);
  t.is(await withFileLock(path, async () => 'done'), 'done');
  t.deepEqual(await readdir(folder), []);
});

test('a heartbeat keeps a slow holder', async (t) => {
  const { path } = await lockPath(t);
  const timing = { staleMs: 30_000, heartbeatMs: 5 };
  await withFileLock(
    path,
    async () => {
      const longAgo = new Date(Date.now() - 3_600_000);
      await utimes(path, longAgo, longAgo);
      await eventually(async () => Date.now() - (await stat(path)).mtimeMs < timing.staleMs);
    },
    timing,
  );
  t.pass();
});
