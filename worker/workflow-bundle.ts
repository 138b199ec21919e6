import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleWorkflowCode } from '@temporalio/worker';

const root = join(import.meta.dirname, '..');
const sourceFolders = ['workflows', 'contract'];
/** What activities run, too. */
const workerFolders = [
  ...sourceFolders,
  ...['activities', 'db', 'egress', 'platform', 'process', 'worker', 'workflow-starts'],
];
/** Enough for every build of an installation to differ, and short enough to read. */
const BUILD_ID_LENGTH = 16;

/** In an image, no folder is both writable and executable for the bundler. */
const imageFolder = join(root, 'worker/bundle');
const ownFolder = join(tmpdir(), `messaging-channels-bundles-${process.getuid?.() ?? 'user'}`);

export interface BundleOptions {
  /** Optional. True for a versioned worker: the workflows declare their versioning behavior. Default: false. */
  readonly isVersioned?: boolean;
  readonly ready?: string;
  readonly kept?: string;
}

/**
 * Returns the image's bundle, or a cached one. A worker that restarts after a crash must not spend seconds on bundling.
 */
export async function workflowBundle({
  isVersioned = false,
  ready = imageFolder,
  kept = ownFolder,
}: BundleOptions = {}): Promise<{ code: string }> {
  const name = `${digestOf(sourceFolders)}${isVersioned ? '-versioned' : ''}.js`;
  const path = join(kept, name);
  if (existsSync(join(ready, name))) return { code: readFileSync(join(ready, name), 'utf8') };
  mkdirSync(kept, { recursive: true, mode: 0o700 });
  const isKept = isOwn(kept);
  if (isKept && existsSync(path)) return { code: readFileSync(path, 'utf8') };

  const code = await bundle(isVersioned ? 'versioned.ts' : 'index.ts');
  if (!isKept) return { code };
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, code, { mode: 0o600 });
  renameSync(unfinished, path); // concurrent workers write the same content
  return { code };
}

/** Another user of the machine may have made the folder, to have a worker run its code. */
function isOwn(folder: string): boolean {
  const found = lstatSync(folder);
  return found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0;
}

/**
 * Returns the default build id of a worker: the digest of the code of its workflows and activities, so that a pinned run
 * has both of one build.
 */
export function workerBuildId(): string {
  return digestOf(workerFolders).slice(0, BUILD_ID_LENGTH);
}

function digestOf(folders: readonly string[]): string {
  const digest = createHash('sha256').update(sdkVersion());
  for (const folder of folders) {
    const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.ts'),
    );
    for (const name of names.sort())
      digest.update(`\n${folder}/${name}\n`).update(readFileSync(join(root, folder, name)));
  }
  return digest.digest('hex');
}

function sdkVersion(): string {
  return createRequire(import.meta.url)('@temporalio/worker/package.json').version;
}

/** Hides progress but shows errors, which say more than the thrown one. */
async function bundle(entry: string): Promise<string> {
  const errors: string[] = [];
  const noop = (): void => undefined;
  const error = (message: string): void => void errors.push(message);
  const logger = { log: noop, trace: noop, debug: noop, info: noop, warn: noop, error };
  try {
    const workflowsPath = join(root, 'workflows', entry);
    const modules = ['workflows/traces/carry-trace.ts', 'workflows/retries/keep-trying.ts'];
    const workflowInterceptorModules = modules.map((path) => join(root, path));
    return (await bundleWorkflowCode({ workflowsPath, workflowInterceptorModules, logger })).code;
  } catch (cause) {
    throw new Error(['The workflows could not be bundled', ...errors].join('\n'), { cause });
  }
}
