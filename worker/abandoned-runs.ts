import type { Client } from '@temporalio/client';

const MAX_ABANDONED = 500;

export interface RunsOf {
  readonly workflowType: string;
  /** What a workflow id stands for; undefined for ids that are none of these. */
  readonly idOf: (workflowId: string) => string | undefined;
}

/**
 * Lists what was carried by a workflow that closed since then in any way but by completing. Each closed run is reported
 * once by this worker: what the rows say decides, and they are asked at once.
 */
export function createListAbandoned(
  client: Client,
  { workflowType, idOf }: RunsOf,
): (since: Date) => Promise<string[]> {
  const seen = new Set<string>();
  return async (since) => {
    const query =
      `WorkflowType = '${workflowType}' and ExecutionStatus in ('Terminated', 'Failed', 'TimedOut', 'Canceled') ` +
      `and CloseTime > '${since.toISOString()}'`;
    const ids: string[] = [];
    const runs: string[] = [];
    for await (const { workflowId, runId } of client.workflow.list({ query, pageSize: MAX_ABANDONED })) {
      runs.push(runId);
      const id = idOf(workflowId);
      if (id !== undefined && !seen.has(runId)) ids.push(id);
      if (runs.length >= MAX_ABANDONED) break;
    }
    seen.clear();
    for (const run of runs) seen.add(run);
    return ids;
  };
}
