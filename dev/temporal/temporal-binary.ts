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
  readonly signal?: AbortSignal;
  readonly addressSetting?: string;
}

const VERSION_TIMEOUT_MS = 10_000;

/**
 * Looks on PATH and in the cache, then downloads or builds with Go. Downloads and builds are checked against digests; a
 * program on PATH is not.
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
      failures.push(`${way}: ${path} is not the Temporal CLI`);
    } catch (error) {
      signal.throwIfAborted();
      const reason = error instanceof Error ? error.message : String(error);
      onProgress(`Temporal: ${way} failed (${reason.split('\n')[0]}).`);
      failures.push(`${way}: ${reason}`);
    }
  }
  throw new Error(missingMessage({ failures, addressSetting }));
}

/** Other programs are called `temporal`, too. */
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
    'No Temporal server is available. Do one of the following:',
    '  1. Install the Temporal CLI (https://docs.temporal.io/cli) and check `temporal --version`.',
    '  2. Install Go (https://go.dev/dl). The CLI is then built once, which takes 2 to 7 minutes.',
    `  3. Set ${addressSetting} (host:port) to use your own Temporal server.`,
    'Failed attempts:',
    ...failures.map((failure) => `  ${failure.replaceAll('\n', '\n    ')}`),
  ].join('\n');
}
