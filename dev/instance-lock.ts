import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { readIfThere, writePrivateFile } from './settings/env-file.ts';
import { isRunning, processIdentity, type RememberedProcess, stopRemembered } from './processes/process-identity.ts';

/**
 * One `npm start` for each data folder, and nothing left running by one that died.
 *
 * `start.lock` names the process that has the folder; the lock of a dead process is taken over. `pids.json` names the
 * processes that it started: whoever takes over stops those that still run before it starts its own.
 */
export interface InstanceLock {
  release(): Promise<void>;
}

/** Thrown when another live process has the data folder. */
export class AlreadyRunning extends Error {
  override name = 'AlreadyRunning';
}

/** A stopping PostgreSQL or worker may take this long before it is ended by force. */
const ORPHAN_DEADLINE_MS = 15_000;

/** Takes the data folder for this process; the lock appears whole, since it is linked into place. */
export async function takeInstanceLock(path: string): Promise<InstanceLock> {
  const own = remembered('npm start', process.pid);
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, JSON.stringify(own), { mode: 0o600 });
  try {
    while (!(await linked(draft, path))) {
      const holder = parse((await readIfThere(path)) ?? 'null');
      if (isRemembered(holder) && isRunning(holder)) {
        throw new AlreadyRunning(
          `npm start already runs here, as process ${holder.pid}. Use that one, stop it with Ctrl-C in its terminal ` +
            `(or \`kill ${holder.pid}\`), or give this one a data folder and ports of its own (DATA_DIR, …_PORT).`,
        );
      }
      await rm(path, { force: true });
    }
  } finally {
    await rm(draft, { force: true });
  }
  return {
    release: async () => {
      const holder = parse((await readIfThere(path)) ?? 'null');
      if (isRemembered(holder) && holder.pid === own.pid) await rm(path, { force: true });
    },
  };
}

export interface Orphans {
  readonly path: string;
  readonly say: (text: string) => void;
}

/** Stops, last started first, what an earlier start left running; returns how many there were. */
export async function stopOrphans({ path, say }: Orphans): Promise<number> {
  const known = parse((await readIfThere(path)) ?? '[]');
  const orphans = (Array.isArray(known) ? known : []).filter(isRemembered).filter(isRunning).reverse();
  for (const orphan of orphans) {
    say(`An earlier start left ${orphan.name} running (process ${orphan.pid}): stopping it.`);
    // SIGINT is PostgreSQL's fast shutdown; SIGTERM would wait for its clients.
    const signal = orphan.name === 'postgres' ? 'SIGINT' : 'SIGTERM';
    await stopRemembered({ process: orphan, signal, deadlineMs: ORPHAN_DEADLINE_MS });
  }
  await rm(path, { force: true });
  return orphans.length;
}

/** Keeps `pids.json` equal to what runs; writes follow one another, so that the last state wins. */
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

async function linked(draft: string, path: string): Promise<boolean> {
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
