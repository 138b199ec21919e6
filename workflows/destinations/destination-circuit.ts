import {
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  getExternalWorkflowHandle,
  isCancellation,
  patched,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { CircuitActivities, ProbeAnswer } from '../../activities/destinations/circuit-activities.ts';
import { type DestinationCircuitInput, probeDelayMs } from '../../contract/destinations/circuit.ts';
import { deliveryWorkflowId } from '../../contract/ids.ts';
import { circuitMoved, circuitProgress, probeNow } from '../messages/circuits.ts';
import { circuitClosed } from '../messages/deliveries.ts';
import { stateAttribute } from '../messages/state-attribute.ts';

const { probeDestination } = proxyActivities<CircuitActivities>({
  // A post of at most 10 s, and before it what is older than the schedule is ended in batches: a long backlog takes long.
  startToCloseTimeout: '5m',
  // It heartbeats each second: a probe whose worker is lost is made again within seconds, not after those minutes.
  heartbeatTimeout: '5s',
  // Covers a lost worker or database, and faults on our side: a refusal by the receiver is returned, never thrown.
  retry: { initialInterval: '1s', maximumInterval: '30s' },
});

const { closeCircuitByHand } = proxyActivities<CircuitActivities>({
  // Two short statements; retried until the database takes them, because somebody said so.
  startToCloseTimeout: '10s',
  retry: { initialInterval: '1s', maximumInterval: '30s' },
});

/** After its circuit closed a destination is looked after a while longer: one that flaps keeps one workflow. */
const LINGER_MS = 60_000;

export interface DestinationCircuitResult {
  readonly state: 'closed' | 'ended';
  readonly probes: number;
}

/**
 * Owns the wait of a destination whose circuit is open: it probes with a delivery that waits, at growing intervals, until
 * one is accepted, and then tells the troubled deliveries to go on. What the ledger says decides, and it is asked first
 * each time. A person may signal `probeNow`; cancelling this workflow closes the circuit.
 */
export async function destinationCircuit(input: DestinationCircuitInput): Promise<DestinationCircuitResult> {
  let { destinationId } = input;
  let nextProbeAtMs = input.probeAtMs;
  let probes = input.probesMade ?? 0;
  let state: 'open' | 'closed' = input.isClosed ? 'closed' : 'open';
  let lastAnswer: string | null = null;
  let probeRequested = input.isProbeRequested ?? false;
  let hasMoved = false;
  setHandler(probeNow, () => void (probeRequested = true));
  setHandler(circuitMoved, (moved) => {
    destinationId = moved.destinationId; // a channel may have another webhook by now than when this run began
    hasMoved = true;
  });
  setHandler(circuitProgress, () => ({ state, probesMade: probes, lastAnswer, nextProbeAt: nextProbeAt() }));

  try {
    return await probeOn();
  } catch (error) {
    if (!isCancellation(error)) throw error;
    await CancellationScope.nonCancellable(async () => wake(await closeCircuitByHand({ destinationId })));
    return finish('closed');
  }

  async function probeOn(): Promise<DestinationCircuitResult> {
    for (;;) {
      if (!(await untilProbe())) return finish('closed');
      const answer = await probe();
      await wake(answer);
      if (!allHandlersFinished()) continue;
      const isAsked = probeRequested || hasMoved;
      if (!isAsked && answer.status === 'ended') return finish('ended');
      // Also where it was asked meanwhile: whoever keeps asking would keep the history growing.
      if (workflowInfo().continueAsNewSuggested && (!isAsked || patched('goes-on-when-asked'))) await goOn();
    }
  }

  function nextProbeAt(): string | null {
    return state === 'open' ? new Date(nextProbeAtMs).toISOString() : null;
  }

  /** What was asked meanwhile is the next run's first. */
  async function goOn(): Promise<never> {
    if (hasMoved) show('open'); // what the ledger says of the new destination is asked at once
    const probeAtMs = hasMoved ? Date.now() : nextProbeAtMs;
    const carried = { isProbeRequested: probeRequested, isClosed: state === 'closed' };
    const next = { ...input, destinationId, probeAtMs, probesMade: probes, ...carried };
    return await continueAsNew<typeof destinationCircuit>(next);
  }

  /** Resolves with whether there is a reason to ask the ledger: false when the circuit has stayed closed for a while. */
  async function untilProbe(): Promise<boolean> {
    const isAsked = (): boolean => probeRequested || hasMoved;
    if (state === 'closed') {
      setCurrentDetails(`The circuit is closed: ${lastAnswer}.`);
      return await condition(isAsked, LINGER_MS, { summary: 'closed; looks on for a moment' });
    }
    const at = nextProbeAt();
    const last = lastAnswer ? ` Last: ${lastAnswer}.` : '';
    setCurrentDetails(`The circuit is open. Probe ${probes + 1} at ${at}; ${probes} made.${last}`);
    const waitMs = Math.max(nextProbeAtMs - Date.now(), 1);
    await condition(isAsked, waitMs, { summary: `probe ${probes + 1} at ${at}` });
    return true;
  }

  async function probe(): Promise<ProbeAnswer> {
    const isRequested = probeRequested;
    probeRequested = hasMoved = false; // before the probe: what comes during it counts for the next
    // Drawn here, so that a repeat of the activity asks with the same wait.
    const delayMs = probeDelayMs(input.probeDelaysMs, probes + 1, Math.random());
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
    if (next !== state) upsertSearchAttributes([{ key: stateAttribute, value: next }]);
    state = next;
  }

  function finish(end: DestinationCircuitResult['state']): DestinationCircuitResult {
    show('closed');
    setCurrentDetails(`Ended: ${lastAnswer ?? 'closed by hand'}.`);
    return { state: end, probes };
  }
}

/** A delivery without a workflow is adopted as soon as its circuit has closed. */
async function wake({ woken }: ProbeAnswer): Promise<void> {
  await Promise.all(
    woken.map((deliveryId) =>
      getExternalWorkflowHandle(deliveryWorkflowId(deliveryId))
        .signal(circuitClosed)
        .catch((error: unknown) => {
          if (isCancellation(error)) throw error;
        }),
    ),
  );
}
