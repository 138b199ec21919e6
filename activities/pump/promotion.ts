import type { FailedDelivery } from '../../contract/deliveries/workflow.ts';
import type { IdKey } from '../../contract/ids.ts';
import type { HotPool } from '../../db/core/hot-pool.ts';
import { findFailedDeliveries, type TracedDelivery } from '../../db/ledger/failed-deliveries.ts';
import type { WorkerMeter } from '../../metrics/worker-metrics.ts';
import type { Log } from '../../process/log.ts';
import { noTraces, type Traces } from '../../process/traces/traces.ts';

export type StartDelivery = (delivery: FailedDelivery) => Promise<void>;

/** Starts workflows of deliveries that entered the retry schedule. Never blocks the caller. */
export interface Promotion {
  promote(ids: ReadonlySet<number>): void;
  start(deliveries: readonly TracedDelivery[]): Promise<void>;
}

export interface PromotionDeps {
  readonly pool: HotPool;
  readonly idKey: IdKey;
  readonly startDelivery: StartDelivery;
  readonly meter?: Pick<WorkerMeter, 'workflowStarted'> | undefined;
  /** Optional. Default: no traces. */
  readonly traces?: Traces | undefined;
  readonly log: Log;
}

/** Bounds the load on Temporal when many deliveries fail at once. */
const CONCURRENT_STARTS = 8;
/** Bounds the rows that one query reads. */
const MAX_BATCH = 200;
/** Bounds the memory while Temporal is slow. Further deliveries are adopted later. */
const MAX_WAITING = 5_000;

export function createPromotion({ traces = noTraces, ...deps }: PromotionDeps): Promotion {
  const { pool, idKey, startDelivery, meter, log } = deps;
  let waiting: number[] = [];
  let running = false;

  return {
    promote(ids) {
      if (waiting.length < MAX_WAITING) waiting.push(...ids);
      if (!running) void drain();
    },
    start: (deliveries) => startAll(deliveries, 'adopted'),
  };

  async function drain(): Promise<void> {
    running = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MAX_BATCH);
      waiting = waiting.slice(MAX_BATCH);
      try {
        await startAll(await findFailedDeliveries(pool, idKey, batch), 'started');
      } catch (error) {
        log.warn('delivery.promoteFailed', { error, count: batch.length });
      }
    }
    running = false;
  }

  async function startAll(deliveries: readonly TracedDelivery[], how: 'started' | 'adopted'): Promise<void> {
    const rest = [...deliveries];
    await Promise.all(Array.from({ length: CONCURRENT_STARTS }, () => startRest(rest, how)));
  }

  /** Stops at the first error and leaves the rest to adoption. */
  async function startRest(rest: TracedDelivery[], how: 'started' | 'adopted'): Promise<void> {
    for (let next = rest.pop(); next; next = rest.pop()) {
      const { traceParent, ...delivery } = next;
      try {
        await traces.within(traceParent ? { traceParent } : null, () => startDelivery(delivery));
        meter?.workflowStarted({ workflow: 'deliverWebhook', how });
        log.info('delivery.promoted', { deliveryId: delivery.deliveryId, attemptsMade: delivery.attemptsMade });
      } catch (error) {
        log.warn('delivery.promoteFailed', { error, deliveryId: delivery.deliveryId });
        return;
      }
    }
  }
}
