import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { readIfExists, writePrivateFile } from './settings/env-file.ts';
import { isRunning, processIdentity, type RememberedProcess, stopRemembered } from './processes/process-identity.ts';

/**
 * Allows one `npm start` per data folder. `start.lock` names its owner; a new start takes over the lock of a dead
 * process. `pids.json` names its children; the next start stops those that still run.
 */
export interface InstanceLock {
  release(): Promise<void>;
}

export class AlreadyRunning extends Error {
  override name = 'AlreadyRunning';
}

const ORPHAN_DEADLINE_MS = 15_000;

/** Linked into place, so that no reader sees a partial lock. */
export async function takeInstanceLock(path: string): Promise<InstanceLock> {
  const own = remembered('npm start', process.pid);
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, JSON.stringify(own), { mode: 0o600 });
  try {
    while (!(await tryLink(draft, path))) {
      const holder = parse((await readIfExists(path)) ?? 'null');
      if (isRemembered(holder) && isRunning(holder)) {
        throw new AlreadyRunning(
          `npm start already runs here as process ${holder.pid}. Use it, stop it with Ctrl-C in its terminal ` +
            `(or \`kill ${holder.pid}\`), or set DATA_DIR and the ports (…_PORT) to run a second one.`,
        );
      }
      await rm(path, { force: true });
    }
  } finally {
    await rm(draft, { force: true });
  }
  return {
    release: async () => {
      const holder = parse((await readIfExists(path)) ?? 'null');
      if (isRemembered(holder) && holder.pid === own.pid) await rm(path, { force: true });
    },
  };
}

export interface Orphans {
  readonly path: string;
  readonly say: (text: string) => void;
}

export async function stopOrphans({ path, say }: Orphans): Promise<number> {
  const known = parse((await readIfExists(path)) ?? '[]');
  const orphans = (Array.isArray(known) ? known : []).filter(isRemembered).filter(isRunning).reverse();
  for (const orphan of orphans) {
    say(`Stopping ${orphan.name} (process ${orphan.pid}), which an earlier start left running.`);
    // The fast shutdown; SIGTERM waits for clients.
    const signal = orphan.name === 'postgres' ? 'SIGINT' : 'SIGTERM';
    await stopRemembered({ process: orphan, signal, deadlineMs: ORPHAN_DEADLINE_MS });
  }
  await rm(path, { force: true });
  return orphans.length;
}

/** Writes one after the other, so that the last state wins. */
export function processRegister(path: string): (name: string, pid: number | undefined) => Promise<void> {
  const running = new Map<string, RememberedProcess>();
  let written: Promise<void> = Promise.resolve();
  return (name, pid) => {
    if (pid === undefined) running.delete(name);
    else running.set(name, remembered(name, pid));
    const text = JSON.stringify([...running.values()]);
    written = written.then(() => writePrivateFile(path, text));
    return written;
  };
}

function remembered(name: string, pid: number): RememberedProcess {
  return { name, pid, identity: processIdentity(pid) ?? 'ended' };
}

async function tryLink(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path);
    return (await readFile(path, 'utf8')) === (await readFile(draft, 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRemembered(value: unknown): value is RememberedProcess {
  if (typeof value !== 'object' || value === null) return false;
  const { name, pid, identity } = Object(value);
  return typeof name === 'string' && Number.isSafeInteger(pid) && pid > 0 && typeof identity === 'string';
}
