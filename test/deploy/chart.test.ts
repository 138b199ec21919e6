import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { commands } from '../../admin/commands.ts';
import { isAllowed, parseCidrs } from '../../contract/addresses/classify-address.ts';
import { projectRoot } from '../../dev/checks/source-files.ts';
import {
  imageEnvironment,
  listenNames,
  processes,
  readText,
  readYaml,
  secretNames,
  settingNames,
} from './manifests.ts';

const folder = 'deploy/helm/messaging-channels';
const template = (name: string): string => readText(`${folder}/templates/${name}`);

interface NetworkPolicyValues {
  readonly enabled: boolean;
  readonly ingressFrom: readonly unknown[];
  readonly metricsFrom: readonly unknown[];
  readonly privateRanges: readonly string[];
  readonly privateRangesV6: readonly string[];
}

interface Values {
  readonly networkPolicy: NetworkPolicyValues;
  readonly pump: { readonly enabled: boolean };
  readonly settings: Readonly<Record<string, string>>;
  readonly podSecurityContext?: Readonly<Record<string, unknown>>;
  readonly securityContext?: Readonly<Record<string, unknown>>;
  readonly existingSecret: string;
}

interface Schema {
  readonly properties: Readonly<Record<string, unknown>> & {
    readonly settings: { readonly propertyNames: { readonly not: { readonly enum: readonly string[] } } };
  };
  readonly required: readonly string[];
}

const values = readYaml<Values>(`${folder}/values.yaml`);
const schema: Schema = JSON.parse(readText(`${folder}/values.schema.json`));
const container = template('_pod.tpl');
/** Set by the chart. A release without roles of its own may set WORKER_ROLES. */
const [, fixedSettings = ''] = container.split('{{- define "channels.fixedSettings" -}}');
const fixed = [...fixedSettings.split('{{- end -}}')[0]!.matchAll(/^([A-Z_]+): /gm)].map(([, name = '']) => name);

const everyComponent = /range \$component := splitList " " \(include "channels[.]components" \$\)/;

test('every setting in the chart and its examples exists', (t) => {
  for (const name of fixed) t.true(settingNames.includes(name), name);
  for (const name of Object.keys(values.settings)) t.true(settingNames.includes(name), name);
  const examples = readdirSync(join(projectRoot, folder, 'ci'));
  t.true(examples.length > 0);
  for (const example of examples) {
    const given = Object.keys(readYaml<Values>(`${folder}/ci/${example}`).settings);
    t.deepEqual(
      given.filter((name) => !settingNames.includes(name)),
      [],
      example,
    );
  }
});

test('settings must not contain secrets or values of the chart', (t) => {
  const refused = schema.properties.settings.propertyNames.not.enum;

  t.deepEqual([...refused].sort(), [...new Set([...secretNames, ...fixed])].sort());
  t.deepEqual(
    listenNames.filter((name) => !fixed.includes(name)),
    [],
  );
});

test('the schema has every value and requires those without default', (t) => {
  t.deepEqual(
    Object.keys(values).filter((name) => !(name in schema.properties)),
    [],
  );
  t.true(schema.required.includes('existingSecret') && values.existingSecret === '');
});

test('every process is probed and runs unprivileged without write access', (t) => {
  const deployments = template('deployments.yaml');
  t.regex(deployments, everyComponent);
  t.regex(deployments, /include "channels[.]probes" \$process/);
  const [worker = '', served = ''] = container.split('{{- define "channels.probes" -}}')[1]?.split('{{- else }}') ?? [];
  for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
    const path = probe === 'readinessProbe' ? '/readyz' : '/healthz';
    t.regex(worker, new RegExp(`${probe}: .*path: ${path}, port: metrics`));
    t.regex(served, new RegExp(`${probe}: .*path: ${path}, port: http`));
  }
  t.is(values.podSecurityContext?.['runAsNonRoot'], true);
  t.is(values.securityContext?.['readOnlyRootFilesystem'], true);
  t.is(values.securityContext?.['allowPrivilegeEscalation'], false);
  t.deepEqual(values.securityContext?.['capabilities'], { drop: ['ALL'] });
});

