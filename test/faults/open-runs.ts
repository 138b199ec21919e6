import { onTemporal, pendingOfRuns } from '../harness/temporal/runs.ts';

/** Describes workflow runs that should have ended: their pending work explains most losses. */
export async function describeOpenRuns(address: string): Promise<string[]> {
  return (await onTemporal(address, pendingOfRuns)).map(({ workflowId, activities, task }) => {
    const pending = activities.map(({ activityType, attempt, lastStartedTime, lastFailure }) => {
      const startedAt = new Date(Number(lastStartedTime?.seconds ?? 0) * 1_000).toISOString();
      return `${activityType?.name}, attempt ${attempt}, started ${startedAt}, failed by ${lastFailure?.message ?? 'nothing'}`;
    });
    return `${workflowId}: ${pending.join('; ') || 'no activity'}${task ? ', a task waits' : ''}`;
  });
}
