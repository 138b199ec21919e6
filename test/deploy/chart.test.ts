import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { isAllowed, parseCidrs } from '../../contract/addresses/classify-address.ts';
import { projectRoot } from '../../dev/checks/source-files.ts';
import { listenNames, readText, readYaml, secretNames, settingNames } from './manifests.ts';

const folder = 'deploy/helm/messaging-channels';

interface Values {
  readonly networkPolicy: { readonly privateRanges: readonly string[]; readonly privateRangesV6: readonly string[] };
  readonly settings: Readonly<Record<string, string>>;
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
const container = readText(`${folder}/templates/_pod.tpl`);
/** Set by the chart. A release without roles of its own may set WORKER_ROLES. */
const [, fixedSettings = ''] = container.split('{{- define "channels.fixedSettings" -}}');
const fixed = [...fixedSettings.split('{{- end -}}')[0]!.matchAll(/^([A-Z_]+): /gm)].map(([, name = '']) => name);

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
