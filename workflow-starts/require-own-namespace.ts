import { type Client, WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client';
import { installationWorkflowId } from '../contract/ids.ts';
import { StartRefused } from '../process/stop-signals.ts';
import type { NamespaceOwner } from '../workflows/workflow-types.ts';
import { CALL_DEADLINE_MS, startOptions } from './workflow-calls.ts';

/**
 * Marks the namespace as this installation's, and throws if it belongs to another one: the two would run each other's
 * workflows against the wrong database. The mark is a workflow that waits forever. A database restored from a backup is
 * still the same installation.
 */
export async function requireOwnNamespace(client: Client, own: NamespaceOwner): Promise<void> {
  const owner = await client.withDeadline(Date.now() + CALL_DEADLINE_MS, () => markNamespace(client, own));
  if (owner.installationId !== own.installationId) throw foreignNamespace(client, { own, owner });
}

/** Throws if the namespace is known to belong to another installation. Passes while Temporal is unreachable. */
export async function refuseForeignNamespace(client: Client, own: NamespaceOwner): Promise<void> {
  const owner = await client.withDeadline(Date.now() + CALL_DEADLINE_MS, () => readMark(client)).catch(() => undefined);
  if (owner && owner.installationId !== own.installationId) throw foreignNamespace(client, { own, owner });
}

/** Returns false if the namespace has no mark. Throws if it belongs to another installation, or Temporal is unreachable. */
export async function requireNamespaceOf(client: Client, own: NamespaceOwner): Promise<boolean> {
  try {
    const owner = await client.withDeadline(Date.now() + CALL_DEADLINE_MS, () => readMark(client));
    if (owner && owner.installationId !== own.installationId) throw foreignNamespace(client, { own, owner });
    return owner !== undefined;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}

interface Owners {
  readonly own: NamespaceOwner;
  readonly owner: NamespaceOwner;
}

function foreignNamespace({ options: { namespace } }: Client, { own, owner }: Owners): StartRefused {
  return new StartRefused(
    `The Temporal namespace ${namespace} belongs to the installation ${owner.installationId} (${owner.baseUrl}), but ` +
      `DATABASE_URL is the installation ${own.installationId} (${own.baseUrl}). Set TEMPORAL_NAMESPACE to a namespace ` +
      `of its own. If the other installation no longer exists, terminate the workflow ${installationWorkflowId} in ` +
      `this namespace and start again`,
  );
}

const noSchedules = { retryScheduleMs: [], pollScheduleMs: [], probeDelaysMs: [] };

async function markNamespace(client: Client, own: NamespaceOwner): Promise<NamespaceOwner> {
  try {
    await client.workflow.start('installation', {
      ...(await startOptions('installation', own, noSchedules)),
      memo: { ...own },
    });
    return own;
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
  return (await readMark(client)) ?? own;
}

/** Returns undefined if the mark was terminated. */
export async function readMark(client: Client): Promise<NamespaceOwner | undefined> {
  const { memo, status } = await client.workflow.getHandle(installationWorkflowId).describe();
  if (status.name !== 'RUNNING') return undefined;
  const { installationId = 'unknown', baseUrl = 'unknown' } = (memo ?? {}) as Partial<NamespaceOwner>;
  return { installationId, baseUrl };
}
