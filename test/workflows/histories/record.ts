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
import { freePort } from '../../../dev/processes/ports.ts';
import { findTemporal } from '../../../dev/temporal/temporal-binary.ts';
import { startTemporal } from '../../../dev/temporal/temporal-server.ts';
import { pumpQueueOf, taskQueues } from '../../../contract/task-queues.ts';
import { workflowBundle } from '../../../worker/workflow-bundle.ts';
import { quietTemporal } from '../../harness/temporal/quiet-temporal.ts';
import { historyPaths, presentHistory } from './history-file.ts';
import type { Scenario } from './scenario.ts';
import { scenarios } from './scenarios.ts';

const print = (text: string): void => void process.stderr.write(`${text}\n`);

async function record(connection: NativeConnection, scenario: Scenario): Promise<void> {
  const client = new Client({ connection });
  const common = { connection, activities: scenario.activities, maxCachedWorkflows: 0 };
  const main = await Worker.create({ ...common, taskQueue: taskQueues.main, workflowBundle: await workflowBundle() });
  let act = () => play(client, scenario);
  const { main: _main, ...others } = taskQueues;
  for (const taskQueue of [...Object.values(others), ...(scenario.pumpsOf ?? []).map(pumpQueueOf)]) {
    const worker = await Worker.create({ ...common, taskQueue });
    const inner = act;
    act = () => worker.runUntil(inner);
  }
  const handle = await main.runUntil(act);
  const history = presentHistory(await handle.fetchHistory());
  await writeFile(pathOf(scenario), `${JSON.stringify(history, null, 2)}\n`);
  print(`Recorded ${scenario.name}.`);
}

/** Move the first history of a new workflow to its noun's folder. */
function pathOf({ name, workflowType }: Scenario): string {
  const paths = historyPaths();
  const folder = dirname(paths.get(name) ?? paths.get(workflowType) ?? join(import.meta.dirname, 'here'));
  return join(folder, `${name}.json`);
}

async function play(client: Client, { workflowType, args, act }: Scenario): Promise<WorkflowHandle> {
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

async function recordAll(chosen: readonly Scenario[], suggestedAfterEvents: number | undefined): Promise<void> {
  const server = await startTemporal({
    binary: await findTemporal({ onProgress: print }),
    databaseFile: null,
    port: await freePort(),
    uiPort: null,
    ...(suggestedAfterEvents && { settings: { 'limit.historyCount.suggestContinueAsNew': suggestedAfterEvents } }),
    onProgress: print,
    log: () => undefined,
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
const chosen = scenarios.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
for (const [events, group] of Map.groupBy(chosen, ({ suggestedAfterEvents }) => suggestedAfterEvents)) {
  await recordAll(group, events);
}
