import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '../../harness/until.ts';
import { rendered } from '../charts/helm.ts';
import type { Image } from './image.ts';
import type { Target } from './network.ts';
import { type RunningContainer, type Sandbox, startContainer, startSandbox } from './pod.ts';
import { type PlannedPod, plannedPods } from './pod-spec.ts';
import { type Probing, startProbes } from './probes.ts';
import { addresses, type Stage } from './stage.ts';

export interface RunningPod {
  readonly sandbox: Sandbox;
  readonly container: RunningContainer;
  readonly probing: Probing;
}

const START_TIMEOUT_MS = 300_000;

/** Two APIs, to balance; a Deployment for each role of a worker. */
const sets = [
  `settings.BASE_URL="${addresses.api}"`,
  `settings.GATEWAY_URL="${addresses.gateway}"`,
  `settings.PLATFORM_API_URL="${addresses.platform}"`,
  `settings.PLATFORM_OAUTH_URL="${addresses.platform}/dialog/oauth"`,
  'settings.EGRESS_ALLOW_CIDRS="10.77.0.0/16"',
  // Receivers without TLS.
  'settings.DEPLOYMENT="development"',
  `temporal.address="${addresses.temporal}"`,
  'pump.enabled=true',
  'worker.replicas=1',
  'pump.replicas=2',
  'gateway.replicas=1',
];

export class Release {
  readonly #stage: Stage;
  readonly #image: Image;
  readonly #report: (text: string) => void;
  readonly #planned: readonly PlannedPod[];
  readonly running: RunningPod[] = [];

  constructor({ stage, image, report }: { stage: Stage; image: Image; report: (text: string) => void }) {
    const { status, objects, errors } = rendered('required', ...sets);
    if (status !== 0) throw new Error(errors);
    this.#planned = plannedPods(objects);
    this.#stage = stage;
    this.#image = image;
    this.#report = report;
  }

  async addServices(): Promise<void> {
    for (const [component, port] of [
      ['api', 3000],
      ['gateway', 3001],
    ] as const) {
      await this.#stage.network.addService(`c-messaging-channels-${component}`, {
        80: () => this.#ready(component, port),
      });
    }
  }

  #ready(component: string, port: number): readonly Target[] {
    return this.running
      .filter(({ sandbox, probing }) => sandbox.pod.component === component && probing.isReady())
      .map(({ sandbox }) => ({ host: sandbox.address, port }));
  }

  #start(sandbox: Sandbox, spec: PlannedPod['spec']['containers'][number]): RunningContainer {
    const hostsFile = join(this.#stage.folder, `${sandbox.pod.name}.hosts`);
    writeFileSync(hostsFile, `${this.#stage.network.hosts()}${sandbox.address} ${sandbox.pod.name}\n`);
    const onLine = (text: string) => process.stdout.write(text.replaceAll(/^(?=.)/gm, `${sandbox.pod.name}: `));
    return startContainer({ sandbox, spec, image: this.#image, secret: this.#stage.secret, hostsFile, onLine });
  }

  /** A Job or the pod of `helm test`: every container must exit with 0. */
  async runToEnd(component: string): Promise<void> {
    for (const pod of this.#planned.filter((one) => one.component === component)) {
      const sandbox = await startSandbox(pod);
      const run = async (spec: PlannedPod['spec']['containers'][number]): Promise<void> => {
        const code = await this.#start(sandbox, spec).exited;
        if (code !== 0) throw new Error(`Container ${spec.name} of ${pod.name} ended with ${code}.`);
        this.#report(`${pod.name}: container ${spec.name} ended with 0.`);
      };
      for (const spec of pod.spec.initContainers) await run(spec);
      await Promise.all(pod.spec.containers.map(run));
      await sandbox.stop();
    }
  }

  async startDeployments(): Promise<void> {
    for (const pod of this.#planned.filter(({ kind }) => kind === 'Deployment')) {
      const sandbox = await startSandbox(pod);
      const [spec] = pod.spec.containers;
      const container = this.#start(sandbox, spec!);
      const probing = startProbes({ spec: spec!, address: sandbox.address });
      this.running.push({ sandbox, container, probing });
    }
    for (const { sandbox, probing } of this.running) {
      await until(() => probing.isReady(), { for: `readiness of ${sandbox.pod.name}`, timeoutMs: START_TIMEOUT_MS });
      this.#report(`${sandbox.pod.name}: ready.`);
    }
  }

  pod(component: string): RunningPod {
    const found = this.running.find(({ sandbox }) => sandbox.pod.component === component);
    if (!found) throw new Error(`No pod of ${component} runs.`);
    return found;
  }

  async stop(): Promise<void> {
    const problems: string[] = [];
    const stopped = this.running.map(async ({ sandbox, container, probing }) => {
      const peak = await peakMemory(await container.pid());
      await probing.stop();
      const { code, seconds } = await container.stop();
      const { name, spec } = sandbox.pod;
      const [{ resources }] = spec.containers as [RunningContainer['spec']];
      this.#report(
        `${name}: exit code ${code} after ${seconds} s of ${spec.terminationGracePeriodSeconds} s; at most ` +
          `${probing.worstLiveness()} failed liveness probes in a row; peak memory ${peak}, limit ${resources.limits.memory}.`,
      );
      if (code !== 0 || probing.worstLiveness() > 0) problems.push(name);
      await sandbox.stop();
    });
    await Promise.all(stopped);
    if (problems.length > 0) throw new Error(`These pods failed: ${problems.join(', ')}.`);
  }
}

async function peakMemory(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8');
  return `${Math.round(Number(/^VmHWM:\s+(\d+)/m.exec(text)?.[1]) / 1024)}Mi`;
}
