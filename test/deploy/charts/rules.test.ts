import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { stringify } from 'yaml';
import { promtool } from '../../metrics/promtool/promtool.ts';
import { ofKind, rendered } from './helm.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';

for (const docsUrl of ['', 'https://docs.example.com/channels/']) {
  test(`Prometheus accepts the rules of the chart with docsUrl '${docsUrl}'`, async (t) => {
    const { objects, errors } = rendered('required', `prometheusRule=${JSON.stringify({ enabled: true, docsUrl })}`);
    const [rule] = ofKind(objects, 'PrometheusRule').values();
    t.truthy(rule, errors);
    const folder = await temporaryFolder(t);
    await writeFile(join(folder, 'rules.yaml'), stringify(rule?.spec));

    const { status, said } = await promtool(folder, 'check', 'rules', '--lint=all', '--lint-fatal', 'rules.yaml');
    t.is(status, 0, said);
    t.regex(said, /SUCCESS: [1-9]\d+ rules found/);
  });
}
