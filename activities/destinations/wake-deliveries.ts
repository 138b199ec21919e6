import { fewAtATime } from '../../contract/few-at-a-time.ts';

/** Must not reject. Ignores a delivery whose workflow does not run or cannot be reached. */
export type WakeDelivery = (deliveryId: string) => Promise<void>;

const CONCURRENT_SIGNALS = 8;
/** A wake-up is an optimization: a delivery that is not signalled checks its row at its next attempt. */
const WAKE_MS = 30_000;

export interface Waking {
  readonly wake: WakeDelivery;
  /** Optional. Default: 30 s. */
  readonly withinMs?: number;
  readonly now?: () => number;
}

/**
 * Signals deliveries. An activity does so, not the workflow: the number of deliveries that a probe ends has no limit, but a
 * payload and the pending signals of a workflow do.
 */
export async function wakeDeliveries(
  deliveryIds: readonly string[],
  { wake, withinMs = WAKE_MS, now = () => performance.now() }: Waking,
): Promise<void> {
  const untilMs = now() + withinMs;
  await fewAtATime(deliveryIds, CONCURRENT_SIGNALS, async (deliveryId) => {
    if (now() >= untilMs) return false;
    await wake(deliveryId);
    return true;
  });
}
