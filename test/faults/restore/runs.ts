import { Client, Connection } from '@temporalio/client';

export async function onTemporal<Result>(address: string, act: (client: Client) => Promise<Result>): Promise<Result> {
  const connection = await Connection.connect({ address });
  try {
    return await act(new Client({ connection }));
  } finally {
    await connection.close();
  }
}

/** A repeated activity of a healthy service has an outage behind it. */
const MAX_ATTEMPTS = 3;

/** Describes running runs that make no progress, and runs that failed since. */
export async function troubledRuns(address: string, since: Date): Promise<string[]> {
  return await onTemporal(address, async (client) => {
    const troubled: string[] = [];
    for await (const { workflowId } of client.workflow.list({ query: `ExecutionStatus = 'Running'` })) {
      const { raw } = await client.workflow.getHandle(workflowId).describe();
      const attempts = (raw.pendingActivities ?? []).map(({ attempt }) => attempt ?? 0);
      const taskAttempt = Number(raw.pendingWorkflowTask?.attempt ?? 0);
      if (taskAttempt > 1) troubled.push(`${workflowId}: workflow task, attempt ${taskAttempt}`);
      if (attempts.some((attempt) => attempt > MAX_ATTEMPTS))
        troubled.push(`${workflowId}: activity, ${attempts.join()}`);
    }
    const query = `ExecutionStatus in ('Failed', 'TimedOut') and CloseTime >= '${since.toISOString()}'`;
    for await (const { workflowId } of client.workflow.list({ query })) troubled.push(`${workflowId}: failed`);
    return troubled;
  });
}

export async function runningIds(address: string): Promise<Set<string>> {
  return await onTemporal(address, async (client) => {
    const ids = new Set<string>();
    for await (const { workflowId } of client.workflow.list({ query: `ExecutionStatus = 'Running'` }))
      ids.add(workflowId);
    return ids;
  });
}
