import {
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { CircuitActivities, ProbeAnswer } from '../../activities/destinations/circuit-activities.ts';
import { type DestinationCircuitInput, probeDelayMs } from '../../contract/destinations/circuit.ts';
import { activityQueue, stateAttribute, isOwnCancellation } from '../runs/this-run.ts';
import { circuitMoved, circuitProgress, isMove, probeNow } from '../messages/messages.ts';

const { probeDestination } = proxyActivities<CircuitActivities>({
  taskQueue: activityQueue('receivers'),
  // A probe takes at most 10 s, but ending a long backlog first can take minutes.
  startToCloseTimeout: '5m',
  heartbeatTimeout: '5s',
  // Covers a lost worker or database. A failed probe is a result.
  retry: { initialInterval: '1s', maximumInterval: '30s' },
});

const { closeCircuitByHand } = proxyActivities<CircuitActivities>({
  // Two statements, retried until they commit.
  startToCloseTimeout: '10s',
  retry: { initialInterval: '1s', maximumInterval: '30s' },
});

/** Keeps one workflow for a circuit that reopens within a minute, instead of starting one each time. */
const LINGER_MS = 60_000;

export interface DestinationCircuitResult {
  readonly state: 'closed' | 'ended';
  readonly probes: number;
}

/**
 * Probes a destination with waiting deliveries until one is accepted. The ledger decides and is read before each probe.
 * Cancelling the workflow closes the circuit.
 */
export async function destinationCircuit(input: DestinationCircuitInput): Promise<DestinationCircuitResult> {
  let { destinationId } = input;
  let nextProbeAtMs = input.probeAtMs;
  let probes = input.probesMade ?? 0;
  let state: 'open' | 'closed' = input.isClosed ? 'closed' : 'open';
  let lastAnswer: string | null = null;
  let openedAtMs = input.openedAtMs ?? workflowInfo().runStartTime.getTime();
  let probeRequested = input.isProbeRequested ?? false;
  let hasMoved = false;
  setHandler(probeNow, () => void (probeRequested = true), {
    description: 'For operators: probes the destination now.',
  });
  const movedBy = (moved: unknown): void => {
    // Without a destination, as an operator may send it, the ledger is read for the present one.
    if (isMove(moved) && moved.destinationId !== destinationId) {
      openedAtMs = Date.now();
      destinationId = moved.destinationId; // the channel's webhook may have been replaced
    }
    hasMoved = true;
  };
  setHandler(circuitMoved, movedBy, { description: 'For the service: reads the circuit from the ledger.' });
  const progress = () => ({ state, probesMade: probes, lastAnswer, nextProbeAt: nextProbeAt() });
  setHandler(circuitProgress, progress, { description: 'The state of the circuit and the next probe.' });

  try {
    return await probeUntilClosed();
  } catch (error) {
    if (!isOwnCancellation(error)) throw error;
    await CancellationScope.nonCancellable(() => closeCircuitByHand({ destinationId }));
    return finish('closed');
  }

  async function probeUntilClosed(): Promise<DestinationCircuitResult> {
    for (;;) {
      if (!(await waitForProbe())) return finish('closed');
      const answer = await probe();
      if (!allHandlersFinished()) continue;
      if (answer.status === 'ended' && !probeRequested && !hasMoved) return finish('ended');
      // A stream of requests would otherwise grow the history without limit.
      if (workflowInfo().continueAsNewSuggested) await continueRun();
    }
  }

  function nextProbeAt(): string | null {
    return state === 'open' ? new Date(nextProbeAtMs).toISOString() : null;
  }

  async function continueRun(): Promise<never> {
    if (hasMoved) show('open'); // makes the next run read the ledger immediately
    const probeAtMs = hasMoved ? Date.now() : nextProbeAtMs;
    const carried = { isProbeRequested: probeRequested, isClosed: state === 'closed', openedAtMs };
    const next = { ...input, destinationId, probeAtMs, probesMade: probes, ...carried };
    return await continueAsNew<typeof destinationCircuit>(next);
  }

  async function waitForProbe(): Promise<boolean> {
    const isRequested = (): boolean => probeRequested || hasMoved;
    if (state === 'closed') {
      setCurrentDetails(`The circuit is closed: ${lastAnswer}.`);
      return await condition(isRequested, LINGER_MS, { summary: 'linger after closing' });
    }
    const at = nextProbeAt();
    const last = lastAnswer ? ` Last: ${lastAnswer}.` : '';
    setCurrentDetails(`The circuit is open. Probe ${probes + 1} at ${at}. Probes made: ${probes}.${last}`);
    const waitMs = Math.max(nextProbeAtMs - Date.now(), 1);
    await condition(isRequested, waitMs, { summary: `probe ${probes + 1} at ${at}` });
    return true;
  }

  async function probe(): Promise<ProbeAnswer> {
    const isRequested = probeRequested;
    probeRequested = hasMoved = false; // signals during a probe apply to the next
    // Drawn here, so that a repeated activity uses the same jitter.
    const delayMs = probeDelayMs(
      input.probeDelaysMs,
      { probesMade: probes + 1, openForMs: Date.now() - openedAtMs },
      Math.random(),
    );
    const answer = await probeDestination.executeWithOptions({ summary: `probe ${probes + 1}` }, [
      { destinationId, probesMade: probes, delayMs, isRequested },
    ]);
    lastAnswer = answer.description;
    if (answer.status === 'open') {
      if (answer.wasProbed) probes++;
      nextProbeAtMs = answer.nextProbeAtMs;
      show('open');
    } else {
      show('closed');
      probes = 0;
    }
    return answer;
  }

  function show(next: 'open' | 'closed'): void {
    if (next === state) return;
    if (next === 'open') openedAtMs = Date.now();
    upsertSearchAttributes([{ key: stateAttribute, value: next }]);
    state = next;
  }

  function finish(end: DestinationCircuitResult['state']): DestinationCircuitResult {
    show('closed');
    setCurrentDetails(`Ended: ${lastAnswer ?? 'closed manually'}.`);
    return { state: end, probes };
  }
}
