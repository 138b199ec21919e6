/**
 * Records one history per scenario: `node test/workflows/histories/record.ts [scenario …]`.
 *
 * The histories represent workflows running in production. Record one for each new workflow type and another
 * (`deliverWebhook.<variant>.json`) for each new path. Never re-record an existing history to make the replay pass: a
 * change that breaks it also breaks running workflows. Use `patched` instead. Runs of pinned types stay with their code, and
 * their histories may be recorded again.
 */
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Client, type WorkflowHandle } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { pumpQueueOf, taskQueues } from '../../../contract/task-queues.ts';
import { workflowBundle } from '../../../worker/workflow-bundle.ts';
import { quietTemporal } from '../../harness/temporal/quiet-temporal.ts';
import { historyPaths, presentHistory } from './history-file.ts';
import { inTurn, type Scenario } from './scenario.ts';
import { scenarios } from './scenarios.ts';
import { startQuietTemporal } from '../../harness/system/quiet-server.ts';

type Named = readonly [name: string, scenario: Scenario];

const typeOf = (name: string): string => name.split('.', 1)[0]!;
const print = (text: string): void => void process.stderr.write(`${text}\n`);

async function record(connection: NativeConnection, [name, scenario]: Named): Promise<void> {
  const client = new Client({ connection });
  const activities = Object.fromEntries(
    Object.entries(scenario.activities).map(([activity, answers]) => [activity, inTurn(answers)]),
  );
  const common = { connection, activities, maxCachedWorkflows: 0 };
  const main = await Worker.create({ ...common, taskQueue: taskQueues.main, workflowBundle: await workflowBundle() });
  let act = () => play(client, [name, scenario]);
  const { main: _main, ...others } = taskQueues;
  for (const taskQueue of [...Object.values(others), ...(scenario.pumpsOf ?? []).map(pumpQueueOf)]) {
    const worker = await Worker.create({ ...common, taskQueue });
    const inner = act;
    act = () => worker.runUntil(inner);
  }
  const handle = await main.runUntil(act);
  const history = presentHistory(await handle.fetchHistory());
  await writeFile(pathOf(name), `${JSON.stringify(history, null, 2)}\n`);
  print(`Recorded ${name}.`);
}

/** Move the first history of a new workflow to its noun's folder. */
function pathOf(name: string): string {
  const paths = historyPaths();
  const folder = dirname(paths.get(name) ?? paths.get(typeOf(name)) ?? join(import.meta.dirname, 'here'));
  return join(folder, `${name}.json`);
}

async function play(client: Client, [name, { args, act }]: Named): Promise<WorkflowHandle> {
  const workflowType = typeOf(name);
  const workflowId = `recorded/${workflowType}`;
  const handle = await client.workflow.start(workflowType, { args: [...args], taskQueue: taskQueues.main, workflowId });
  await act?.(handle);
  const run = client.workflow.getHandle(workflowId, handle.firstExecutionRunId, { followRuns: false });
  await run.result().catch(() => undefined);
  // The shard continues as new. The next run is not recorded.
  await client.workflow
    .getHandle(workflowId)
    .terminate()
    .catch(() => undefined);
  return run;
}

async function recordAll(chosen: readonly Named[], suggestedAfterEvents: number | undefined): Promise<void> {
    const server = await startQuietTemporal({
    ...(suggestedAfterEvents && { settings: { 'limit.historyCount.suggestContinueAsNew': suggestedAfterEvents } }),
  });
  try {
    const connection = await NativeConnection.connect({ address: server.address });
    for (const scenario of chosen) await record(connection, scenario);
    await connection.close();
  } finally {
    await server.stop();
  }
}

quietTemporal();
const wanted = process.argv.slice(2);
const chosen = Object.entries(scenarios).filter(([name]) => wanted.length === 0 || wanted.includes(name));
for (const [events, group] of Map.groupBy(chosen, ([, { suggestedAfterEvents }]) => suggestedAfterEvents)) {
  await recordAll(group, events);
}
