import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { goEnvironment, runGo } from '../processes/run-go.ts';
import { userCache } from '../temporal/user-cache.ts';

/**
 * The API server of Kubernetes with its database, etcd, which check the Helm chart. None of them is in a package registry
 * as a binary, so Go builds them from the modules that go.mod and go.sum pin, once per user.
 */
export interface KubernetesTools {
  readonly kubeApiServer: string;
  readonly etcd: string;
  /** Folder with the definitions of the custom resources that the chart uses. */
  readonly customResources: string;
}

interface FindKubernetesTools {
  readonly onProgress: (text: string) => void;
  readonly signal: AbortSignal;
}

const MODULE = import.meta.dirname;
const PROGRESS_EVERY_MS = 15_000;

const packages = [
  'k8s.io/kubernetes/cmd/kube-apiserver',
  'go.etcd.io/etcd/server/v3',
  'sigs.k8s.io/controller-tools/cmd/controller-gen',
] as const;

export async function findKubernetesTools({ onProgress, signal }: FindKubernetesTools): Promise<KubernetesTools> {
  const folder = userCache(`kubernetes-tools-${await pinnedDigest()}`);
  if (!(await exists(folder))) await build({ folder, onProgress, signal });
  return {
    kubeApiServer: join(folder, 'kube-apiserver'),
    // Go names a program after the folder of its package.
    etcd: join(folder, 'server'),
    customResources: join(folder, 'custom-resources'),
  };
}

/** Of the files that decide what is built. */
async function pinnedDigest(): Promise<string> {
  const hash = createHash('sha256');
  for (const name of ['go.mod', 'go.sum', 'custom-resources.go']) hash.update(await readFile(join(MODULE, name)));
  return hash.digest('hex').slice(0, 16);
}

async function build({ folder, onProgress, signal }: FindKubernetesTools & { folder: string }): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  const draft = await mkdtemp(join(dirname(folder), 'build-'));
  const startedAtMs = performance.now();
  const seconds = () => Math.round((performance.now() - startedAtMs) / 1000);
  onProgress('Kubernetes tools: building with Go. This happens once and takes about 8 minutes on 2 cores.');
  const progress = setInterval(
    () => onProgress(`Kubernetes tools: still building, ${seconds()} s.`),
    PROGRESS_EVERY_MS,
  );
  try {
    const linked = ['-ldflags', `-s -w ${await versionFlag(signal)}`];
    await runGo({ args: ['build', '-C', MODULE, ...linked, '-o', `${draft}/`, ...packages], signal });
    await generateCustomResources({ folder: draft, signal });
    await rename(draft, folder).catch(async (error: unknown) => {
      if (!(await exists(folder))) throw error;
    });
    onProgress(`Kubernetes tools: built in ${seconds()} s.`);
  } finally {
    clearInterval(progress);
    await rm(draft, { recursive: true, force: true });
  }
}

/** Without it the server calls itself v0.0.0, and helm refuses it as too old. */
async function versionFlag(signal: AbortSignal): Promise<string> {
  const args = ['list', '-C', MODULE, '-m', '-f', '{{.Version}}', 'k8s.io/kubernetes'];
  const version = (await runGo({ args, signal })).trim();
  return `-X k8s.io/component-base/version.gitVersion=${version}`;
}

async function generateCustomResources({ folder, signal }: { folder: string; signal: AbortSignal }): Promise<void> {
  const source = await readFile(join(MODULE, 'custom-resources.go'), 'utf8');
  const imported = [...source.matchAll(/^\t_ "(.+)"$/gm)].map(([, path = '']) => path);
  const args = [
    'crd:allowDangerousTypes=true,generateEmbeddedObjectMeta=true',
    ...imported.map((path) => `paths=${path}`),
    `output:crd:dir=${join(folder, 'custom-resources')}`,
  ];
  const options = { cwd: MODULE, env: { ...process.env, ...goEnvironment }, signal };
  await promisify(execFile)(join(folder, 'controller-gen'), args, options);
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
