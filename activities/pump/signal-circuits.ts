import type { FailingDestination } from '../../contract/destinations/circuit.ts';
import { findFailingDestinations } from '../../db/ledger/destinations/circuits.ts';
import type { HotPool } from '../../db/core/hot-pool.ts';
import type { WorkerMeter } from '../../metrics/worker-metrics.ts';
import type { Log } from '../../process/log.ts';

export type StartCircuit = (destination: FailingDestination) => Promise<void>;

/** Starts missing workflows. Never blocks the caller. */
export interface CircuitSignals {
  signalCircuits(destinationIds: readonly number[]): void;
  start(destinations: readonly FailingDestination[]): Promise<void>;
}

export interface CircuitSignalsDeps {
  readonly pool: HotPool;
  readonly startCircuit: StartCircuit;
  readonly meter?: Pick<WorkerMeter, 'workflowStarted'> | undefined;
  readonly log: Log;
}

export function createCircuitSignals({ pool, startCircuit, meter, log }: CircuitSignalsDeps): CircuitSignals {
  const waiting = new Set<number>();
  let running = false;

  return {
    signalCircuits(destinationIds) {
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
        await startAll(await findFailingDestinations(pool, ids), 'started');
      } catch (error) {
        log.warn('circuit.signalFailed', { error, count: ids.length });
      }
    }
    running = false;
  }

  async function startAll(destinations: readonly FailingDestination[], how: 'started' | 'adopted'): Promise<void> {
    for (const destination of destinations) {
      const { channelId, destination: name } = destination;
      try {
        await startCircuit(destination);
        meter?.workflowStarted({ workflow: 'destinationCircuit', how });
        log.info('circuit.signalled', { channelId, destination: name });
      } catch (error) {
        return log.warn('circuit.signalFailed', { error, channelId, destination: name });
      }
    }
  }
}
