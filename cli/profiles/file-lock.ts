import { randomUUID } from 'node:crypto';
import { type FileHandle, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

export interface LockTiming {
  readonly staleMs: number;
  readonly heartbeatMs: number;
}

/** A holder may wait for the service for a long time, but its heartbeat continues. */
const defaultTiming: LockTiming = { staleMs: 30_000, heartbeatMs: 5_000 };
const POLL_MS = 50;
const OWNER_ONLY = 0o600;

interface Lock {
  readonly path: string;
  readonly token: string;
  readonly file: FileHandle;
}

export async function withFileLock<Result>(
  path: string,
  act: () => Promise<Result>,
  timing: LockTiming = defaultTiming,
): Promise<Result> {
  const lock = await acquire(path, timing);
  // Touch the open file, not the path: another process may have replaced the lock.
  const heartbeat = setInterval(() => {
    const now = new Date();
    lock.file.utimes(now, now).catch(() => undefined);
  }, timing.heartbeatMs);
  try {
    return await act();
  } finally {
    clearInterval(heartbeat);
    await lock.file.close();
    await endLock(lock, async () => {
      if ((await readLock(path))?.token === lock.token) await rm(path, { force: true });
    });
  }
}

async function acquire(path: string, { staleMs }: LockTiming): Promise<Lock> {
  const token = randomUUID();
  for (;;) {
    const file = await create(path, token);
    if (file) return { path, token, file };
    const found = await readLock(path);
    if (found && found.ageMs > staleMs) {
      const taken = await takeOver({ path, token, from: found.token, staleMs });
      if (taken) return { path, token, file: taken };
    }
    await pause(POLL_MS);
  }
}

interface TakeOver {
  readonly path: string;
  readonly token: string;
  readonly from: string;
  readonly staleMs: number;
}

/** Atomically replaces an abandoned lock. Returns undefined if another process did so first. */
async function takeOver({ path, token, from, staleMs }: TakeOver): Promise<FileHandle | undefined> {
  let taken: FileHandle | undefined;
  await endLock({ path, token: from, staleMs }, async () => {
    // Check again, because the lock may have ended or changed hands.
    const found = await readLock(path);
    if (found?.token !== from || found.ageMs <= staleMs) return;
    const own = `${path}.${token}`;
    taken = await create(own, token);
    await rename(own, path);
  });
  return taken;
}

/**
 * Only the process that creates the `.end` file may end the lock with this token, so a late process never ends a newer
 * lock.
 */
async function endLock(
  { path, token, staleMs }: Pick<Lock, 'path' | 'token'> & { staleMs?: number },
  end: () => Promise<void>,
): Promise<void> {
  const right = `${path}.${token}.end`;
  const file = await create(right, token);
  if (!file) {
    const found = await readLock(right);
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

async function readLock(path: string): Promise<{ readonly token: string; readonly ageMs: number } | undefined> {
  try {
    const [token, { mtimeMs }] = await Promise.all([readFile(path, 'utf8'), stat(path)]);
    return { token, ageMs: Date.now() - mtimeMs };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