test('each role of a worker can have its own Deployment', (t) => {
  t.false(values.pump.enabled);
  const names = template('_names.tpl');
  t.regex(names, /api worker gateway\{\{ if [.]Values[.]pump[.]enabled \}\} pump\{\{ end \}\}/);
  t.regex(names, /ternary "pump" "main" \(eq [.]component "pump"\)/);
  t.regex(container, /- \{ name: WORKER_ROLES, value: \{\{ [.] \| quote \}\} \}/);
  for (const name of ['deployments', 'scaling', 'networkpolicies', 'servicemonitors', 'services'])
    t.regex(template(`${name}.yaml`), everyComponent, name);
});

test('image and chart agree on the user and on the ports', (t) => {
  const [, user] = /^USER (\d+):/m.exec(readText('deploy/Dockerfile')) ?? [];
  t.is(String(values.podSecurityContext?.['runAsUser']), user ?? 'none');
  const environment = imageEnvironment();
  const ports = /dict ("api" \d+ "worker" \d+ "gateway" \d+)/.exec(template('_names.tpl'))?.[1];
  const wanted = processes.map((name) => `"${name}" ${environment[`${name.toUpperCase()}_METRICS_PORT`]}`);
  t.is(ports, wanted.join(' '));
});

test('every pod runs the image, and every job an existing command', (t) => {
  const names = readdirSync(join(projectRoot, folder, 'templates'), { recursive: true, encoding: 'utf8' });
  const texts = names.filter((name) => name.endsWith('.yaml') || name.endsWith('.tpl')).map(template);
  const images = texts.flatMap((text) => [...text.matchAll(/^ *image: (.+)$/gm)].map(([, image = '']) => image));
  t.true(images.length >= 2);
  for (const image of images) t.regex(image, /^\{\{ .*include "channels[.]image" [.$].* \| quote \}\}$/);

  const admin = [...template('migration.yaml').matchAll(/args: \[admin, ([a-z-]+)\]/g)].map(([, name = '']) => name);
  t.deepEqual(new Set(admin), new Set(['migrate', 'register-search-attributes']));
  for (const name of admin) t.true(name in commands, name);
});

test('the scraped targets have the names in the alert rules', (t) => {
  const monitors = template('servicemonitors.yaml');
  t.regex(monitors, /targetLabel: job, replacement: channels-\{\{ \$process \}\}/);
  const example = readText('deploy/prometheus/prometheus.yaml');
  for (const name of processes) t.true(example.includes(`job_name: channels-${name}`), name);
});

test('the chart trusts no proxy by default', (t) => {
  t.is(values.settings['TRUST_PROXY'], '');
});

test('network policies are on and closed by default', (t) => {
  t.true(values.networkPolicy.enabled);
  t.deepEqual(values.networkPolicy.ingressFrom, []);
  t.deepEqual(values.networkPolicy.metricsFrom, []);
  t.regex(template('networkpolicies.yaml'), /policyTypes: \[Ingress, Egress\]/);
  t.regex(template('networkpolicies.yaml'), everyComponent);
});

test('the default policy excludes only private and metadata addresses', (t) => {
  const { privateRanges, privateRangesV6 } = values.networkPolicy;
  const ranges = parseCidrs([...privateRanges, ...privateRangesV6].join(','));
  const isExcluded = (address: string): boolean => isAllowed(address, ranges);
  for (const address of [
    '169.254.169.254',
    '168.63.129.16',
    '10.0.0.1',
    '192.168.1.1',
    '172.31.0.1',
    'fd00:ec2::254',
  ]) {
    t.true(isExcluded(address), address);
  }
  for (const address of ['1.1.1.1', '93.184.216.34', '172.32.0.1', '2606:4700::1111'])
    t.false(isExcluded(address), address);
});

test('no container gets the whole Secret', (t) => {
  t.false(container.includes('envFrom'));
});
