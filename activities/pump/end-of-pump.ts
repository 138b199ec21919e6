import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '@temporalio/activity';

/** How often an activity that Temporal has lost asks whether Temporal is back. */
const ASK_MS = 1_000;

export interface EndOfPumpDeps {
  /** Aborts when this worker shuts down. */
  readonly stopping: AbortSignal;
  readonly isTemporalReachable: () => Promise<boolean>;
}

/**
 * Aborts when a pump's activity should end: its worker shuts down, or Temporal has given it up.
 *
 * While Temporal is away no heartbeat gets through, and the SDK then cancels the activity by itself, as timed out.
 * Nobody else would serve the shard, so that the pump goes on under its lease until Temporal can be reached; then it
 * makes way for the attempt that Temporal starts in its place.
 */
export function endOfPump(
  { cancellationSignal, cancellationDetails }: Pick<Context, 'cancellationSignal'> & Details,
  { stopping, isTemporalReachable }: EndOfPumpDeps,
): AbortSignal {
  const ended = new AbortController();
  const onCancelled = async (): Promise<void> => {
    const isOnlyLost = cancellationDetails()?.timedOut === true;
    while (isOnlyLost && !stopping.aborted && !(await isTemporalReachable())) {
      await sleep(ASK_MS, undefined, { signal: stopping }).catch(() => undefined);
    }
    ended.abort();
  };
  cancellationSignal.addEventListener('abort', () => void onCancelled(), { once: true });
  return AbortSignal.any([ended.signal, stopping]);
}

interface Details {
  readonly cancellationDetails: () => Context['cancellationDetails'];
}
