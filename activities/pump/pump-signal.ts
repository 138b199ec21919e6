import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '@temporalio/activity';

const ASK_MS = 1_000;

export interface PumpSignalDeps {
  readonly stopping: AbortSignal;
  readonly isTemporalReachable: () => Promise<boolean>;
}

/**
 * Returns a signal that aborts on shutdown or cancellation. While Temporal is unreachable, the SDK cancels the activity
 * as timed out. No other worker could take over then, so the pump continues until Temporal is reachable again.
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
