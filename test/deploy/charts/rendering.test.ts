import test, { type ExecutionContext } from 'ava';
import { z } from 'zod';
import { commands } from '../../../admin/commands.ts';
import { imageEnvironment, namesReadBy, readText, secretNames, settingNames } from '../manifests.ts';
import { ofKind, type Rendered, rendered } from './helm.ts';
import { fieldsOf } from '../../harness/fields-of.ts';
import type { KubernetesObject } from './kubernetes-client.ts';

const digest = `sha256:${'0'.repeat(64)}`;

const container = z.object({
  name: z.string(),
  image: z.string(),
  args: z.array(z.string()).default([]),
  ports: z.array(z.object({ name: z.string(), containerPort: z.number() })).default([]),
  /** No container gets the whole Secret. */
  envFrom: z.undefined().optional(),
  env: z
    .array(
      z.object({
        name: z.string(),
        value: z.string().optional(),
        valueFrom: z
          .object({
            secretKeyRef: z.object({ key: z.string(), optional: z.boolean() }).optional(),
            fieldRef: z.object({ fieldPath: z.string() }).optional(),
          })
          .optional(),
      }),
    )
    .default([]),
});

const podTemplate = z.object({
  serviceAccountName: z.string(),
  automountServiceAccountToken: z.boolean(),
  initContainers: z.array(container).default([]),
  containers: z.array(container),
});

const withTemplate = z.object({
  replicas: z.number().optional(),
  template: z.object({ metadata: z.object({ labels: z.record(z.string(), z.string()) }), spec: podTemplate }),
});

const peer = z.object({ podSelector: z.object({ matchLabels: z.record(z.string(), z.string()) }).optional() });
const egressRule = z.object({
  ports: z.array(z.object({ port: z.union([z.string(), z.number()]) })).default([]),
  to: z.array(peer).default([]),
});
const policySpec = z.object({
  podSelector: z.object({ matchLabels: z.record(z.string(), z.string()) }),
  policyTypes: z.array(z.string()),
  ingress: z.array(z.object({ from: z.array(peer).optional() })),
  egress: z.array(z.unknown()),
});

/** Each pod that the chart can start, with its labels. */
function pods(objects: readonly KubernetesObject[]) {
  return objects.flatMap((object) => {
    if (object.kind === 'Pod') return [{ labels: object.metadata.labels ?? {}, spec: podTemplate.parse(object.spec) }];
    if (object.kind !== 'Deployment' && object.kind !== 'Job') return [];
    const { template } = withTemplate.parse(object.spec);
    return [{ labels: template.metadata.labels, spec: template.spec }];
  });
}

const containersOf = (objects: readonly KubernetesObject[]) =>
  pods(objects).flatMap(({ spec }) => [...spec.initContainers, ...spec.containers]);

function trusts(objects: readonly KubernetesObject[]): Record<string, string> {
  const found = [...ofKind(objects, 'Deployment')].flatMap(([name, { spec }]) => {
    const [{ env = [] } = {}] = withTemplate.parse(spec).template.spec.containers;
    const given = env.find((one) => one.name === 'TRUST_PROXY');
    return given ? [[name, given.value ?? ''] as const] : [];
  });
  return Object.fromEntries(found);
}

const policies = (example: string, ...sets: readonly string[]) =>
  new Map(
    [...ofKind(rendered(example, ...sets).objects, 'NetworkPolicy')].map(([name, { spec }]) => [
      name,
      policySpec.parse(spec),
    ]),
  );

const componentOf = ({ podSelector }: z.output<typeof peer>): string | undefined =>
  podSelector?.matchLabels['app.kubernetes.io/component'];

const processOf = (component: string): string => (/^(?:pump|previous)$/.test(component) ? 'worker' : component);

test('every process is probed and runs unprivileged without write access', (t) => {
  const [, user] = /^USER (\d+):/m.exec(readText('deploy/Dockerfile')) ?? [];
  for (const [name, { spec }] of ofKind(rendered('everything').objects, 'Deployment')) {
    const served = processOf(name);
    const port = served === 'worker' ? 'metrics' : 'http';
    const probe = (path: string) => ({ httpGet: { path, port } });
    const found = {
      args: [served],
      startupProbe: probe('/healthz'),
      livenessProbe: probe('/healthz'),
      readinessProbe: probe('/readyz'),
      securityContext: {
        readOnlyRootFilesystem: true,
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
      },
    };
    const securityContext = { runAsNonRoot: true, runAsUser: Number(user) };
    t.like(spec, { template: { spec: { securityContext, containers: [found] } } }, name);
    const metrics = Number(imageEnvironment()[`${served.toUpperCase()}_METRICS_PORT`]);
    t.true(JSON.stringify(spec).includes(JSON.stringify({ name: 'metrics', containerPort: metrics })), name);
  }
});

