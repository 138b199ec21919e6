import { randomUUID } from 'node:crypto';
import { type FileHandle, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

export interface LockTiming {
  /** After which a lock without a sign of life was left behind by a process that died. */
  readonly staleMs: number;
  /** Between two signs of life of a holder. */
  readonly beatMs: number;
}

/** A holder may be slow, as the service may be; it is never silent for as long as this. */
const timingUnlessGiven: LockTiming = { staleMs: 30_000, beatMs: 5_000 };
const LOOK_MS = 50;
const OWNER_ONLY = 0o600;

interface Lock {
  readonly path: string;
  /** In the file, so that everybody sees whose it is. */
  readonly token: string;
  readonly file: FileHandle;
}

/** Does something that no other process of the program may do at the same time. */
export async function withFileLock<Result>(
  path: string,
  act: () => Promise<Result>,
  timing: LockTiming = timingUnlessGiven,
): Promise<Result> {
  const lock = await acquire(path, timing);
  // By its handle: a file that somebody else has put in its place is not kept alive.
  const beat = setInterval(() => {
    const now = new Date();
    lock.file.utimes(now, now).catch(() => undefined);
  }, timing.beatMs);
  try {
    return await act();
  } finally {
    clearInterval(beat);
    await lock.file.close();
    await endLock(lock, async () => {
      if ((await look(path))?.token === lock.token) await rm(path, { force: true });
    });
  }
}

async function acquire(path: string, { staleMs }: LockTiming): Promise<Lock> {
  const token = randomUUID();
  for (;;) {
    const file = await create(path, token);
    if (file) return { path, token, file };
    const found = await look(path);
    if (found && found.ageMs > staleMs) {
      const taken = await takeOver({ path, token, from: found.token, staleMs });
      if (taken) return { path, token, file: taken };
    }
    await pause(LOOK_MS);
  }
}

interface TakeOver {
  readonly path: string;
  readonly token: string;
  readonly from: string;
  readonly staleMs: number;
}

/** Puts a lock of one's own in the place of one that was left behind, in one step; undefined where somebody else did. */
async function takeOver({ path, token, from, staleMs }: TakeOver): Promise<FileHandle | undefined> {
  let taken: FileHandle | undefined;
  await endLock({ path, token: from, staleMs }, async () => {
    // It may have ended, and be another's, since it was looked at.
    const found = await look(path);
    if (found?.token !== from || found.ageMs <= staleMs) return;
    const own = `${path}.${token}`;
    taken = await create(own, token);
    await rename(own, path);
  });
  return taken;
}

/**
 * Only who makes the file of this name may end the lock of this token: its holder, or one of those who find it stale.
 * All others leave it alone, so that nobody ends a lock that has come after it.
 */
async function endLock(
  { path, token, staleMs }: Pick<Lock, 'path' | 'token'> & { staleMs?: number },
  end: () => Promise<void>,
): Promise<void> {
  const right = `${path}.${token}.end`;
  const file = await create(right, token);
  if (!file) {
    const found = await look(right);
    if (staleMs !== undefined && found && found.ageMs > staleMs) await rm(right, { force: true });
    return;
  }
  try {
    await file.close();
    await end();
  } finally {
    await rm(right, { force: true });
  }
}

/** Undefined where there is such a file. */
async function create(path: string, text: string): Promise<FileHandle | undefined> {
  try {
    const file = await open(path, 'wx', OWNER_ONLY);
    await file.writeFile(text);
    return file;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return undefined;
    throw error;
  }
}

async function look(path: string): Promise<{ readonly token: string; readonly ageMs: number } | undefined> {
  try {
    const [token, { mtimeMs }] = await Promise.all([readFile(path, 'utf8'), stat(path)]);
    return { token, ageMs: Date.now() - mtimeMs };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
