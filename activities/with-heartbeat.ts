import { Context } from '@temporalio/activity';

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
