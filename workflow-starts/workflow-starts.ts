import { fewAtATime } from '../contract/few-at-a-time.ts';
import { randomUUID } from 'node:crypto';
import { WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure, type WorkflowResultType } from '@temporalio/common';
import type { StartedRotation } from '../contract/channels/token.ts';
import type { PublishResult, StartedContainer } from '../contract/containers/workflow.ts';
import type { FailedDelivery } from '../contract/deliveries/workflow.ts';
import type { FailingDestination } from '../contract/destinations/circuit.ts';
import { failureTypes } from '../contract/failures.ts';
import { containerWorkflowId, deliveryWorkflowId, registrationWorkflowId } from '../contract/ids.ts';
import type { RegistrationEnd } from '../contract/identity/email-code.ts';
import type { ReplayStart } from '../contract/replays/replay.ts';
import {
  circuitMoved,
  probeNow,
  awaitAcceptance,
  containerProgress,
  publishContainer as publishUpdate,
  retryNow,
  codeRefused,
  registrationEnded,
  replayMoved,
  rotateChannelToken,
} from '../workflows/messages/messages.ts';
import {
  type AwaitedType,
  startedNames,
  startedType,
  type StartedType,
  type StartInput,
  type Workflows,
} from '../workflows/workflow-types.ts';
import type { Started } from './start-and-await.ts';
import { createWorkflowCalls, type WorkflowCalls, type WorkflowCallsDeps } from './workflow-calls.ts';

/** Signalling a code is an optimization: the workflow reads the database in any case. */
const CODE_SIGNAL_DEADLINE_MS = 2_000;
/** Cancelling is an optimization: a workflow that was not reached finds its row ended at its next attempt. */
const CANCEL_DEADLINE_MS = 2_000;
const CONCURRENT_CANCELS = 8;
/** The last create call may start after 30 s; the platform then needs time to respond. */
const ACCEPTANCE_DEADLINE_MS = 45_000;
/** The publish itself, and the reads that resolve a lost response. */
const PUBLISH_DEADLINE_MS = 60_000;
/** If the query takes longer, the row answers the request. */
const QUERY_DEADLINE_MS = 500;

/** The result of a publish. A refusal leaves no event in the history. */
export type PublishAnswer = PublishResult | 'refused_not_ready' | 'refused_ended';

export interface CircuitSignal {
  readonly destination: FailingDestination;
  /** `moved`: the workflow reads the ledger. `probe`: a user requests a probe, even if the ledger needs none. */
  readonly as: 'moved' | 'probe';
}

/**
 * A function for each workflow type, which starts a workflow if none runs. It waits for the result if the row of the type
 * has a deadline for that.
 */
type StartFunctions = {
  readonly [Name in StartedType]: (
    input: StartInput<Name>,
  ) => Promise<Started<Name extends AwaitedType ? WorkflowResultType<Workflows[Name]> : 'started'>>;
};

function startFunctions(calls: WorkflowCalls): StartFunctions {
  const startOf = <Name extends StartedType>(name: Name) => [
    name,
    (input: StartInput<Name>) => (isAwaited(name) ? calls.execute(name, input as never) : calls.start(name, input)),
  ];
  return Object.fromEntries(startedNames.map(startOf)) as StartFunctions;
}

function isAwaited(name: StartedType): name is AwaitedType {
  return startedType(name).resultDeadlineMs !== undefined;
}

/** The workflows that the API starts and signals. Its routes know nothing else of Temporal. */
export type WorkflowStarts = ReturnType<typeof createWorkflowStarts>['starts'];

/** `endWaits` answers all waiting callers when the process stops. */
export function createWorkflowStarts(deps: WorkflowCallsDeps) {
  const calls = createWorkflowCalls(deps);
  const starts = {
    ...startFunctions(calls),

    /** Requests the next attempt now, starting the delivery's workflow if none runs. */
    retryDelivery: (delivery: FailedDelivery) =>
      calls.signalWithStart('deliverWebhook', { input: delivery, signal: retryNow, signalArgs: [] }),

    /** Returns immediately. Ignores unreachable workflows. */
    cancelDeliveries: (deliveryIds: readonly string[]): void => void cancelDeliveries(calls, deliveryIds),

    /** Returns immediately. Ignores an unreachable workflow. */
    signalCode: ({
      publicId,
      result,
    }: {
      readonly publicId: string;
      readonly result: RegistrationEnd | 'refused';
    }): void =>
      void calls.reach(registrationWorkflowId(publicId), {
        deadlineMs: CODE_SIGNAL_DEADLINE_MS,
        call: (handle) =>
          result === 'refused' ? handle.signal(codeRefused) : handle.signal(registrationEnded, result),
      }),

    /** Starts the container's workflow if none runs, and waits for the outcome of the create call. */
    createContainer: (container: StartedContainer) =>
      calls.startThenUpdate('carryContainer', {
        input: { container, resumed: false },
        update: awaitAcceptance,
        // All callers share one update, because a workflow accepts ten at a time.
        updateId: 'acceptance',
        updateDeadlineMs: ACCEPTANCE_DEADLINE_MS,
        answerOf: rethrow,
      }),

    /** Starts the container's workflow if none runs, and waits for the outcome of the publish. */
    publishContainer: (container: StartedContainer) =>
      calls.startThenUpdate<'carryContainer', PublishAnswer>('carryContainer', {
        input: { container, resumed: true },
        update: publishUpdate,
        updateId: randomUUID(),
        updateDeadlineMs: PUBLISH_DEADLINE_MS,
        answerOf: refusalOf,
      }),

    /** Returns undefined if the workflow does not answer in time. */
    containerProgress: (containerId: string) =>
      calls.reach(containerWorkflowId(containerId), {
        deadlineMs: QUERY_DEADLINE_MS,
        call: (handle) => handle.query(containerProgress),
      }),

    rotateToken: (rotation: StartedRotation) =>
      calls.updateWithStart('rotateToken', {
        input: rotation,
        update: rotateChannelToken,
        updateId: `rotation-${rotation.rotationId}`,
        args: [{ rotationId: rotation.rotationId }],
      }),

    /** Requests that the workflow read its row, starting it if none runs. */
    signalReplay: (replay: ReplayStart) =>
      calls.signalWithStart('replayDeliveries', { input: replay, signal: replayMoved, signalArgs: [] }),

    signalCircuit: ({ destination: input, as }: CircuitSignal) =>
      as === 'probe'
        ? calls.signalWithStart('destinationCircuit', { input, signal: probeNow, signalArgs: [] })
        : calls.signalWithStart('destinationCircuit', {
            input,
            signal: circuitMoved,
            signalArgs: [{ destinationId: input.destinationId }],
          }),
  };
  return { starts, endWaits: calls.endWaits };
}

/** Skips workflows that are closed or unreachable. */
async function cancelDeliveries(calls: WorkflowCalls, deliveryIds: readonly string[]): Promise<void> {
  await fewAtATime(deliveryIds, CONCURRENT_CANCELS, (id) =>
    calls.reach(deliveryWorkflowId(id), { deadlineMs: CANCEL_DEADLINE_MS, call: (handle) => handle.cancel() }),
  );
}

function rethrow(error: unknown): never {
  throw error;
}

/** The workflow's rejections are results. Any other error leaves the outcome unknown. */
function refusalOf(error: unknown): PublishAnswer {
  if (error instanceof WorkflowUpdateFailedError && error.cause instanceof ApplicationFailure) {
    if (error.cause.type === failureTypes.containerNotReady) return 'refused_not_ready';
    if (error.cause.type === failureTypes.containerEnded) return 'refused_ended';
  }
  throw error;
}
