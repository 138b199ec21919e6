import type { Client } from '@temporalio/client';

const MAX_ABANDONED = 500;

export interface RunsOf {
  readonly workflowType: string;
  /** Returns undefined for ids of other workflows. */
  readonly idOf: (workflowId: string) => string | undefined;
}

/**
 * Lists entities whose workflow closed without completing. Reports each run once, because the caller then checks the
 * rows.
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