test('each role of a worker can have its own objects', (t) => {
  const { objects } = rendered('everything');
  for (const kind of ['Deployment', 'PodDisruptionBudget', 'Service', 'ServiceMonitor'])
    t.deepEqual([...ofKind(objects, kind).keys()].toSorted(), ['api', 'gateway', 'previous', 'pump', 'worker'], kind);
  const roles = containersOf(objects).flatMap(({ name, env }) =>
    env.filter((one) => one.name === 'WORKER_ROLES').map(({ value }) => [name, value]),
  );
  t.deepEqual(Object.fromEntries(roles), { worker: 'main', pump: 'pump', previous: 'main' });
});

test('the scraped targets have the names in the alert rules', (t) => {
  const example = readText('deploy/prometheus/prometheus.yaml');
  for (const [name, { spec }] of ofKind(rendered('everything').objects, 'ServiceMonitor')) {
    const job = `channels-${processOf(name)}`;
    t.like(spec, { endpoints: [{ relabelings: [{ targetLabel: 'job', replacement: job }] }] });
    t.true(example.includes(`job_name: ${job}`), job);
  }
});

test('every job runs an existing command', (t) => {
  const all = containersOf(rendered('everything', 'migration.registerSearchAttributes=true').objects);
  const names = all.filter(({ args }) => args[0] === 'admin').map(({ args }) => args[1]!);
  t.deepEqual(names.toSorted(), ['migrate', 'register-search-attributes']);
  for (const name of names) t.true(name in commands, name);
});

test('a proxy is trusted only behind an Ingress by default', (t) => {
  t.deepEqual(trusts(rendered('required').objects), { api: 'false', gateway: 'false' });
  t.deepEqual(trusts(rendered('small').objects), { api: 'false', gateway: 'false' });
  t.deepEqual(trusts(rendered('everything').objects), { api: 'true', gateway: 'true' });
  const distrusting = rendered('everything', 'settings.TRUST_PROXY="false"');
  t.deepEqual(trusts(distrusting.objects), { api: 'false', gateway: 'false' });
  t.deepEqual(trusts(rendered('required', 'settings.TRUST_PROXY="true"').objects), { api: 'true', gateway: 'true' });
});

test('a process without an Ingress never trusts its clients', (t) => {
  for (const type of ['LoadBalancer', 'NodePort']) {
    for (const name of ['api', 'gateway']) {
      const refused = rendered('required', 'settings.TRUST_PROXY="true"', `${name}.service.type="${type}"`);
      t.not(refused.status, 0);
      t.regex(refused.errors, new RegExp(`TRUST_PROXY is 'true' while ${name}.service is a ${type}`));
    }
  }
  t.is(rendered('everything', 'settings.TRUST_PROXY="true"', 'api.service.type="NodePort"').status, 0);
});

const programs = {
  api: 'api',
  worker: 'worker',
  pump: 'worker',
  previous: 'worker',
  gateway: 'gateway',
  migrate: 'admin',
} as const;

/** The containers of the service by name, with the keys of the Secret behind their variables. */
function environments(t: ExecutionContext, { status, errors, objects }: Rendered) {
  t.is(status, 0, errors);
  const containers = containersOf(objects.filter(({ kind }) => kind !== 'Pod'));
  return new Map(
    containers.map(({ name, env }) => [
      name,
      new Map(env.map((one) => [one.name, one.valueFrom?.secretKeyRef?.key ?? one.value])),
    ]),
  );
}

test('each container gets the settings that its program reads, and no other', (t) => {
  const everySetting = settingNames
    .filter(
      (name) =>
        !secretNames.includes(name) && !/^TEMPORAL_(?:ADDRESS|NAMESPACE)$|_(?:HOST|PORT|ROLES|PROXY)$/.test(name),
    )
    .filter((name) => name !== 'SHUTDOWN_GRACE_SECONDS')
    .map((name) => `settings.${name}="https://x.example.com"`);
  const found = environments(t, rendered('everything', ...everySetting, 'migration.registerSearchAttributes=true'));
  for (const [name, program] of Object.entries(programs)) {
    const given = [...found.get(name)!.keys()].filter((one) => settingNames.includes(one));
    const optional = ['WORKER_ROLES'];
    const wanted = namesReadBy(program).filter((one) => !optional.includes(one));
    t.deepEqual(given.filter((one) => !optional.includes(one)).toSorted(), wanted.toSorted(), name);
  }
  const registering = [...found.get('register-search-attributes')!.keys()];
  t.deepEqual(
    registering.filter((one) => settingNames.includes(one)),
    ['TEMPORAL_ADDRESS', 'TEMPORAL_NAMESPACE'],
  );
  t.false(registering.some((one) => one.startsWith('DATABASE_')));
  t.false(found.get('gateway')!.has('TEMPORAL_API_KEY'));
  t.is(found.get('worker')!.get('TEMPORAL_API_KEY'), 'TEMPORAL_API_KEY');
});

