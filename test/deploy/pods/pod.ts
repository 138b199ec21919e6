import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../harness/until.ts';
import type { Image } from './image.ts';
import type { ContainerSpec, PlannedPod } from './pod-spec.ts';
import { runCommand } from './run-command.ts';

/** A pod's sandbox: the network, host name and IPC that its containers share. */
export interface Sandbox {
  readonly pod: PlannedPod;
  readonly address: string;
  readonly pid: number;
  readonly stop: () => Promise<void>;
}

export interface RunningContainer {
  readonly spec: ContainerSpec;
  readonly exited: Promise<number>;
  /** The process that is PID 1 inside. */
  readonly pid: () => Promise<number>;
  readonly exec: (command: readonly string[]) => Promise<string>;
  /** As a kubelet: preStop, SIGTERM, and SIGKILL after the grace period. */
  readonly stop: () => Promise<{ readonly code: number; readonly seconds: number }>;
}

const BRIDGE = 'pods';
let count = 0;

export async function startSandbox(pod: PlannedPod): Promise<Sandbox> {
  count += 1;
  const address = `10.77.2.${count}`;
  const link = `pod${count}`;
  const child = spawn('unshare', ['--net', '--uts', '--ipc', 'sleep', 'infinity'], { stdio: 'ignore' });
  const pid = child.pid!;
  const own = await networkOf(process.pid);
  await until(async () => (await networkOf(pid)) !== own, { for: `the network of ${pod.name}` });
  await runCommand('ip', ['link', 'add', link, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', String(pid)]);
  await runCommand('ip', ['link', 'set', link, 'master', BRIDGE, 'up']);
  const inside = `ip link set lo up && ip address add ${address}/16 dev eth0 && ip link set eth0 up && hostname ${pod.name}`;
  await runCommand('nsenter', ['-t', String(pid), '--net', '--uts', 'sh', '-c', inside]);
  return { pod, address, pid, stop: () => kill(child) };
}

async function networkOf(pid: number): Promise<string> {
  return (await runCommand('readlink', [`/proc/${pid}/ns/net`])).trim();
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

export interface StartContainer {
  readonly sandbox: Sandbox;
  readonly spec: ContainerSpec;
  readonly image: Image;
  readonly secret: Readonly<Record<string, string>>;
  readonly hostsFile: string;
  readonly onLine: (line: string) => void;
}

/** With the chart's command, environment, user and mounts, on the image's read-only files. */
export function startContainer(request: StartContainer): RunningContainer {
  const { sandbox, spec, image, hostsFile, onLine } = request;
  const { volumes, terminationGracePeriodSeconds } = sandbox.pod.spec;
  const ends = ['--', 'unshare', '--mount', '--pid', '--fork', '--kill-child', 'sh'];
  const joined = ['-t', String(sandbox.pid), '--net', '--uts', '--ipc', ...ends];
  const started = [...image.entrypoint, ...spec.args];
  const child = spawn('nsenter', [...joined, join(import.meta.dirname, 'container.sh'), ...asUser(request, started)], {
    env: {
      PATH: process.env['PATH'],
      ROOT: image.root,
      READ_ONLY: String(spec.securityContext.readOnlyRootFilesystem),
      TMP_SIZE: volumes[0]!.emptyDir.sizeLimit.replace('Mi', 'm'),
      HOSTS_FILE: hostsFile,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => onLine(String(chunk)));
  const exited = once(child, 'exit').then(([code, signal]) => (signal ? 128 : Number(code)));
  const pid = () => until(() => firstChild(child.pid!), { for: `PID 1 of ${spec.name}` });
  const exec = async (command: readonly string[]): Promise<string> => {
    const target = ['-t', String(await pid()), '--mount', '--pid', '--net', '--uts', '--ipc', '--root', '--wd'];
    return runCommand('nsenter', [...target, '--', 'setpriv', ...asUser(request, command)]);
  };
  return {
    spec,
    exited,
    pid,
    exec,
    async stop() {
      const startedAtMs = performance.now();
      const inside = await pid();
      const killer = new AbortController();
      const late = sleep(terminationGracePeriodSeconds * 1000, undefined, { signal: killer.signal }).then(
        () => process.kill(inside, 'SIGKILL'),
        () => false,
      );
      if (spec.lifecycle) await exec(spec.lifecycle.preStop.exec.command);
      process.kill(inside, 'SIGTERM');
      const code = await exited;
      killer.abort();
      await late;
      return { code, seconds: Math.round((performance.now() - startedAtMs) / 100) / 10 };
    },
  };
}

/** Arguments of setpriv: the pod's user without any capability, and only the environment that the pod defines. */
function asUser({ sandbox, spec, image, secret }: StartContainer, command: readonly string[]): readonly string[] {
  const { runAsUser, runAsGroup, fsGroup } = sandbox.pod.spec.securityContext;
  const user = [`--reuid=${runAsUser}`, `--regid=${runAsGroup}`, `--groups=${fsGroup}`];
  const rights = ['--no-new-privs', '--bounding-set=-all', '--inh-caps=-all'];
  const fromSecret = spec.envFrom.length > 0 ? Object.entries(secret).map(([name, value]) => `${name}=${value}`) : [];
  const own = spec.env.map(({ name, value }) => `${name}=${value}`);
  const environment = [...image.environment, `HOSTNAME=${sandbox.pod.name}`, ...fromSecret, ...own];
  return [...user, ...rights, 'env', '-i', '-C', image.workingFolder, ...environment, ...command];
}

async function firstChild(pid: number): Promise<number | undefined> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return Number(text.trim().split(' ')[0]) || undefined;
}
