import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { projectRoot } from '../../../dev/checks/source-files.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';

async function brokenRules(t: ExecutionContext, files: Readonly<Record<string, string>>): Promise<string[]> {
  const root = await temporaryFolder(t);
  for (const name of ['node_modules', 'package.json', 'tsconfig.json']) {
    symlinkSync(join(projectRoot, name), join(root, name));
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const depcruise = join(projectRoot, 'node_modules', '.bin', 'depcruise');
  const { stdout } = spawnSync(
    depcruise,
    ['--config', join(projectRoot, 'dev/checks/dependency-cruiser.cjs'), '--output-type', 'json', '.'],
    {
      cwd: root,
      encoding: 'utf8',
    },
  );
  const { summary }: { summary: { violations: { rule: { name: string } }[] } } = JSON.parse(stdout);
  return [...new Set(summary.violations.map(({ rule }) => rule.name))].toSorted();
}

const file = 'export const value = 1;\nexport interface Shape { a: 1 }\n';

test('permitted imports break no rule', async (t) => {
  const broken = await brokenRules(t, {
    'contract/ids.ts': file,
    'activities/pump/a.ts':
      "import { value } from '../../contract/ids.ts';\nexport interface Shape { a: typeof value }\n",
    'workflows/messages/a.ts': "import { value } from '../../contract/ids.ts';\nexport const message = value;\n",
    'workflows/shard.ts': "import type { Shape } from '../activities/pump/a.ts';\nexport type Served = Shape;\n",
    'workflow-starts/a.ts':
      "import { message } from '../workflows/messages/a.ts';\nimport type { Served } from '../workflows/shard.ts';\n" +
      'export const start = (served: Served) => [message, served];\n',
  });
  t.deepEqual(broken, []);
});

test('contract/ must not import Node', async (t) => {
  const broken = await brokenRules(t, {
    'contract/a.ts': "import { createHmac } from 'node:crypto';\nexport const a = createHmac;\n",
  });
  t.deepEqual(broken, ['contract-imports-nothing']);
});

test('workflows/ must not load an activity', async (t) => {
  const broken = await brokenRules(t, {
    'activities/pump.ts': file,
    'workflows/a.ts': "import { value } from '../activities/pump.ts';\nexport const a = value;\n",
  });
  t.deepEqual(broken, ['workflows-are-pure']);
});

test('api/ must not load workflows, HTTP clients, SQL or settings', async (t) => {
  const broken = await brokenRules(t, {
    'process/config.ts': file,
    'workflows/a.ts': file,
    'egress/client.ts': file,
    'api/a.ts':
      "import '../process/config.ts';\nimport '../workflows/a.ts';\nimport '../egress/client.ts';\nimport 'knex';\nimport 'undici';\n",
  });
  t.deepEqual(broken, [
    'api-imports-only-allowed-layers',
    'config-comes-by-argument',
    'one-way-out',
    'sql-lives-in-db',
    'starts-know-workflows-by-type',
  ]);
});

test('the product must not import tests, main files or development packages', async (t) => {
  const broken = await brokenRules(t, {
    'worker/main.ts': file,
    'test/fixture.ts': file,
    'worker/a.ts': "import './main.ts';\nimport '../test/fixture.ts';\nimport 'fast-check';\n",
  });
  t.deepEqual(broken, [
    'no-dev-dependency-in-the-product',
    'nothing-imports-a-leaf',
    'nothing-imports-a-main-file',
    'nothing-imports-tests-or-benches',
  ]);
});

test('schemas, signing and the root keep their restrictions', async (t) => {
  const broken = await brokenRules(t, {
    'openapi/a.ts': "import { value } from '../contract/ids.ts';\nexport const a = value;\n",
    'contract/ids.ts': file,
    'db/b.ts': "import '../openapi/a.ts';\n",
    'activities/pump.ts': file,
    'activities/signing/a.ts': "import '../pump.ts';\n",
    'root.ts': file,
    'worker/a.ts': "import '../root.ts';\n",
  });
  t.deepEqual(broken, ['nothing-in-the-root', 'schemas-are-for-the-api', 'signing-is-light']);
});

test('cycles, orphans and junk drawers are reported', async (t) => {
  const broken = await brokenRules(t, {
    'db/a.ts': "import { b } from './b.ts';\nexport const a = () => b;\n",
    'db/b.ts': "import { a } from './a.ts';\nimport { value } from './utils.ts';\nexport const b = () => [a, value];\n",
    'db/utils.ts': file,
    'db/alone.ts': file,
  });
  t.deepEqual(broken, ['no-cycles', 'no-junk-drawers', 'no-orphans']);
});