test('each process connects with its own key of the Secret', (t) => {
  const found = environments(t, rendered('everything'));
  t.is(found.get('api')!.get('DATABASE_URL'), 'DATABASE_API_URL');
  t.is(found.get('gateway')!.get('DATABASE_URL'), 'DATABASE_GATEWAY_URL');
  for (const name of ['worker', 'pump', 'previous'])
    t.is(found.get(name)!.get('DATABASE_URL'), 'DATABASE_WORKER_URL', name);
  t.is(found.get('migrate')!.get('DATABASE_URL'), 'DATABASE_URL');
  t.is(found.get('migrate')!.get('DATABASE_WORKER_URL'), 'DATABASE_WORKER_URL');
  const single = environments(t, rendered('everything', 'databaseRoles.enabled=false'));
  for (const name of ['api', 'worker', 'gateway', 'migrate'])
    t.is(single.get(name)!.get('DATABASE_URL'), 'DATABASE_URL', name);
  t.false(single.get('migrate')!.has('DATABASE_API_URL'));
});

test('an unknown setting is refused', (t) => {
  const refused = rendered('required', 'settings.NODE_OPTIONS="--inspect"');
  t.regex(refused.errors, /settings[.]NODE_OPTIONS is no setting of the service/);
});

test('only the named peers reach the processes and their metrics', (t) => {
  for (const [name, { ingress }] of policies('required')) {
    for (const { from = [] } of ingress) {
      t.is(from.length, 1, name);
      t.is(componentOf(from[0]!), name === 'worker' ? 'api' : 'test', name);
    }
  }
  const named = policies('everything');
  t.is(named.get('worker')!.ingress.length, 1, 'metrics');
  t.is(named.get('api')!.ingress.length, 2);
  for (const { ingress } of [...named.values(), ...policies('small').values()]) {
    for (const { from } of ingress)
      t.true(from !== undefined && from.length > 0, 'a rule without peers admits everyone');
  }
});

test('each policy permits what a process needs but no private addresses', (t) => {
  const found = policies('required');
  t.deepEqual([...found.keys()].toSorted(), ['api', 'gateway', 'migration', 'test', 'worker']);
  const egress = JSON.stringify(found.get('worker')!.egress);
  for (const port of [53, 5432, 7233, 587]) t.true(egress.includes(`"port":${port},`), `${port}: ${egress}`);
  for (const range of ['10.0.0.0/8', '169.254.0.0/16']) t.true(egress.includes(`"${range}"`), range);
  t.false(JSON.stringify(found.get('gateway')!.egress).includes('587'));
  const everything = JSON.stringify(policies('everything').get('worker')!.egress);
  t.true(everything.includes('"cidr":"10.20.0.0/16"'), 'EGRESS_ALLOW_CIDRS');
});

const portsOf = (objects: readonly KubernetesObject[], name: string) =>
  containersOf(objects).flatMap((one) => one.ports.filter((port) => port.name === name).map(() => one.name));

for (const [example, pumps] of Object.entries({ required: ['worker'], everything: ['pump'] })) {
  test(`only APIs offer deliveries, and only to pumps: ${example}`, (t) => {
    const { objects } = rendered(example);
    t.deepEqual(portsOf(objects, 'offers'), pumps);
    const found = policies(example);
    const admitting = [...found].filter(([, { ingress }]) =>
      ingress.some(({ from = [] }) => from.some((each) => componentOf(each) === 'api')),
    );
    t.deepEqual(
      admitting.map(([name]) => name),
      pumps,
    );
    const environment = environments(t, rendered(example)).get(pumps[0]!)!;
    t.is(environment.get('WORKER_OFFERS_HOST'), '$(POD_IP)');
    const port = Number(environment.get('WORKER_OFFERS_PORT'));
    const reached = [...found].flatMap(([name, { egress }]) =>
      z
        .array(egressRule)
        .parse(egress)
        .filter((rule) => rule.ports.some((each) => each.port === port))
        .map(({ to }) => [name, to.map(componentOf)]),
    );
    t.deepEqual(reached, [['api', pumps]]);
  });
}

