import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

export interface DownloadTemporal {
  readonly sdkVersion: string;
  /** Where the binary is to be; it appears there whole or not at all. */
  readonly target: string;
  readonly onProgress: (text: string) => void;
  readonly signal: AbortSignal;
}

const REACH_TIMEOUT_MS = 10_000;
/** The archive is about 40 MB. */
const DOWNLOAD_TIMEOUT_MS = 300_000;

/** Downloads the official CLI as the SDK's test server does: the same address gives the same default version. */
export async function downloadTemporal({ sdkVersion, target, onProgress, signal }: DownloadTemporal): Promise<string> {
  onProgress('Temporal: looking for the official command line tool to download.');
  const { archiveUrl, fileToExtract } = await findDownload({ sdkVersion, signal });
  onProgress('Temporal: downloading the official command line tool.');
  await mkdir(dirname(target), { recursive: true });
  const draft = await mkdtemp(join(dirname(target), 'download-'));
  try {
    await extract({ archiveUrl, folder: draft, signal });
    await chmod(join(draft, fileToExtract), 0o755);
    await rename(join(draft, fileToExtract), target);
    return target;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function findDownload({ sdkVersion, signal }: Pick<DownloadTemporal, 'sdkVersion' | 'signal'>) {
  const url = new URL('https://temporal.download/cli/default');
  url.search = new URLSearchParams({
    arch: process.arch === 'x64' ? 'amd64' : process.arch,
    platform: process.platform,
    format: 'tar.gz',
    'sdk-name': 'sdk-typescript',
    'sdk-version': sdkVersion,
  }).toString();
  const response = await get({ url, timeoutMs: REACH_TIMEOUT_MS, signal });
  const { archiveUrl, fileToExtract } = Object(await response.json());
  if (typeof archiveUrl !== 'string' || typeof fileToExtract !== 'string') {
    throw new Error(`${url.host} answered something else than where to download`);
  }
  return { archiveUrl, fileToExtract };
}

async function extract({
  archiveUrl,
  folder,
  signal,
}: {
  archiveUrl: string;
  folder: string;
  signal: AbortSignal;
}): Promise<void> {
  const response = await get({ url: new URL(archiveUrl), timeoutMs: DOWNLOAD_TIMEOUT_MS, signal });
  if (!response.body) throw new Error(`${archiveUrl} answered without a body`);
  const tar = spawn('tar', ['-xz', '-C', folder], { stdio: ['pipe', 'ignore', 'inherit'] });
  const ended = once(tar, 'close');
  await pipeline(Readable.fromWeb(response.body), tar.stdin);
  const [code] = await ended;
  if (code !== 0) throw new Error(`tar ended with exit code ${code}`);
}

async function get({
  url,
  timeoutMs,
  signal,
}: {
  url: URL;
  timeoutMs: number;
  signal: AbortSignal;
}): Promise<Response> {
  try {
    const response = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]) });
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    return response;
  } catch (cause) {
    const reason = cause instanceof Error ? (cause.cause instanceof Error ? cause.cause.message : cause.message) : '';
    throw new Error(`${url.host} could not be reached: ${reason}`, { cause });
  }
}
