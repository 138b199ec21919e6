import { defineQuery, defineSignal } from '@temporalio/workflow';

export const probeNow = defineSignal('probeNow');

/** The circuit changed state in the ledger. */
export const circuitMoved = defineSignal<[CircuitMove]>('circuitMoved');

interface CircuitMove {
  readonly destinationId: number;
}

/** Anybody can send a signal with any argument, and a handler that throws blocks its workflow for good. */
export function isMove(argument: unknown): argument is CircuitMove {
  return Number.isSafeInteger(Object(argument).destinationId);
}

export interface CircuitProgress {
  readonly state: 'open' | 'closed';
  readonly probesMade: number;
  readonly lastAnswer: string | null;
  readonly nextProbeAt: string | null;
}
export const circuitProgress = defineQuery<CircuitProgress>('circuitProgress');