test('workers without the role pump take no offers', (t) => {
  const main = 'settings.WORKER_ROLES="main"';
  t.deepEqual(portsOf(rendered('required', main).objects, 'offers'), []);
  t.deepEqual(policies('required', main).get('worker')!.ingress, []);
});

test('the processes reach a trace collector in the cluster', (t) => {
  const to = 'networkPolicy.collectorTo=[{"namespaceSelector":{}}]';
  for (const [url, port] of [
    ['http://collector.traces:4318', 4318],
    ['https://collector.example.com/otlp', 443],
  ] as const) {
    const found = policies('required', `settings.OTEL_EXPORTER_OTLP_ENDPOINT="${url}"`, to);
    for (const name of ['api', 'worker', 'gateway']) {
      const rule = { ports: [{ port, protocol: 'TCP' }], to: [{ namespaceSelector: {} }] };
      t.true(JSON.stringify(found.get(name)!.egress).includes(JSON.stringify(rule)), name);
    }
  }
});

test('every pod of the chart has a policy for both directions', (t) => {
  for (const example of ['required', 'everything']) {
    const { objects } = rendered(example);
    const found = [...policies(example).values()];
    for (const { labels } of pods(objects)) {
      const matching = found.filter(({ podSelector }) =>
        Object.entries(podSelector.matchLabels).every(([name, value]) => labels[name] === value),
      );
      t.is(matching.length, 1, JSON.stringify(labels));
      t.deepEqual(matching[0]!.policyTypes, ['Ingress', 'Egress']);
    }
  }
});

test('the migration reaches PostgreSQL and Temporal only', (t) => {
  const egress = JSON.stringify(policies('everything').get('migration')!.egress);
  for (const port of [53, 6432, 7233]) t.true(egress.includes(`"port":${port},`), `${port}: ${egress}`);
  t.false(egress.includes('0.0.0.0/0'), egress);
  t.true(policies('required', 'networkPolicy.egress=[{}]').get('migration')!.egress.length === 1);
});

test('the policy and the account of the migration exist before its Job', (t) => {
  const { objects } = rendered('required');
  const weights = objects.flatMap(({ kind, metadata: { annotations = {} } }) =>
    annotations['helm.sh/hook'] === 'pre-install,pre-upgrade'
      ? [[kind, Number(annotations['helm.sh/hook-weight'])]]
      : [],
  );
  t.deepEqual(Object.fromEntries(weights), { ServiceAccount: -10, NetworkPolicy: -10, Job: 0 });
});

test('the pod of `helm test` may reach a restricted API and gateway', (t) => {
  const found = policies('everything');
  for (const name of ['api', 'gateway']) {
    const allowed = found.get(name)!.ingress.flatMap(({ from = [] }) => from);
    t.true(
      allowed.some((each) => componentOf(each) === 'test'),
      name,
    );
  }
});

test('each pod has the service account of the release and no token', (t) => {
  const { objects } = rendered('required');
  const accounts = objects.filter(({ kind }) => kind === 'ServiceAccount').map(({ metadata }) => metadata.name);
  t.deepEqual(accounts.toSorted(), ['c-messaging-channels', 'c-messaging-channels-migration']);
  for (const { spec } of pods(objects)) {
    t.true(accounts.includes(spec.serviceAccountName), spec.serviceAccountName);
    t.false(spec.automountServiceAccountToken);
  }
  const own = rendered('required', 'serviceAccount={"create":false,"name":"mine"}');
  t.is(ofKind(own.objects, 'ServiceAccount').size, 0);
  for (const { spec } of pods(own.objects)) t.is(spec.serviceAccountName, 'mine');
});

test('a digest selects the image and wins over a tag', (t) => {
  const images = (...sets: readonly string[]) => {
    return [...new Set(fieldsOf(containersOf(rendered('required', ...sets).objects), 'image'))];
  };
  const name = 'images.example.com/messaging-channels';
  t.deepEqual(images('image.tag="1.2.3"'), [`${name}:1.2.3`]);
  t.deepEqual(images(`image.digest="${digest}"`), [`${name}@${digest}`]);
  t.deepEqual(images(`image.digest="${digest}"`, 'image.tag="1.2.3"'), [`${name}:1.2.3@${digest}`]);
  t.regex(rendered('required', 'image.digest="1.2.3"').errors, /image\/digest|image\.digest/);
});

