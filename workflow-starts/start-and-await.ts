import { isGrpcServiceError } from '@temporalio/client';
import type { Started } from './workflow-starts.ts';

/** Numbers of gRPC (its status code list is not exported by the SDK). */
const DEADLINE_EXCEEDED = 4;
const RESOURCE_EXHAUSTED = 8;
const UNAVAILABLE = 14;

/**
 * How grpc-js begins the details of a call that no server has worked on. It gives the same code to a connection that
 * broke after the whole request was read, and servers give it too, so the words are all there is to tell them by.
 */
const neverTaken = [
  'No connection established',
  'Name resolution failed',
  'Channel closed before call started',
  'Stream refused by server',
];

/** What grpc-js was at when the time was up before the request was written; else it names the server's address. */
const neverWritten = /(waiting for name resolution|waiting for metadata filters|Waiting for LB pick)$/;

/** What grpc-js itself says of an answer that is too large, or of a stream that was broken off under way. */
const exhaustedOnTheWay = /^(Received message|Bandwidth exhausted or memory limit exceeded)/;

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
function isCertainlyNotStarted(error: unknown): boolean {
  const failure = failureOfCall(error);
  if (!failure) return false;
  switch (failure.code) {
    case UNAVAILABLE:
      return neverTaken.some((words) => failure.details.startsWith(words));
    case DEADLINE_EXCEEDED:
      return failure.details.startsWith('Deadline exceeded after') && neverWritten.test(failure.details);
    case RESOURCE_EXHAUSTED:
      return !exhaustedOnTheWay.test(failure.details);
    default:
      return false;
  }
}

/** True when the server was out of reach or had no room, taken or not: a call that is safe to repeat may be. */
export function isPassing(error: unknown): boolean {
  const code = failureOfCall(error)?.code;
  return code === UNAVAILABLE || code === RESOURCE_EXHAUSTED;
}

function failureOfCall(error: unknown): { readonly code: number; readonly details: string } | undefined {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (isGrpcServiceError(cause)) return cause;
  }
  return undefined;
}
