import type { Client, WorkflowHandle } from '@temporalio/client';
import type { ShardHolder } from '../contract/deliveries/shard-holder.ts';
import type { FailedDelivery } from '../contract/deliveries/workflow.ts';
import type { FailingDestination } from '../contract/destinations/circuit.ts';
import type { StartedContainer } from '../contract/containers/workflow.ts';
import type { ReplayStart } from '../contract/replays/replay.ts';
import type { StartedScheduledMessage } from '../contract/operations/scheduled-message.ts';
import type { RolloutStart } from '../contract/webhooks/rollout.ts';
import { deliveryShardWorkflowId, deliveryWorkflowId } from '../contract/ids.ts';
import { circuitMoved } from '../workflows/messages/circuits.ts';
import { shardHeld } from '../workflows/messages/shards.ts';
import { circuitClosed } from '../workflows/messages/deliveries.ts';
import { replayMoved } from '../workflows/messages/replays.ts';
import type { Started } from './start-and-await.ts';
import type { ShardStart, StartInputs } from './start-row.ts';
import { CALL_DEADLINE_MS, type OrganizationOf } from './start-options.ts';
import { createWorkflowCalls } from './workflow-calls.ts';

/** A delivery that is not woken checks its circuit itself. */
const WAKE_DEADLINE_MS = 2_000;

export type WorkerStarts = ReturnType<typeof createWorkerStarts>;

/**
 * The starts throw if Temporal does not answer: the worker repeats them all and finds in the ledger what is still
 * missing.
 */
export function createWorkerStarts({
  client,
  organizationOf,
  retryScheduleMs,
  pollScheduleMs,
  probeDelaysMs,
}: {
  readonly client: Client;
  readonly organizationOf?: OrganizationOf | undefined;
  readonly retryScheduleMs: readonly number[];
  readonly pollScheduleMs: readonly number[];
  readonly probeDelaysMs: readonly number[];
}) {
  const calls = createWorkflowCalls({ client, organizationOf });
  return {
    startDelivery: (delivery: FailedDelivery) =>
      requireStarted(calls.start('deliverWebhook', { delivery, scheduleMs: delivery.scheduleMs ?? retryScheduleMs })),

    signalCircuit: (destination: FailingDestination) =>
      requireStarted(
        calls.signalWithStart('destinationCircuit', {
          input: { destination, probeDelaysMs },
          signal: circuitMoved,
          signalArgs: [{ destinationId: destination.destinationId }],
        }),
      ),

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

    resumeContainer: (container: StartedContainer) =>
      requireStarted(calls.start('carryContainer', { container, pollScheduleMs, resumed: true })),

    refreshCredential: (credential: StartInputs['refreshCredential']) =>
      requireStarted(calls.start('refreshCredential', credential)),

    ...rowStarts(calls),

    signalReplay: (replay: ReplayStart) =>
      requireStarted(calls.signalWithStart('replayDeliveries', { input: replay, signal: replayMoved, signalArgs: [] })),
  };
}

/** Starts for rows that the upkeep finds without a workflow. */
function rowStarts(calls: ReturnType<typeof createWorkflowCalls>) {
  return {
    notifyConnection: (noticeId: string) => requireStarted(calls.start('notifyConnection', { noticeId })),

    startRollout: (rollout: RolloutStart) => requireStarted(calls.start('rollOutWebhook', rollout)),

    startAlertDigest: (digest: StartInputs['alertDigest']) => requireStarted(calls.start('alertDigest', digest)),

    startScheduledMessage: (message: StartedScheduledMessage) =>
      requireStarted(calls.start('sendScheduledMessage', message)),
    callAlertWebhook: (callId: string) => requireStarted(calls.start('callAlertWebhook', { callId })),

    startErasure: (erasure: StartInputs['eraseData']) => requireStarted(calls.start('eraseData', erasure)),
  };
}

async function requireStarted(started: Promise<Started<unknown>>): Promise<void> {
  const outcome = await started;
  if (outcome.state !== 'ended') throw outcome.cause;
}
