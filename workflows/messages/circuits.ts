import { defineQuery, defineSignal } from '@temporalio/workflow';

export const probeNow = defineSignal('probeNow');

/** The circuit changed state in the ledger. */
export const circuitMoved = defineSignal<[{ readonly destinationId: number }]>('circuitMoved');

export interface CircuitProgress {
  readonly state: 'open' | 'closed';
  readonly probesMade: number;
  readonly lastAnswer: string | null;
  readonly nextProbeAt: string | null;
}
export const circuitProgress = defineQuery<CircuitProgress>('circuitProgress');
