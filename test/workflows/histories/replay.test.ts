import { readFileSync } from 'node:fs';
import test from 'ava';
import { Worker } from '@temporalio/worker';
import { workflowBundle } from '../../../worker/workflow-bundle.ts';
import * as workflows from '../../../workflows/index.ts';
import { patient, quietTemporal } from '../../harness/temporal/quiet-temporal.ts';
import { historyPaths, parseHistory, textsOf } from './history-file.ts';

quietTemporal();

const paths = historyPaths();
const names = [...paths.keys()];

function readHistory(name: string): { readonly events: readonly Readonly<Record<string, unknown>>[] } {
  return JSON.parse(readFileSync(paths.get(name)!, 'utf8'));
}

for (const workflow of Object.keys(workflows)) {
  test(`${workflow} has a recorded history`, (t) => {
    t.true(names.includes(workflow), `Record one with: node test/workflows/histories/record.ts ${workflow}`);
  });
}

for (const name of names) {
  test(`${name}: a recorded run replays with the present code`, async (t) => {
    const history = parseHistory(readHistory(name));
    await t.notThrowsAsync(Worker.runReplayHistory({ ...patient, workflowBundle: await workflowBundle() }, history, name));
  });

  test(`${name}: the history does not identify the recording machine`, (t) => {
    const texts = textsOf(readHistory(name)).filter((text) => !text.startsWith('@temporalio/'));
    t.deepEqual(
      texts.filter((text) => /@|file:|node_modules|\.ts\b|localhost|127\.0\.0\.1|https?:/.test(text)),
      [],
    );
  });
}

test('a history that does not match the code is rejected', async (t) => {
  const history = readHistory('saveWebhook');
  const foreign = JSON.parse(JSON.stringify(history).replaceAll('probeEmptyPost', 'probeFullPost'));
  await t.throwsAsync(
    Worker.runReplayHistory({ ...patient, workflowBundle: await workflowBundle() }, parseHistory(foreign), 'saveWebhook'),
    { name: 'DeterminismViolationError' },
  );
});
