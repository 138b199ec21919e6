import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '@temporalio/activity';

/** How often a cancelled activity checks whether Temporal is reachable again. */
const ASK_MS = 1_000;

export interface PumpSignalDeps {
  /** Aborts when this worker shuts down. */
  readonly stopping: AbortSignal;
  readonly isTemporalReachable: () => Promise<boolean>;
}

/**
 * Returns a signal that aborts when a pump's activity must end: the worker shuts down, or Temporal cancels the activity.
 *
 * While Temporal is unreachable, heartbeats fail and the SDK cancels the activity as timed out. No other worker could
 * take over the shard then, so the pump continues under its lease. It ends as soon as Temporal is reachable and can
 * start the next attempt.
 */
export function pumpSignal(
  { cancellationSignal, cancellationDetails }: Pick<Context, 'cancellationSignal'> & Details,
  { stopping, isTemporalReachable }: PumpSignalDeps,
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
