import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { TemporalArchive } from './temporal-release.ts';

const execFileResult = promisify(execFile);

export interface DownloadTemporal {
  readonly archive: TemporalArchive | undefined;
  readonly target: string;
  readonly onProgress: (text: string) => void;
  readonly signal: AbortSignal;
}

/** The archive is about 40 MB. */
const DOWNLOAD_TIMEOUT_MS = 300_000;
const BINARY = 'temporal';

export async function downloadTemporal({ archive, target, onProgress, signal }: DownloadTemporal): Promise<string> {
  if (!archive) throw new Error(`no archive exists for ${process.platform} on ${process.arch}`);
  onProgress('Temporal: downloading the official command line tool.');
  const bytes = await fetchArchive(archive.url, signal);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  if (sha256 !== archive.sha256) {
    throw new Error(`${archive.url} has the SHA-256 ${sha256} instead of ${archive.sha256}; it was deleted`);
  }
  await mkdir(dirname(target), { recursive: true });
  const draft = await mkdtemp(join(dirname(target), 'download-'));
  try {
    await writeFile(join(draft, 'archive.tar.gz'), bytes);
    await execFileResult('tar', ['-xzf', 'archive.tar.gz', BINARY], { cwd: draft, signal });
    await chmod(join(draft, BINARY), 0o755);
    await rename(join(draft, BINARY), target);
    return target;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function fetchArchive(url: string, signal: AbortSignal): Promise<Buffer> {
  try {
    const response = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS)]) });
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    return Buffer.from(await response.arrayBuffer());
  } catch (cause) {
    const reason = cause instanceof Error ? (cause.cause instanceof Error ? cause.cause.message : cause.message) : '';
    throw new Error(`${new URL(url).host} could not be reached: ${reason}`, { cause });
  }
}
