import { Context } from '@temporalio/activity';

/** Well below the heartbeat timeouts of the activities that use it. */
const BEAT_MS = 1_000;

/**
 * Heartbeats while one long call is under way, so that a lost worker is noticed within seconds. The signal aborts when
 * the activity is cancelled.
 */
export async function whileBeating<Result>(act: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const { cancellationSignal } = Context.current();
  const beat = setInterval(() => Context.current().heartbeat(), BEAT_MS);
  try {
    return await act(cancellationSignal);
  } finally {
    clearInterval(beat);
  }
}
