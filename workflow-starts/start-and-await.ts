import { type ConnectionLike, isGrpcServiceError } from '@temporalio/client';

/**
 * `not_started` is certain: the server was never reached or rejected the call for lack of capacity. With `unknown` the
 * workflow may run, now or later.
 */
export type Started<Result> =
  | { readonly state: 'ended'; readonly result: Result }
  | { readonly state: 'not_started'; readonly cause: unknown }
  | { readonly state: 'unknown'; readonly cause: unknown };

/** gRPC status codes, which the SDK does not export. */
const DEADLINE_EXCEEDED = 4;
const RESOURCE_EXHAUSTED = 8;
const UNAVAILABLE = 14;

const SILENCE_MS = 1_500;

/**
 * How grpc-js begins the details of a call that no server has received. Connections that broke later and the servers
 * themselves use the same code; only the text distinguishes them.
 */
const notReceivedDetails = [
  'No connection established',
  'Name resolution failed',
  'Channel closed before call started',
  'Stream refused by server',
];

/**
 * How grpc-js ends the details if the deadline passed before the request was written. Otherwise they name the server.
 */
const notWrittenDetails = /(waiting for name resolution|waiting for metadata filters|Waiting for LB pick)$/;

/** How grpc-js reports a response that is too large or a stream that was reset. The server may have taken the call. */
const exhaustedInTransit = /^(Received message|Bandwidth exhausted or memory limit exceeded)/;

/** Never rejects: every error becomes `not_started` or `unknown`. */
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
 * Requires a connection that does not retry: a retried call that ends as unavailable may have been taken at the first
 * attempt.
 */
function isCertainlyNotStarted(error: unknown): boolean {
  const failure = failureOfCall(error);
  if (!failure) return false;
  switch (failure.code) {
    case UNAVAILABLE:
      return notReceivedDetails.some((words) => failure.details.startsWith(words));
    case DEADLINE_EXCEEDED:
      return failure.details.startsWith('Deadline exceeded after') && notWrittenDetails.test(failure.details);
    case RESOURCE_EXHAUSTED:
      return !exhaustedInTransit.test(failure.details);
    default:
      return false;
  }
}

/** Returns true if the server was unreachable or overloaded. An idempotent call may then be repeated. */
export function isTransient(error: unknown): boolean {
  const code = failureOfCall(error)?.code;
  return code === UNAVAILABLE || code === RESOURCE_EXHAUSTED;
}

/** Returns the error if the server does not answer. A server that refuses to answer is not silent. */
export async function silenceOf(connection: ConnectionLike): Promise<Error | undefined> {
  return await ping(connection, SILENCE_MS).then(
    () => undefined,
    (cause: unknown) => (isUnanswered(cause) ? new Error('Temporal does not answer', { cause }) : undefined),
  );
}

/** Asks the server what needs no namespace. Rejects if it refuses or does not answer in time. */
export async function ping(connection: ConnectionLike, withinMs: number): Promise<void> {
  await connection.withDeadline(Date.now() + withinMs, () => connection.workflowService.getSystemInfo({}));
}

/** Returns true if no answer arrived, not even a refusal. */
function isUnanswered(error: unknown): boolean {
  const code = failureOfCall(error)?.code;
  return code === UNAVAILABLE || code === DEADLINE_EXCEEDED;
}

function failureOfCall(error: unknown): { readonly code: number; readonly details: string } | undefined {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (isGrpcServiceError(cause)) return cause;
  }
  return undefined;
}
