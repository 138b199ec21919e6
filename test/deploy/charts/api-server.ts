import { spawn, type ChildProcess } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type KubernetesTools, findKubernetesTools } from '../../../dev/kubernetes/kubernetes-tools.ts';
import { freePort } from '../../../dev/processes/ports.ts';
import { until } from '../../harness/until.ts';
import { type KubernetesClient, kubernetesClient } from './kubernetes-client.ts';

export interface ApiServer {
  readonly tools: KubernetesTools;
  readonly client: KubernetesClient;
  /** Path of the configuration with which helm reaches the server. */
  readonly kubeconfig: string;
  readonly stop: () => Promise<void>;
}

const TOKEN = 'administrator';
const START_TIMEOUT_MS = 300_000;

/**
 * Starts a real API server without controllers and nodes: it checks and stores objects, and runs nothing. Its admission
 * includes Pod Security, quotas and service accounts.
 */
export async function startApiServer(): Promise<ApiServer> {
  const tools = await findKubernetesTools({ onProgress: () => undefined, signal: new AbortController().signal });
  const folder = await mkdtemp(join(tmpdir(), 'kubernetes-'));
  const children: ChildProcess[] = [];
  const stop = async (): Promise<void> => {
    for (const child of children.toReversed()) await end(child);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const start = (binary: string, args: readonly string[]): ChildProcess => {
      const child = spawn(binary, args, { stdio: ['ignore', 'ignore', 'pipe'] });
      children.push(child);
      return child;
    };
    const etcdUrl = await startEtcd({ folder, binary: tools.etcd, start });
    const url = await startServer({ folder, binary: tools.kubeApiServer, etcdUrl, start });
    const certificate = await readFile(join(folder, 'apiserver.crt'), 'utf8');
    const client = kubernetesClient({ url, certificate, token: TOKEN });
    const kubeconfig = join(folder, 'kubeconfig.yaml');
    await writeFile(kubeconfig, kubeconfigText({ url, certificate }));
    return { tools, client, kubeconfig, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

type Start = (binary: string, args: readonly string[]) => ChildProcess;

interface Starting {
  readonly folder: string;
  readonly binary: string;
  readonly start: Start;
}

async function startEtcd({ folder, binary, start }: Starting): Promise<string> {
  const url = `http://127.0.0.1:${await freePort()}`;
  const peerUrl = `http://127.0.0.1:${await freePort()}`;
  const child = start(binary, [
    `--data-dir=${join(folder, 'etcd')}`,
    `--listen-client-urls=${url}`,
    `--advertise-client-urls=${url}`,
    `--listen-peer-urls=${peerUrl}`,
    `--initial-advertise-peer-urls=${peerUrl}`,
    `--initial-cluster=default=${peerUrl}`,
    '--unsafe-no-fsync',
  ]);
  await answers({ name: 'etcd', child, url: `${url}/health` });
  return url;
}

async function startServer({ folder, binary, etcdUrl, start }: Starting & { etcdUrl: string }): Promise<string> {
  const port = await freePort();
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = join(folder, 'service-accounts.pem');
  await writeFile(key, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  const tokens = join(folder, 'tokens.csv');
  await writeFile(tokens, `${TOKEN},administrator,administrator,system:masters\n`, { mode: 0o600 });
  const child = start(binary, [
    `--etcd-servers=${etcdUrl}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    `--secure-port=${port}`,
    `--cert-dir=${folder}`,
    '--service-cluster-ip-range=10.0.0.0/24',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-signing-key-file=${key}`,
    `--service-account-key-file=${key}`,
    `--token-auth-file=${tokens}`,
    '--authorization-mode=RBAC',
    // Its configuration is read by controllers, which don't run.
    '--endpoint-reconciler-type=none',
  ]);
  const url = `https://127.0.0.1:${port}`;
  await answers({
    name: 'kube-apiserver',
    child,
    url: `${url}/readyz`,
    token: TOKEN,
    certificateFile: join(folder, 'apiserver.crt'),
  });
  return url;
}

interface Answering {
  readonly name: string;
  readonly child: ChildProcess;
  readonly url: string;
  readonly token?: string;
  readonly certificateFile?: string;
}

/** Fails at once if the process ends, with its last lines. */
async function answers({ name, child, url, token = '', certificateFile }: Answering): Promise<void> {
  let errors = '';
  child.stderr?.on('data', (chunk) => (errors = (errors + chunk).slice(-4000)));
  let ended = '';
  child.once('error', (error) => (ended = error.message));
  child.once('exit', (code) => (ended ||= `exit code ${code}`));
  const isReady = async (): Promise<boolean> => {
    if (ended) throw new Error(`${name} ended with ${ended}:\n${errors}`);
    try {
      const certificate = certificateFile ? await readFile(certificateFile, 'utf8') : '';
      const client = kubernetesClient({ url: new URL(url).origin, certificate, token });
      return (await client.request({ method: 'GET', path: new URL(url).pathname })).status === 200;
    } catch {
      return false;
    }
  };
  await until(isReady, { for: `an answer of ${name}`, timeoutMs: START_TIMEOUT_MS, detail: () => errors });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

function kubeconfigText({ url, certificate }: { url: string; certificate: string }): string {
  const authority = Buffer.from(certificate).toString('base64');
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'test', cluster: { server: url, 'certificate-authority-data': authority } }],
    users: [{ name: 'test', user: { token: TOKEN } }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
    'current-context': 'test',
  });
}
