import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { demoTenants } from '../../../dev/demo/demo.ts';
import { showMainJob } from '../../../dev/demo/show-main-job.ts';
import { findTemporal } from '../../../dev/temporal/temporal-binary.ts';
import { buildImage, type Image } from './image.ts';
import { Release, type RunningPod } from './release.ts';
import { exitWith, hasNeeded } from './run-by-hand.ts';
import { addresses, startSimulator, startStage } from './stage.ts';

/**
 * `npm run pods`: builds the image and runs the chart's pods as processes, as a kubelet would: from the image's read-only
 * files, with the chart's command, environment, user, probes and grace periods, each pod in a network of its own. Sends an
 * event through, then stops everything. Network policies and memory limits are not enforced.
 */
const usage = `Usage: npm run pods [-- --node-image <image>]
Needs Linux, root, and the programs below (Debian: buildah debootstrap iproute2 util-linux), and pip for helm.
  --node-image  base image to pull; without it, one is made with debootstrap and this checkout's Node`;

const needed = ['buildah', 'debootstrap', 'ip', 'nsenter', 'setpriv', 'unshare', 'chroot'];

function report(text: string): void {
  process.stdout.write(`[pods] ${text}\n`);
}

async function prepare(nodeImage: string | undefined): Promise<number> {
  if (!hasNeeded(needed, usage)) return 2;
  const signal = new AbortController().signal;
  await findTemporal({ onProgress: report, signal });
  const image = await buildImage(nodeImage, report);
  try {
    // Everything below ends with this child, and its network and mounts with it.
    const isolated = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
    const inside = [...process.execArgv, import.meta.filename, '--image', JSON.stringify(image)];
    const child = spawn('unshare', [...isolated, process.execPath, ...inside], { stdio: 'inherit' });
    const [code] = await once(child, 'exit');
    return code ?? 1;
  } finally {
    await image.remove();
  }
}

async function runPods(image: Image): Promise<void> {
  const stage = await startStage(report);
  try {
    const release = new Release({ stage, image, report });
    await release.addServices();
    await startSimulator(stage, `${addresses.api}/platform/webhooks`);
    await release.runToEnd('migration');
    await release.startDeployments();
    await release.runToEnd('test');
    for (const pod of release.running) await checkContainer(pod);
    await checkMetrics(release.pod('pump'));
    await sendEvent(release, stage.secret.PLATFORM_APP_SECRET ?? '');
    await release.stop();
    report('Passed.');
  } finally {
    await stage.stops.stopAll();
  }
}

/** Nothing but /tmp is writable, and nothing runs from there. */
async function checkContainer({ sandbox, container }: RunningPod): Promise<void> {
  const outcome = (script: string): Promise<boolean> =>
    container.exec(['sh', '-c', script]).then(
      () => true,
      () => false,
    );
  const found = {
    writesFiles: await outcome(': > /app/written || : > /written'),
    writesTmp: await outcome(': > /tmp/written'),
    runsFromTmp: await outcome('printf "#!/bin/sh\n" > /tmp/run && chmod +x /tmp/run && /tmp/run'),
    isUnprivileged:
      (await container.exec(['sh', '-c', 'id -u; grep -E "^(CapEff|CapBnd|NoNewPrivs)" /proc/self/status'])) !== '',
  };
  report(`${sandbox.pod.name}: ${JSON.stringify(found)}`);
  if (found.writesFiles || !found.writesTmp || found.runsFromTmp)
    throw new Error(`${sandbox.pod.name} is not confined.`);
}

/** The metric on which KEDA scales exists under the labels of the chart's query. */
async function checkMetrics({ sandbox }: RunningPod): Promise<void> {
  const response = await fetch(`http://${sandbox.address}:9465/metrics`);
  const line = /^channels_oldest_waiting_seconds\{.*\} \d/m;
  const found = (await response.text()).split('\n').filter((text) => line.test(text));
  const used = found.filter((text) => text.includes('status="pending"') && text.includes('circuit="closed"'));
  if (used.length === 0) throw new Error(`${sandbox.pod.name} lacks the metric that the autoscaler reads.`);
  report(`${sandbox.pod.name}: ${used[0]}`);
}

/** Saves a webhook, sends a message, and waits for its signed delivery and for one that is retried. */
async function sendEvent(release: Release, platformAppSecret: string): Promise<void> {
  const api = release.pod('api');
  const output = await api.container.exec(['node', 'admin/main.ts', 'seed-demo']);
  const tenants = demoTenants.parse(JSON.parse(output.trim().split('\n').at(-1) ?? ''));
  const unused = { temporalUiUrl: undefined, temporalAddress: addresses.temporal, databaseUrl: '', mailInboxUrl: '' };
  await showMainJob({
    addresses: {
      baseUrl: addresses.api,
      gatewayUrl: addresses.gateway,
      simulatorUrl: addresses.platform,
      receiverUrl: addresses.receiver,
      platformAppSecret,
      ...unused,
    },
    tenants,
    namespace: 'default',
    demoEnvPath: 'demo.env',
    say: report,
    signal: new AbortController().signal,
  });
}

const imageArgument = z.object({
  root: z.string(),
  entrypoint: z.array(z.string()),
  environment: z.array(z.string()),
  workingFolder: z.string(),
});

async function main(): Promise<number> {
  const options = { 'node-image': { type: 'string' }, image: { type: 'string' }, help: { type: 'boolean' } } as const;
  const { values } = parseArgs({ options });
  if (values.help) {
    report(usage);
    return 0;
  }
  if (values.image === undefined) return prepare(values['node-image']);
  const image = imageArgument.parse(JSON.parse(values.image));
  await runPods({ ...image, remove: async () => undefined });
  return 0;
}

await exitWith(main);
