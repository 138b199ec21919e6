import { spawnSync } from 'node:child_process';
import { constants } from 'node:fs';
import {
  type FileHandle,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { withFileLock } from '../../../cli/profiles/file-lock.ts';
import { eventually } from '../../harness/eventually.ts';

async function lockPath(t: ExecutionContext): Promise<{ folder: string; path: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'channels-lock-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return { folder, path: join(folder, 'session.lock') };
}

async function leaveBehind(path: string): Promise<void> {
  const longAgo = new Date(Date.now() - 3_600_000);
  await writeFile(path, 'of a process that died');
  await utimes(path, longAgo, longAgo);
}

test('of many who find a lock that was left behind, one has it at a time', async (t) => {
  const { folder, path } = await lockPath(t);
  for (let round = 0; round < 2; round++) {
    await leaveBehind(path);
    let [inside, most, done] = [0, 0, 0];
    const act = async (): Promise<void> => {
      most = Math.max(most, ++inside);
      for (let n = 0; n < 20; n++) await turn();
      inside--;
      done++;
    };
    await Promise.all(Array.from({ length: 12 }, () => withFileLock(path, act)));
    t.deepEqual({ most, done }, { most: 1, done: 12 });
  }
  t.deepEqual(await readdir(folder), [], 'nothing is left');
});

test('a holder takes away no lock but its own', async (t) => {
  const { folder, path } = await lockPath(t);
  await withFileLock(path, async () => {
    const other = join(folder, 'other');
    await writeFile(other, 'of somebody else');
    await rename(other, path);
  });
  t.is(await readFile(path, 'utf8'), 'of somebody else');
});

/** A file that is read only as far as the test writes it; undefined until somebody has begun to read. */
async function writerOfPipe(path: string): Promise<FileHandle | undefined> {
  return await open(path, constants.O_WRONLY | constants.O_NONBLOCK).catch(() => undefined);
}

test('who finds a lock stale, and is late, leaves the one alone that has come after it', async (t) => {
  const { folder, path } = await lockPath(t);
  const [next, fresh] = [join(folder, 'next'), join(folder, 'fresh')];
  t.is(spawnSync('mkfifo', [path, next]).status, 0);
  const longAgo = new Date(Date.now() - 3_600_000);
  await utimes(path, longAgo, longAgo);
  let isInside = false;
  const waiting = withFileLock(path, async () => void (isInside = true));
  const stale = await eventually(() => writerOfPipe(path));
  // It has seen the age of a stale lock; while it reads whose it is, somebody else takes that over.
  await rename(next, path);
  await stale.writeFile('of a process that died');
  await stale.close();
  const looked = await eventually(async () => isInside || (await writerOfPipe(path)));
  if (looked === true) return t.fail('it took the lock of somebody else');
  await writeFile(fresh, 'of somebody else');
  await rename(fresh, path);
  await looked.writeFile('of somebody else');
  await looked.close();
  await eventually(async () => (await readdir(folder)).length === 1);
  t.is(await readFile(path, 'utf8'), 'of somebody else');
  t.false(isInside);
  await rm(path);
  await waiting;
});

test('a lock whose end was begun by a process that died is taken over too', async (t) => {
  const { folder, path } = await lockPath(t);
  await leaveBehind(path);
  await leaveBehind(`${path}.of a process that died.end`);
  t.is(await withFileLock(path, async () => 'done'), 'done');
  t.deepEqual(await readdir(folder), []);
});

test('a holder that takes long stays the holder', async (t) => {
  const { path } = await lockPath(t);
  const timing = { staleMs: 30_000, beatMs: 5 };
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
