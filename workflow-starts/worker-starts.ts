import type { WorkflowHandle } from '@temporalio/client';
import type { FailedDelivery } from '../contract/deliveries/workflow.ts';
import type { ShardHolder } from '../contract/deliveries/shard-holder.ts';
import type { FailingDestination } from '../contract/destinations/circuit.ts';
import type { ScheduledStart } from '../contract/scheduled/scheduled.ts';
import { deliveryShardWorkflowId, deliveryWorkflowId } from '../contract/ids.ts';
import type { ReplayStart } from '../contract/replays/replay.ts';
import { circuitMoved, circuitClosed, replayMoved, scheduledMoved, shardHeld } from '../workflows/messages/messages.ts';
import type { ShardStart, StartedType, StartInput } from '../workflows/workflow-types.ts';
import type { Started } from './start-and-await.ts';
import { CALL_DEADLINE_MS, createWorkflowCalls, type WorkflowCallsDeps } from './workflow-calls.ts';

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

    async startShards(shards: readonly ShardStart[]): Promise<void> {
      for (const shard of shards) await requireStarted(calls.start('deliveryShard', shard));
    },

    signalShard: ({ shard, holder }: { readonly shard: number; readonly holder: ShardHolder }) =>
      requireStarted(
        calls.signalWithStart('deliveryShard', { input: { shard }, signal: shardHeld, signalArgs: [holder] }),
      ),

    /** The workflow completes when the holder reports that the shard is retired. Returns false if no workflow runs. */
    signalRetiredShard: ({ shard, holder }: { readonly shard: number; readonly holder: ShardHolder }) =>
      calls.signalRunning(deliveryShardWorkflowId(shard), {
        deadlineMs: CALL_DEADLINE_MS,
        signal: shardHeld,
        signalArgs: [holder],
      }),

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
