import { globSync } from 'node:fs';
import test from 'ava';
import { projectRoot } from '../../../dev/checks/source-files.ts';
import { planOfOtherTests, planOfTests } from '../../../dev/tests/plan.ts';

test('every test file belongs to exactly one command', (t) => {
  const planned = [planOfTests(), planOfOtherTests()].flatMap(({ batches, alone }) => [
    ...batches.flatMap(({ files }) => files),
    ...alone,
  ]);
  // Each has a command of its own.
  const byHand = ['test/deploy/charts/api-server.test.ts', 'test/openapi/fuzz/fuzz.test.ts'];
  const files = globSync('test/**/*.test.ts', { cwd: projectRoot, exclude: ['test/dev/batches/**'] });
  t.deepEqual([...planned, ...byHand].sort(), files.sort());
});

test('no batch of a plan is empty', (t) => {
  for (const { batches } of [planOfTests(), planOfOtherTests()])
    for (const { files } of batches) t.true(files.length > 0);
});
