import type { TroubledDestination } from '../../contract/destinations/circuit.ts';
import { findTroubledDestinations } from '../../db/ledger/destinations/circuits.ts';
import type { HotPool } from '../../db/core/hot-pool.ts';
import type { WorkerMeter } from '../../metrics/worker-metrics.ts';
import type { Log } from '../../process/log.ts';

/** Starts the workflow of a destination, or tells a running one to look again. */
export type StartCircuit = (destination: TroubledDestination) => Promise<void>;

/** Sees to it that destinations whose circuit has moved have a workflow that knows, without ever holding anybody up. */
export interface DestinationCare {
  lookAfter(destinationIds: readonly number[]): void;
  start(destinations: readonly TroubledDestination[]): Promise<void>;
}

export interface DestinationCareDeps {
  readonly pool: HotPool;
  readonly startCircuit: StartCircuit;
  readonly meter?: Pick<WorkerMeter, 'workflowStarted'> | undefined;
  readonly log: Log;
}

export function createDestinationCare({ pool, startCircuit, meter, log }: DestinationCareDeps): DestinationCare {
  const waiting = new Set<number>();
  let running = false;

  return {
    lookAfter(destinationIds) {
      for (const id of destinationIds) waiting.add(id);
      if (!running && waiting.size > 0) void drain();
    },
    start: (destinations) => startAll(destinations, 'adopted'),
  };

  async function drain(): Promise<void> {
    running = true;
    while (waiting.size > 0) {
      const ids = [...waiting];
      waiting.clear();
      try {
        await startAll(await findTroubledDestinations(pool, ids), 'started');
      } catch (error) {
        log.warn('circuit.missed', { error, count: ids.length });
      }
    }
    running = false;
  }

  /** What cannot be started now (Temporal is away) is left to adoption. */
  async function startAll(destinations: readonly TroubledDestination[], how: 'started' | 'adopted'): Promise<void> {
    for (const destination of destinations) {
      const { channelId, destination: name } = destination;
      try {
        await startCircuit(destination);
        meter?.workflowStarted({ workflow: 'destinationCircuit', how });
        log.info('circuit.moved', { channelId, destination: name });
      } catch (error) {
        return log.warn('circuit.missed', { error, channelId, destination: name });
      }
    }
  }
}
