import { CancelledFailure, Context } from '@temporalio/activity';

const HEARTBEAT_MS = 1_000;

/** `signal` aborts when the activity is cancelled. */
export async function withHeartbeat<Result>(act: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const { cancellationSignal } = Context.current();
  const heartbeat = setInterval(() => Context.current().heartbeat(), HEARTBEAT_MS);
  try {
    return await act(cancellationSignal);
  } finally {
    clearInterval(heartbeat);
  }
}

/**
 * For a call that is made once. `signal` aborts only when the worker stops: an answer counts even if the server has given
 * the activity up, for example because the machine was suspended.
 */
export async function withHeartbeatToTheAnswer<Result>(act: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  return await withHeartbeat(async (cancelled) => {
    const stop = new AbortController();
    const abortIfStopping = (): void => {
      if (isOfStop(cancelled.reason)) stop.abort(cancelled.reason);
    };
    if (cancelled.aborted) abortIfStopping();
    cancelled.addEventListener('abort', abortIfStopping);
    try {
      return await act(stop.signal);
    } finally {
      cancelled.removeEventListener('abort', abortIfStopping);
    }
  });
}

/** The reasons are listed at the SDK's `Context.cancelled`. */
function isOfStop(reason: unknown): boolean {
  return reason instanceof CancelledFailure && reason.message === 'WORKER_SHUTDOWN';
}
