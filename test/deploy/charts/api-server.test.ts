import { execFile } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import anyTest, { type ExecutionContext, type TestFn } from 'ava';
import { parse } from 'yaml';
import { z } from 'zod';
import { until } from '../../harness/until.ts';
import { type ApiServer, startApiServer } from './api-server.ts';
import { findChartTools } from './chart-tools.ts';
import { chart, examples, render, valuesFile } from './helm.ts';
import type { Answer, KubernetesObject } from './kubernetes-client.ts';

const test = anyTest as TestFn<ApiServer>;

test.before(async (t) => {
  t.timeout(600_000);
  t.context = await startApiServer();
  const { client, tools } = t.context;
  for (const file of readdirSync(tools.customResources)) {
    const definition: KubernetesObject = parse(readFileSync(join(tools.customResources, file), 'utf8'));
    if (used.some((name) => definition.metadata.name === name)) accepted(t, await client.apply(definition));
  }
  for (const name of used) {
    const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}`;
    const isServed = async () => JSON.stringify(await client.request({ method: 'GET', path })).includes(established);
    await until(isServed, { for: `the custom resource ${name}` });
  }
  accepted(t, await client.apply(priorityClass));
});

test.after.always((t) => t.context.stop());

const used = [
  'servicemonitors.monitoring.coreos.com',
  'prometheusrules.monitoring.coreos.com',
  'scaledobjects.keda.sh',
];
const established = '"type":"Established","status":"True"';

/** Named by the examples. */
const priorityClass = {
  apiVersion: 'scheduling.k8s.io/v1',
  kind: 'PriorityClass',
  metadata: { name: 'high' },
  value: 1000,
};

const ACCEPTED: readonly number[] = [200, 201];

/** A warning is a field that a later Kubernetes removes, or a pod that Pod Security would refuse. */
function accepted(t: ExecutionContext<ApiServer>, { status, warnings, body }: Answer, what = ''): void {
  t.true(ACCEPTED.includes(status), `${what}: ${status} ${JSON.stringify(body).slice(0, 800)}`);
  t.deepEqual(warnings, [], what);
}

async function restrictedNamespace(t: ExecutionContext<ApiServer>, name: string): Promise<void> {
  const labels = Object.fromEntries(
    ['enforce', 'warn'].map((mode) => [`pod-security.kubernetes.io/${mode}`, 'restricted']),
  );
  accepted(t, await t.context.client.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } }));
}

const workload = z.object({
  template: z.object({ metadata: z.object({ labels: z.record(z.string(), z.string()) }), spec: z.unknown() }),
});

/** The pods that the controllers of Deployments and Jobs would create. */
function podsOf(objects: readonly KubernetesObject[]): readonly KubernetesObject[] {
  return objects.flatMap(({ kind, metadata: { name = '', namespace = '' }, spec }): KubernetesObject[] => {
    if (kind !== 'Deployment' && kind !== 'Job') return [];
    const { template } = workload.parse(spec);
    const metadata = { generateName: `${name}-`, namespace, labels: template.metadata.labels };
    const added = kind === 'Deployment' ? { restartPolicy: 'Always' } : {};
    return [{ apiVersion: 'v1', kind: 'Pod', metadata, spec: Object.assign({}, template.spec, added) }];
  });
}

for (const example of examples) {
  test(`an API server accepts every object of the example ${example}`, async (t) => {
    const namespace = `objects-${example}`;
    await restrictedNamespace(t, namespace);
    const { objects, errors } = render({ example, sets: [], namespace });
    t.true(objects.length > 5, errors);
    for (const object of objects.toSorted(byKind)) {
      const what = `${object.kind} ${object.metadata.name}`;
      accepted(t, await t.context.client.apply(object), what);
      accepted(t, await t.context.client.apply(object), `${what} again`);
    }
    for (const pod of podsOf(objects)) {
      accepted(t, await t.context.client.create(pod, { dryRun: true }), `pod ${pod.metadata.generateName}`);
    }
  });
}

/** Pods need their service account. */
const byKind = (one: KubernetesObject): number => (one.kind === 'ServiceAccount' ? -1 : 1);

test('the API server refuses unknown fields and privileged pods', async (t) => {
  const namespace = 'refusals';
  await restrictedNamespace(t, namespace);
  const sets = ['securityContext={"allowPrivilegeEscalation":true}'];
  const { objects } = render({ example: 'required', sets, namespace });
  for (const object of objects.filter(({ kind }) => kind === 'ServiceAccount')) {
    accepted(t, await t.context.client.apply(object));
  }
  const [pod] = podsOf(objects);
  const refused = await t.context.client.create(pod!, { dryRun: true });
  t.is(refused.status, 403);
  t.regex(JSON.stringify(refused.body), /violates PodSecurity/);

  const { objects: all } = render({ example: 'everything', sets: [], namespace });
  for (const kind of ['NetworkPolicy', 'ScaledObject', 'ServiceMonitor']) {
    const object = all.find((one) => one.kind === kind)!;
    const { status, body } = await t.context.client.apply({
      ...object,
      spec: Object.assign({ unknwn: 1 }, object.spec),
    });
    t.true(status >= 400, kind);
    t.regex(JSON.stringify(body), /unknwn/, kind);
  }
});

test('every pod states what a quota of memory and CPU requests needs', async (t) => {
  const namespace = 'quotas';
  await restrictedNamespace(t, namespace);
  const hard = { 'requests.cpu': '20', 'requests.memory': '20Gi', 'limits.memory': '20Gi', pods: '50' };
  const quota = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'all', namespace }, spec: { hard } };
  accepted(t, await t.context.client.apply(quota));
  // In a cluster the quota's controller does this.
  const none = Object.fromEntries(Object.keys(hard).map((name) => [name, '0']));
  accepted(t, await t.context.client.setStatus(quota, { hard, used: none }));
  const { objects } = render({ example: 'required', sets: [], namespace });
  const accounts = objects.filter(({ kind }) => kind === 'ServiceAccount');
  for (const account of accounts) accepted(t, await t.context.client.apply(account));
  t.true(podsOf(objects).length >= 4);
  for (const pod of podsOf(objects)) accepted(t, await t.context.client.create(pod), pod.metadata.generateName);
  const path = `/api/v1/namespaces/${namespace}/resourcequotas/all`;
  const counted = quotaStatus.parse((await t.context.client.request({ method: 'GET', path })).body);
  t.is(counted.status.used['pods'], String(podsOf(objects).length));
});

const quotaStatus = z.object({ status: z.object({ used: z.record(z.string(), z.string()) }) });

test('helm installs, upgrades, tests and removes the release', async (t) => {
  const namespace = 'release';
  await restrictedNamespace(t, namespace);
  const run = async (...args: readonly string[]): Promise<string> => {
    const options = ['--namespace', namespace, '--kubeconfig', t.context.kubeconfig, '--timeout', '5m'];
    const { stdout } = await promisify(execFile)((await findChartTools()).helm, [...args, ...options]);
    return stdout;
  };
  const finishing = finishHooks(t, namespace);
  try {
    t.regex(await run('install', 'c', chart, '-f', valuesFile('required')), /STATUS: deployed/);
    t.regex(await run('upgrade', 'c', chart, '-f', valuesFile('everything')), /REVISION: 2/);
    t.regex(await run('upgrade', 'c', chart, '-f', valuesFile('everything')), /REVISION: 3/);
    t.regex(await run('test', 'c'), /Phase: +Succeeded/);
    t.regex(await run('rollback', 'c', '1'), /Rollback was a success/);
    await run('uninstall', 'c');
  } finally {
    await finishing.stop();
  }
  const left: Record<string, readonly string[]> = {};
  for (const kind of leftKinds) left[kind.kind] = await t.context.client.list(kind, namespace);
  t.true(isDeepStrictEqual(Object.values(left).flat(), []), JSON.stringify(left));
});

const leftKinds = [
  { apiVersion: 'apps/v1', kind: 'Deployment' },
  { apiVersion: 'batch/v1', kind: 'Job' },
  { apiVersion: 'v1', kind: 'Service' },
  { apiVersion: 'v1', kind: 'ServiceAccount' },
  { apiVersion: 'v1', kind: 'Secret' },
  { apiVersion: 'v1', kind: 'Pod' },
  { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy' },
  { apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler' },
  { apiVersion: 'keda.sh/v1alpha1', kind: 'ScaledObject' },
];

/** Replaces the controllers and nodes: says that each Job and each pod of a hook has succeeded. */
function finishHooks(t: ExecutionContext<ApiServer>, namespace: string) {
  const { client } = t.context;
  let isStopped = false;
  const hooks = [
    { apiVersion: 'batch/v1', kind: 'Job', status: jobStatus },
    { apiVersion: 'v1', kind: 'Pod', status: podStatus },
  ];
  const finish = async (): Promise<boolean> => {
    for (const { apiVersion, kind, status } of hooks) {
      for (const name of await client.list({ apiVersion, kind }, namespace)) {
        const metadata = { name, namespace };
        await client.setStatus({ apiVersion, kind, metadata }, status(new Date().toISOString()));
      }
    }
    return isStopped;
  };
  const finished = until(finish, { for: 'the end of the release', timeoutMs: 900_000 });
  return {
    async stop() {
      isStopped = true;
      await finished;
    },
  };
}

const jobStatus = (at: string) => ({
  startTime: at,
  completionTime: at,
  succeeded: 1,
  conditions: ['SuccessCriteriaMet', 'Complete'].map((type) => ({
    type,
    status: 'True',
    lastProbeTime: at,
    lastTransitionTime: at,
  })),
});

const podStatus = () => ({ phase: 'Succeeded' });
