import type { Client, WorkflowExecutionInfo } from '@temporalio/client';
import { until } from '../../../harness/until.ts';
import { listRuns, RUNNING, pendingOfRuns } from '../../../harness/temporal/runs.ts';

/** `WORKFLOW_TASK_FAILED_CAUSE_UNHANDLED_COMMAND`: a signal arrived while the run ended. The server tries again. */
const UNHANDLED_COMMAND = 2;
/** The SDK's words for a task that a busy machine has stopped for seconds. The server tries again. */
const STOPPED = /TMPRL1101|Potential deadlock|Script execution timed out/;
const PARALLEL = 8;

export interface RunFacts {
  readonly runCount: number;
  readonly byType: Readonly<Record<string, number>>;
  /** Failures of workflow tasks, which mean that a worker could not continue a run. */
  readonly failures: readonly string[];
}

/** Reads the histories of all runs, open and closed. */
export async function readRuns(client: Client): Promise<RunFacts> {
  const runs = await listRuns(client);
  const failures: string[] = [];
  const rest = [...runs];
  const read = async (): Promise<void> => {
    for (let run = rest.pop(); run; run = rest.pop()) failures.push(...(await failuresOf(client, run)));
  };
  await Promise.all(Array.from({ length: PARALLEL }, read));
  const byType = Object.entries(Object.groupBy(runs, ({ type }) => type));
  return {
    runCount: runs.length,
    byType: Object.fromEntries(byType.map(([type, group]) => [type, group?.length ?? 0])),
    failures,
  };
}

async function failuresOf(client: Client, { workflowId, runId, type }: WorkflowExecutionInfo): Promise<string[]> {
  const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory();
  return (events ?? []).flatMap(({ workflowTaskFailedEventAttributes: failed }) =>
    failed && Number(failed.cause) !== UNHANDLED_COMMAND && !STOPPED.test(failed.failure?.message ?? '')
      ? [`${type} ${workflowId}: cause ${failed.cause}, ${failed.failure?.message ?? 'no message'}`]
      : [],
  );
}

export interface OpenRun {
  readonly type: string;
  readonly workflowId: string;
  readonly runId: string;
}

/** Waits until each of these workflow types has an open run, and returns all open runs of them. */
export async function untilOpen(client: Client, types: readonly string[]): Promise<OpenRun[]> {
  let missing: readonly string[] = [];
  const look = async (): Promise<OpenRun[] | undefined> => {
    const open = await listRuns(client, RUNNING);
    missing = types.filter((wanted) => !open.some(({ type }) => type === wanted));
    return missing.length === 0 ? open.filter(({ type }) => types.includes(type)) : undefined;
  };
  return await until(look, { for: 'A run of each type', detail: () => missing });
}

/** Returns the types of which none of these runs is open any more. */
export async function endedTypes(client: Client, runs: readonly OpenRun[]): Promise<string[]> {
  const open = new Set<string>();
  for (const { type, workflowId, runId } of runs) {
    const { status } = await client.workflow.getHandle(workflowId, runId).describe();
    if (status.name === 'RUNNING') open.add(type);
  }
  return [...new Set(runs.map(({ type }) => type))].filter((type) => !open.has(type));
}

/** Waits until no open run has a workflow task that was tried before. A killed worker's tasks are tried again. */
export async function untilUnstuck(client: Client, when: string): Promise<void> {
  let stuck: string[] = [];
  const look = async (): Promise<boolean> => {
    stuck = await stuckRuns(client);
    return stuck.length === 0;
  };
  await until(look, { for: `Progress of every run ${when}`, detail: () => stuck });
}

/** Returns the open runs with a workflow task that was tried before. */
export async function stuckRuns(client: Client): Promise<string[]> {
  return (await pendingOfRuns(client)).flatMap(({ workflowId, task }) => {
    const attempt = task?.attempt ?? 0;
    return attempt > 1 ? [`${workflowId}: attempt ${attempt} of a workflow task`] : [];
  });
}

/** These run for as long as the installation, or linger after their work. */
const lasting = ['deliveryPump', 'destinationCircuit', 'installation', 'invariants', 'retention'];

export async function untilEnded(client: Client): Promise<void> {
  let open: string[] = [];
  const look = async (): Promise<boolean> => {
    const runs = await listRuns(client, RUNNING);
    open = runs.filter(({ type }) => !lasting.includes(type)).map(({ workflowId }) => workflowId);
    return open.length === 0;
  };
  await until(look, { for: 'The end of every run', timeoutMs: 180_000, detail: () => open });
}
