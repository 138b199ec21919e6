import { credentialWorkflowId } from '../ids.ts';
import { searchAttributes } from '../search-attributes.ts';
import { taskQueues } from '../task-queues.ts';

/** The platform's token stays in the database. */
export interface RefreshCredentialInput {
  readonly credentialId: string;
  /** Delays after the first, second … failed try. The last one repeats. */
  readonly waitsMs: readonly number[];
}

/** A credential is due days before it expires, so only the first retries are quick. */
const defaultRefreshWaitsMs: readonly number[] = [60_000, 600_000, 3_600_000, 21_600_000];

/** Returns the start options of a credential's refresh workflow. A running workflow is kept. */
export function refreshWorkflowStart({
  credentialId,
  workspaceId,
}: {
  readonly credentialId: string;
  readonly workspaceId: string;
}) {
  const input: RefreshCredentialInput = { credentialId, waitsMs: defaultRefreshWaitsMs };
  return {
    workflowType: 'refreshCredential',
    workflowId: credentialWorkflowId(credentialId),
    taskQueue: taskQueues.main,
    args: [input] as [RefreshCredentialInput],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    workflowIdConflictPolicy: 'USE_EXISTING',
    staticSummary: `refresh of ${credentialId}`,
    keywords: { [searchAttributes.workspace]: workspaceId },
  } as const;
}
