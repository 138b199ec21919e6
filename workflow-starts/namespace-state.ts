import { type Client, isGrpcServiceError, WorkflowNotFoundError, type ConnectionLike } from '@temporalio/client';
import { NamespaceNotFoundError } from '@temporalio/common';
import type { NamespaceOwner } from '../workflows/workflow-types.ts';
import { readMark } from './require-own-namespace.ts';
import { ping } from './start-and-await.ts';

/** `foreign`: the namespace belongs to another installation. `refused`: the server does not accept the credential. */
export type NamespaceState = 'ok' | 'unreachable' | 'refused' | 'namespace_missing' | 'namespace_foreign';

export interface NamespaceWatch {
  readonly client: Client;
  readonly own: Pick<NamespaceOwner, 'installationId'>;
  /** Optional. Monotonic milliseconds. Default: `performance.now`. */
  readonly now?: () => number;
}

/** Probes ask every few seconds, and so may anyone who reaches the process. */
const FRESH_FOR_MS = 5_000;
const CALL_DEADLINE_MS = 1_000;
const PERMISSION_DENIED = 7;
const UNAUTHENTICATED = 16;

/** Returns a function that asks Temporal at most every few seconds, with one call that needs the namespace. */
export function watchNamespace(watch: NamespaceWatch): () => Promise<NamespaceState> {
  const { now = () => performance.now() } = watch;
  let asked: { readonly atMs: number; readonly state: Promise<NamespaceState> } | undefined;
  return () => {
    if (!asked || now() - asked.atMs >= FRESH_FOR_MS) asked = { atMs: now(), state: askNamespace(watch) };
    return asked.state;
  };
}

async function askNamespace({ client, own }: NamespaceWatch): Promise<NamespaceState> {
  try {
    const owner = await client.withDeadline(Date.now() + CALL_DEADLINE_MS, () => readMark(client));
    return owner && owner.installationId !== own.installationId ? 'namespace_foreign' : 'ok';
  } catch (error) {
    return stateOf(error);
  }
}

function stateOf(error: unknown): NamespaceState {
  if (error instanceof NamespaceNotFoundError) return 'namespace_missing';
  // No worker has marked the namespace yet.
  if (error instanceof WorkflowNotFoundError) return 'ok';
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (isGrpcServiceError(cause) && [PERMISSION_DENIED, UNAUTHENTICATED].includes(cause.code)) return 'refused';
  }
  return 'unreachable';
}

const PING_DEADLINE_MS = 1_000;

export async function isReachable(connection: ConnectionLike): Promise<boolean> {
  return await ping(connection, PING_DEADLINE_MS).then(
    () => true,
    () => false,
  );
}
