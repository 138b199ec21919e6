import { Client, Connection, type WorkflowExecutionInfo } from '@temporalio/client';

export const RUNNING = `ExecutionStatus = 'Running'`;

export async function onTemporal<Result>(address: string, act: (client: Client) => Promise<Result>): Promise<Result> {
  const connection = await Connection.connect({ address });
  try {
    return await act(new Client({ connection }));
  } finally {
    await connection.close();
  }
}

export async function listRuns(client: Client, query = ''): Promise<WorkflowExecutionInfo[]> {
  const runs: WorkflowExecutionInfo[] = [];
  for await (const run of client.workflow.list({ query })) runs.push(run);
  return runs;
}

/** Returns the open runs with the work that is pending. */
export async function pendingOfRuns(client: Client) {
  const pending = [];
  for (const { workflowId, runId } of await listRuns(client, RUNNING)) {
    const { raw } = await client.workflow.getHandle(workflowId, runId).describe();
    const { pendingActivities, pendingWorkflowTask } = raw;
    pending.push({ workflowId, activities: pendingActivities ?? [], task: pendingWorkflowTask });
  }
  return pending;
}
