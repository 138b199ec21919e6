import { onTemporal, listRuns, RUNNING, pendingOfRuns } from '../../harness/temporal/runs.ts';

/** A repeated activity of a healthy service has an outage behind it. */
const MAX_ATTEMPTS = 3;

/** Describes running runs that make no progress, and runs that failed since. */
export async function troubledRuns(address: string, since: Date): Promise<string[]> {
  return await onTemporal(address, async (client) => {
    const troubled: string[] = [];
    for (const { workflowId, activities, task } of await pendingOfRuns(client)) {
      const attempts = activities.map(({ attempt }) => attempt ?? 0);
      const taskAttempt = Number(task?.attempt ?? 0);
      if (taskAttempt > 1) troubled.push(`${workflowId}: workflow task, attempt ${taskAttempt}`);
      if (attempts.some((attempt) => attempt > MAX_ATTEMPTS))
        troubled.push(`${workflowId}: activity, ${attempts.join()}`);
    }
    const query = `ExecutionStatus in ('Failed', 'TimedOut') and CloseTime >= '${since.toISOString()}'`;
    for (const { workflowId } of await listRuns(client, query)) troubled.push(`${workflowId}: failed`);
    return troubled;
  });
}

export async function runningIds(address: string): Promise<Set<string>> {
  const runs = await onTemporal(address, (client) => listRuns(client, RUNNING));
  return new Set(runs.map(({ workflowId }) => workflowId));
}
