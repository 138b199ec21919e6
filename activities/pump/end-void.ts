import { sequencedId, type IdKey } from '../../contract/ids.ts';
import type { HotPool } from '../../db/core/hot-pool.ts';
import { endVoidDeliveries } from '../../db/ledger/end-void-deliveries.ts';
import type { WorkerMeter } from '../../metrics/worker-metrics.ts';
import { type WakeDelivery, wakeDeliveries } from '../destinations/wake-deliveries.ts';

/** Ends all void deliveries of the shards, in batches. Returns how many. Does nothing while an earlier call runs. */
export type EndVoid = (shards: () => readonly number[]) => Promise<number>;

export interface EndVoidDeps {
  readonly pool: HotPool;
  readonly idKey: IdKey;
  readonly wakeDelivery: WakeDelivery;
  readonly meter?: Pick<WorkerMeter, 'moved'> | undefined;
}

export function createEndVoid({ pool, idKey, wakeDelivery: wake, meter }: EndVoidDeps): EndVoid {
  let isRunning = false;

  return async (shards) => {
    if (isRunning) return 0;
    isRunning = true;
    try {
      return await endAll(shards);
    } finally {
      isRunning = false;
    }
  };

  /** The shards of a worker change while it ends a backlog. */
  async function endAll(shards: () => readonly number[]): Promise<number> {
    for (let count = 0; ;) {
      const { cancelledCount, skippedCount, workflowIds, isAll } = await endVoidDeliveries(pool, shards());
      count += cancelledCount + skippedCount;
      meter?.moved('cancelled', cancelledCount);
      meter?.moved('skipped', skippedCount);
      // Not awaited: Temporal may be unavailable. A workflow that is not woken finds the end when its retry is due.
      if (workflowIds.length > 0) void wakeDeliveries(workflowIds.map(idOf), { wake });
      if (isAll) return count;
    }
  }

  function idOf(number: number): string {
    return sequencedId(idKey, 'delivery', number);
  }
}
