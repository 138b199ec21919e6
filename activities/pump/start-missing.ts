import type { FailingDestination } from '../../contract/destinations/circuit.ts';
import type { FailedDelivery } from '../../contract/deliveries/workflow.ts';
import type { IdKey } from '../../contract/ids.ts';
import type { HotPool } from '../../db/core/hot-pool.ts';
import { findFailingDestinations } from '../../db/ledger/destinations/circuits.ts';
import { findFailedDeliveries, type TracedDelivery } from '../../db/ledger/failed-deliveries.ts';
import type { WorkerMeter } from '../../metrics/worker-metrics.ts';
import type { Log, LogFields } from '../../process/log.ts';
import { noTraces, type Traces } from '../../process/traces/traces.ts';

/** Starts workflows of what the ledger has, without blocking the caller. */
export interface StartMissing<Item> {
  /** Starts the workflows of these rows soon. Rows that need none any longer are left out. */
  request(ids: Iterable<number>): void;
  start(items: readonly Item[]): Promise<void>;
}

interface StartDeps {
  readonly pool: HotPool;
  readonly meter?: Pick<WorkerMeter, 'workflowStarted'> | undefined;
  readonly log: Log;
}

export interface PromotionDeps extends StartDeps {
  readonly idKey: IdKey;
  readonly startDelivery: (delivery: FailedDelivery) => Promise<void>;
  /** Optional. Default: no traces. */
  readonly traces?: Traces | undefined;
}

/** Starts workflows of deliveries that entered the retry schedule. */
export function createPromotion({ traces = noTraces, ...deps }: PromotionDeps): StartMissing<TracedDelivery> {
  const { pool, idKey, startDelivery, meter, log } = deps;
  return createStartMissing({
    find: (ids) => findFailedDeliveries(pool, idKey, ids),
    start: ({ traceParent, ...delivery }) =>
      traces.within(traceParent ? { traceParent } : null, () => startDelivery(delivery)),
    onStarted({ deliveryId, attemptsMade }, how) {
      meter?.workflowStarted({ workflow: 'deliverWebhook', how });
      log.info('delivery.promoted', { deliveryId, attemptsMade });
    },
    onFailed: (error, fields) => log.warn('delivery.promoteFailed', { error, ...fields }),
    describe: ({ deliveryId }) => ({ deliveryId }),
  });
}

export interface CircuitSignalsDeps extends StartDeps {
  readonly startCircuit: (destination: FailingDestination) => Promise<void>;
}

/** Starts or signals the workflows of destinations whose circuit changed state. */
export function createCircuitSignals(deps: CircuitSignalsDeps): StartMissing<FailingDestination> {
  const { pool, startCircuit, meter, log } = deps;
  const describe = ({ channelId, destination }: FailingDestination) => ({ channelId, destination });
  return createStartMissing({
    find: (ids) => findFailingDestinations(pool, ids),
    start: startCircuit,
    onStarted(destination, how) {
      meter?.workflowStarted({ workflow: 'destinationCircuit', how });
      log.info('circuit.signalled', describe(destination));
    },
    onFailed: (error, fields) => log.warn('circuit.signalFailed', { error, ...fields }),
    describe,
  });
}

interface Starter<Item> {
  readonly find: (ids: readonly number[]) => Promise<readonly Item[]>;
  readonly start: (item: Item) => Promise<void>;
  readonly onStarted: (item: Item, how: 'started' | 'adopted') => void;
  readonly onFailed: (error: unknown, fields: LogFields) => void;
  /** Identifies an item in the fields of a failure. */
  readonly describe: (item: Item) => LogFields;
}

/** Bounds the load on Temporal when many deliveries fail at once. */
const CONCURRENT_STARTS = 8;
/** Bounds the rows that one query reads. */
const MAX_BATCH = 200;
/** Bounds the memory while Temporal is slow. Further rows are adopted later. */
const MAX_WAITING = 5_000;

function createStartMissing<Item>(deps: Starter<Item>): StartMissing<Item> {
  const waiting = new Set<number>();
  let isRunning = false;

  return {
    request(ids) {
      if (waiting.size < MAX_WAITING) for (const id of ids) waiting.add(id);
      if (!isRunning && waiting.size > 0) void drain();
    },
    start: (items) => startAll(items, 'adopted'),
  };

  async function drain(): Promise<void> {
    isRunning = true;
    while (waiting.size > 0) {
      const ids = [...waiting].slice(0, MAX_BATCH);
      for (const id of ids) waiting.delete(id);
      try {
        await startAll(await deps.find(ids), 'started');
      } catch (error) {
        deps.onFailed(error, { count: ids.length });
      }
    }
    isRunning = false;
  }

  async function startAll(items: readonly Item[], how: 'started' | 'adopted'): Promise<void> {
    const rest = items.values();
    await Promise.all(Array.from({ length: CONCURRENT_STARTS }, () => startRest(rest, how)));
  }

  /** Stops at its first error, so that one item that always fails does not stop those behind it. Adoption starts the rest. */
  async function startRest(rest: Iterable<Item>, how: 'started' | 'adopted'): Promise<void> {
    for (const item of rest) {
      try {
        await deps.start(item);
        deps.onStarted(item, how);
      } catch (error) {
        return deps.onFailed(error, deps.describe(item));
      }
    }
  }
}
