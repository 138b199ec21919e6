import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { projectRoot } from '../../../dev/checks/source-files.ts';
import { findChartTools, KUBERNETES_VERSION } from './chart-tools.ts';
import type { KubernetesObject } from './kubernetes-client.ts';

export const chart = join(projectRoot, 'deploy/helm/messaging-channels');

/** The chart's own examples, such as `everything`. */
export const examples = readdirSync(join(chart, 'ci')).map((name) => name.replace('-values.yaml', ''));

export const valuesFile = (example: string): string => join(chart, 'ci', `${example}-values.yaml`);

const { helm } = await findChartTools();

export interface Rendered {
  readonly status: number | null;
  readonly errors: string;
  readonly objects: readonly KubernetesObject[];
}

/** `sets` are pairs such as `image.tag="1"`, whose value is JSON. */
export function rendered(example: string, ...sets: readonly string[]): Rendered {
  return render({ example, sets, namespace: 'channels' });
}

export function render(options: {
  readonly example: string;
  readonly sets: readonly string[];
  readonly namespace: string;
}): Rendered {
  const { example, sets, namespace } = options;
  const given = sets.flatMap((set) => ['--set-json', set]);
  const version = ['--kube-version', KUBERNETES_VERSION];
  const args = ['template', 'c', chart, '--namespace', namespace, ...version, '-f', valuesFile(example)];
  const run = spawnSync(helm, [...args, ...given], { encoding: 'utf8' });
  const documents = parseAllDocuments(run.stdout).map((document): KubernetesObject | null => document.toJS());
  return { status: run.status, errors: run.stderr, objects: documents.filter((object) => object !== null) };
}

export function ofKind(objects: readonly KubernetesObject[], kind: string): ReadonlyMap<string, KubernetesObject> {
  const found = objects.filter((object) => object.kind === kind);
  return new Map(found.map((object) => [object.metadata.name?.replace('c-messaging-channels-', '') ?? '', object]));
}
