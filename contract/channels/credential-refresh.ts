import { credentialWorkflowId } from '../ids.ts';
import { searchAttributes } from '../search-attributes.ts';
import { taskQueues } from '../task-queues.ts';

export interface RefreshCredentialInput {
  readonly credentialId: string;
  /** The last one repeats. */
  readonly waitsMs: readonly number[];
}

/** A credential is due days before it expires. */
const defaultRefreshWaitsMs: readonly number[] = [60_000, 600_000, 3_600_000, 21_600_000];

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
