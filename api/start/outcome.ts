import { isGrpcServiceError } from '@temporalio/client';
import type { Started } from './workflow-starts.ts';

/** Numbers of gRPC (its status code list is not exported by the SDK). */
const RESOURCE_EXHAUSTED = 8;
const UNAVAILABLE = 14;

/** Starts a workflow, then waits for its result; tells what is certain from what is not. */
export async function startAndAwait<Handle, Result>(
  start: () => Promise<Handle>,
  result: (handle: Handle) => Promise<Result>,
): Promise<Started<Result>> {
  let handle: Handle;
  try {
    handle = await start();
  } catch (cause) {
    return { state: isCertainlyNotStarted(cause) ? 'not_started' : 'unknown', cause };
  }
  try {
    return { state: 'ended', result: await result(handle) };
  } catch (cause) {
    return { state: 'unknown', cause };
  }
}

/**
 * True when the server never took the call. It holds for a connection that does not retry by itself: a retried call
 * that ends unavailable may have been taken the first time.
 */
export function isCertainlyNotStarted(error: unknown): boolean {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (isGrpcServiceError(cause)) return cause.code === UNAVAILABLE || cause.code === RESOURCE_EXHAUSTED;
  }
  return false;
}
