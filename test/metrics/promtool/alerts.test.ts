import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { projectRoot } from '../../../dev/checks/source-files.ts';
import { promtool } from './promtool.ts';

const folder = join(projectRoot, 'deploy/prometheus');
const rules = join(projectRoot, 'deploy/helm/messaging-channels/files/alerts.yaml');

test('Prometheus accepts the rules', async (t) => {
  const { status, said } = await promtool(folder, 'check', 'rules', '--lint=all', '--lint-fatal', rules);
  t.is(status, 0, said);
});

test('Prometheus accepts the example configuration', async (t) => {
  const { status, said } = await promtool(folder, 'check', 'config', 'prometheus.yaml');
  t.is(status, 0, said);
});

for (const name of readdirSync(join(folder, 'tests'))) {
  test(`alerts fire and do not fire as ${name} says`, async (t) => {
    const { status, said } = await promtool(folder, 'test', 'rules', join('tests', name));
    t.is(status, 0, said);
  });
}
