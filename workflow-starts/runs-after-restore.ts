import { fewAtATime } from '../contract/few-at-a-time.ts';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { searchAttributes } from '../contract/search-attributes.ts';
import type { NamespaceOwner, WorkflowType } from '../workflows/workflow-types.ts';
import { requireNamespaceOf } from './require-own-namespace.ts';

/** A run that is open, or that began or closed after the moment to which the database was restored. */
export interface RunAfterRestore {
  readonly type: WorkflowType;
  readonly workflowId: string;
  readonly runId: string;
  readonly isRunning: boolean;
  readonly startedAt: Date;
  /** Of its last change. */
  readonly activeAt: Date;
  /** `ServiceState` when it last changed. */
  readonly state: string | null;
  readonly workspaceId: string | null;
  readonly channelId: string | null;
}

const PAGE_SIZE = 1_000;
const ENDS_AT_ONCE = 32;
const REASON = 'The database was restored: adoption starts a new run if the ledger needs one';

/** Throws if the namespace is known to belong to another installation. */
export async function listRunsSince(
  client: Client,
  { since, own }: { readonly since: Date; readonly own: NamespaceOwner },
): Promise<RunAfterRestore[]> {
  const isKnown = await requireNamespaceOf(client, own);
  if (!isKnown) return [];
  const time = `'${since.toISOString()}'`;
  const query = `ExecutionStatus = 'Running' or StartTime >= ${time} or CloseTime >= ${time}`;
  const runs: RunAfterRestore[] = [];
  for await (const run of client.workflow.list({ query, pageSize: PAGE_SIZE })) {
    const keyword = (name: string): string | null => {
      const [value] = (run.searchAttributes[name] ?? []) as string[];
      return value ?? null;
    };
    runs.push({
      type: run.type as WorkflowType,
      workflowId: run.workflowId,
      runId: run.runId,
      isRunning: run.status.name === 'RUNNING',
      startedAt: run.startTime,
      activeAt: run.closeTime ?? run.startTime,
      state: keyword(searchAttributes.state),
      workspaceId: keyword(searchAttributes.workspace),
      channelId: keyword(searchAttributes.channel),
    });
  }
  return runs;
}

/** Terminates the runs. Ignores those that have ended in the meantime. */
export async function endRuns(client: Client, runs: readonly RunAfterRestore[]): Promise<void> {
  await fewAtATime(runs, ENDS_AT_ONCE, async ({ workflowId, runId }) => {
    try {
      await client.workflow.getHandle(workflowId, runId).terminate(REASON);
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
  });
}
