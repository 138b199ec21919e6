import { Client, Connection } from '@temporalio/client';

/** Describes workflow runs that should have ended: their pending work explains most losses. */
export async function describeOpenRuns(address: string): Promise<string[]> {
  const connection = await Connection.connect({ address });
  try {
    const client = new Client({ connection });
    const lines: string[] = [];
    for await (const { workflowId } of client.workflow.list({ query: `ExecutionStatus = 'Running'` })) {
      const { raw } = await client.workflow.getHandle(workflowId).describe();
      const pending = (raw.pendingActivities ?? []).map(({ activityType, attempt, lastStartedTime, lastFailure }) => {
        const startedAt = new Date(Number(lastStartedTime?.seconds ?? 0) * 1_000).toISOString();
        return `${activityType?.name}, attempt ${attempt}, started ${startedAt}, failed by ${lastFailure?.message ?? 'nothing'}`;
      });
      lines.push(
        `${workflowId}: ${pending.join('; ') || 'no activity'}${raw.pendingWorkflowTask ? ', a task waits' : ''}`,
      );
    }
    return lines;
  } finally {
    await connection.close();
  }
}
