import type { WorkflowHandle } from '@temporalio/client';
import type { FailedDelivery } from '../contract/deliveries/workflow.ts';
import type { FailingDestination } from '../contract/destinations/circuit.ts';
import type { ScheduledStart } from '../contract/scheduled/scheduled.ts';
import { deliveryWorkflowId } from '../contract/ids.ts';
import type { ReplayStart } from '../contract/replays/replay.ts';
import { circuitMoved, circuitClosed, replayMoved, scheduledMoved } from '../workflows/messages/messages.ts';
import type { StartedType, StartInput } from '../workflows/workflow-types.ts';
import type { Started } from './start-and-await.ts';
import { createWorkflowCalls, type WorkflowCallsDeps } from './workflow-calls.ts';

/** A delivery that is not woken checks its circuit itself. */
const WAKE_DEADLINE_MS = 2_000;

export type WorkerStarts = ReturnType<typeof createWorkerStarts>;

/**
 * The starts throw if Temporal does not answer: the worker repeats them all and finds in the ledger what is still
 * missing.
 */
export function createWorkerStarts(deps: WorkflowCallsDeps) {
  const calls = createWorkflowCalls(deps);
  return {
    start: <Name extends StartedType>(name: Name, input: StartInput<Name>): Promise<void> =>
      requireStarted(calls.start(name, input)),

    startDelivery: (delivery: FailedDelivery) => requireStarted(calls.start('deliverWebhook', delivery)),

    signalCircuit: (destination: FailingDestination) =>
      requireStarted(
        calls.signalWithStart('destinationCircuit', {
          input: destination,
          signal: circuitMoved,
          signalArgs: [{ destinationId: destination.destinationId }],
        }),
      ),

    signalReplay: (replay: ReplayStart) =>
      requireStarted(calls.signalWithStart('replayDeliveries', { input: replay, signal: replayMoved, signalArgs: [] })),

    /** Never rejects. Ignores a workflow that does not run or does not answer. */
    wakeDelivery: async (deliveryId: string): Promise<void> => {
      const signal = { deadlineMs: WAKE_DEADLINE_MS, call: (handle: WorkflowHandle) => handle.signal(circuitClosed) };
      await calls.reach(deliveryWorkflowId(deliveryId), signal);
    },

    signalScheduled: (scheduled: ScheduledStart) =>
      requireStarted(
        calls.signalWithStart('carryScheduled', {
          input: scheduled,
          signal: scheduledMoved,
          signalArgs: [{ dueAtMs: scheduled.dueAtMs }],
        }),
      ),
  };
}

async function requireStarted(started: Promise<Started<unknown>>): Promise<void> {
  const outcome = await started;
  if (outcome.state !== 'ended') throw outcome.cause;
}
