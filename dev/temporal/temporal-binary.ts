import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildTemporal } from './temporal-build.ts';
import { downloadTemporal } from './temporal-download.ts';
import { TEMPORAL_VERSION, temporalArchive } from './temporal-release.ts';
import { userCache } from './user-cache.ts';

const execFileResult = promisify(execFile);

export interface FindTemporal {
  readonly onProgress: (text: string) => void;
  /** Ends a download or build that is under way. */
  readonly signal?: AbortSignal;
  /** The setting that points at another server, for the message. */
  readonly addressSetting?: string;
}

const VERSION_TIMEOUT_MS = 10_000;

/**
 * The Temporal CLI, whose `server start-dev` is the development server: from PATH, from the cache, by download, or
 * built by Go. What is downloaded or built is checked
 * against a digest in the tree before it is kept; one on PATH is the user's own choice. Throws an error that names the ways out where none works.
 */
export async function findTemporal(request: FindTemporal): Promise<string> {
  const { onProgress, signal = new AbortController().signal, addressSetting = 'TEMPORAL_ADDRESS' } = request;
  const downloaded = join(userCache(`temporal-cli-${TEMPORAL_VERSION}-archive`), 'temporal');
  const built = join(userCache(`temporal-cli-${TEMPORAL_VERSION}`), 'temporal');
  const archive = temporalArchive(process.platform, process.arch);
  for (const candidate of ['temporal', downloaded, built]) {
    if (await isTemporalCli(candidate)) return candidate;
  }
  const failures: string[] = [];
  for (const [way, make] of [
    ['download', () => downloadTemporal({ archive, target: downloaded, onProgress, signal })],
    ['build with Go', () => buildTemporal({ version: TEMPORAL_VERSION, target: built, onProgress, signal })],
  ] as const) {
    try {
      const path = await make();
      if (await isTemporalCli(path)) return path;
      failures.push(`${way}: ${path} does not answer as the Temporal CLI`);
    } catch (error) {
      signal.throwIfAborted();
      const reason = error instanceof Error ? error.message : String(error);
      onProgress(`Temporal: ${way} did not work (${reason.split('\n')[0]}).`);
      failures.push(`${way}: ${reason}`);
    }
  }
  throw new Error(missingMessage({ failures, addressSetting }));
}

/** Whether this command is the official CLI; other programs called `temporal` exist. */
async function isTemporalCli(command: string): Promise<boolean> {
  try {
    const { stdout } = await execFileResult(command, ['--version'], { timeout: VERSION_TIMEOUT_MS });
    return /^temporal version \S+ \(Server \d/.test(stdout);
  } catch {
    return false;
  }
}

function missingMessage({ failures, addressSetting }: { failures: readonly string[]; addressSetting: string }): string {
  return [
    'No Temporal server could be found or made. There are three ways out:',
    '  1. Install the Temporal CLI (https://docs.temporal.io/cli), so that `temporal --version` answers.',
    '  2. Install Go (https://go.dev/dl), so that it can be built here: once, about 3 minutes.',
    `  3. Point ${addressSetting} (host:port) at a Temporal server of your own.`,
    'What was tried:',
    ...failures.map((failure) => `  ${failure.replaceAll('\n', '\n    ')}`),
  ].join('\n');
}
