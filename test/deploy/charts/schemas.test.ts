import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { findChartTools, KUBERNETES_VERSION } from './chart-tools.ts';
import { examples, rendered } from './helm.ts';
import type { KubernetesObject } from './kubernetes-client.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';

const { modules } = await findChartTools();
/** Their definitions are not part of Kubernetes. `npm run test:cluster` has them. */
const custom = ['ServiceMonitor', 'PrometheusRule', 'ScaledObject'];

async function validated(t: ExecutionContext, objects: readonly KubernetesObject[]) {
  const folder = await temporaryFolder(t);
  const file = join(folder, 'objects.yaml');
  // JSON, because the validator reads an unquoted `off` as a boolean.
  await writeFile(file, objects.map((object) => JSON.stringify(object)).join('\n---\n'));
  const args = [join(modules, 'bin', 'kubernetes-validate'), '--strict', '-k', KUBERNETES_VERSION, file];
  const { status, stdout, stderr } = spawnSync('python3', args, {
    encoding: 'utf8',
    env: { ...process.env, PYTHONPATH: modules },
  });
  return { status, said: stdout + stderr };
}

for (const example of examples) {
  test(`the objects of the example ${example} match the schemas of Kubernetes`, async (t) => {
    const { objects, errors } = rendered(example);
    const builtIn = objects.filter(({ kind }) => !custom.includes(kind));
    t.true(builtIn.length > 5, errors);
    const { status, said } = await validated(t, builtIn);
    t.is(status, 0, said);
    t.notRegex(said, /WARN/);
  });
}

test('an unknown field does not match the schemas', async (t) => {
  const policy = rendered('everything').objects.find(({ kind }) => kind === 'NetworkPolicy')!;
  const { status, said } = await validated(t, [{ ...policy, spec: Object.assign({ unknwn: 1 }, policy.spec) }]);
  t.is(status, 1);
  t.regex(said, /'unknwn' was unexpected/);
});