const scaled = z.object({
  minReplicaCount: z.number(),
  maxReplicaCount: z.number(),
  fallback: z.object({ replicas: z.number(), behavior: z.string() }),
  triggers: z.array(z.object({ type: z.string(), metadata: z.record(z.string(), z.string()) })),
});

const byAge = '{"enabled":true,"prometheusAddress":"http://prometheus.monitoring:9090"}';

test('a worker can scale on the oldest waiting age', (t) => {
  const { objects, errors } = rendered('required', `worker.autoscaling.waitingAge=${byAge}`);
  t.is(ofKind(objects, 'HorizontalPodAutoscaler').size, 0, errors);
  t.is(withTemplate.parse(ofKind(objects, 'Deployment').get('worker')!.spec).replicas, undefined);
  const found = scaled.parse(ofKind(objects, 'ScaledObject').get('worker')!.spec);
  t.like(found, { minReplicaCount: 2, maxReplicaCount: 4, fallback: { replicas: 4 } });
  t.deepEqual(fieldsOf(found.triggers, 'type'), ['prometheus', 'cpu']);
  t.is(
    found.triggers[0]!.metadata['query'],
    'max(channels_oldest_waiting_seconds{status="pending",circuit="closed",namespace="channels"})',
  );
});

test('a Deployment never gets two autoscalers or an impossible fallback', (t) => {
  const refused = (...sets: readonly string[]): string => {
    const { status, errors } = rendered('required', ...sets);
    t.not(status, 0);
    return errors;
  };
  const both = refused('worker.autoscaling.enabled=true', `worker.autoscaling.waitingAge=${byAge}`);
  t.regex(both, /worker[.]autoscaling[.]enabled and worker[.]autoscaling[.]waitingAge[.]enabled would create two/);
  const idle = refused('pump.enabled=true', `worker.autoscaling.waitingAge=${byAge}`);
  t.regex(idle, /Use pump[.]autoscaling[.]waitingAge/);
  t.regex(refused('worker.autoscaling.waitingAge={"enabled":true}'), /waitingAge[.]prometheusAddress must be given/);
  const outside = refused(`worker.autoscaling.waitingAge=${byAge.replace('}', ',"fallbackReplicas":9}')}`);
  t.regex(outside, /fallbackReplicas is 9[.] Use a number from minReplicas [(]2[)] to maxReplicas [(]4[)]/);
  t.regex(refused('api.autoscaling={"enabled":true,"minReplicas":7}'), /minReplicas is 7 and larger than maxReplicas/);
});

const stopping = z.object({
  template: z.object({ spec: z.object({ terminationGracePeriodSeconds: z.number() }) }),
});

test('a pod has enough time for preStop and the grace period', (t) => {
  for (const [graceSeconds, delaySeconds] of [
    [0, 0],
    [20, 0],
    [60, 15],
  ] as const) {
    const delay = `settings.SHUTDOWN_DELAY_SECONDS="${delaySeconds}"`;
    const { objects } = rendered('required', `shutdownGraceSeconds=${graceSeconds}`, delay);
    for (const [name, { spec }] of ofKind(objects, 'Deployment')) {
      const { terminationGracePeriodSeconds } = stopping.parse(spec).template.spec;
      t.true(terminationGracePeriodSeconds >= graceSeconds + delaySeconds + 5 + 5, name);
    }
  }
});

test('workers of the previous release run its image without deliveries', (t) => {
  const image = 'images.example.com:5000/messaging-channels:0.1.0';
  const previous = `worker.previous={"image":"${image}","replicas":2}`;
  for (const set of ['pump.enabled=true', 'settings.WORKER_ROLES="main,pump"']) {
    const { objects, errors } = rendered('required', previous, set, 'worker.autoscaling.enabled=true');
    const { replicas, template } = withTemplate.parse(ofKind(objects, 'Deployment').get('previous')?.spec, {
      error: () => errors,
    });
    const [found] = template.spec.containers;
    t.is(replicas, 2);
    t.is(found!.image, image);
    const roles = found!.env.filter(({ name }) => name === 'WORKER_ROLES');
    t.deepEqual(roles, [{ name: 'WORKER_ROLES', value: 'main' }]);
    t.deepEqual([...ofKind(objects, 'HorizontalPodAutoscaler').keys()], ['worker']);
  }
  const unversioned = rendered('required', 'worker.previous={"image":"images.example.com:5000/messaging-channels"}');
  t.not(unversioned.status, 0);
});
