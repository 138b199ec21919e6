import type { Client } from '@temporalio/client';
import { deliveryWorkflowId, registrationWorkflowId } from '../contract/ids.ts';
import type { ApiMeter } from '../metrics/api-metrics.ts';
import { circuitMoved, probeNow } from '../workflows/messages/circuits.ts';
import { codeRefused, registrationEnded } from '../workflows/messages/email-codes.ts';
import { retryNow } from '../workflows/messages/deliveries.ts';
import { replayMoved } from '../workflows/messages/replays.ts';
import { rotateChannelToken } from '../workflows/messages/tokens.ts';
import { createContainer, publishContainer, queryContainer } from './carry-container.ts';
import type { OrganizationOf } from './start-options.ts';
import { createWorkflowCalls, type WorkflowCalls } from './workflow-calls.ts';
import type { CircuitSignal, WorkflowStarts } from './workflow-starts.ts';

/** Signalling a code is an optimization: the workflow reads the database in any case. */
const CODE_SIGNAL_DEADLINE_MS = 2_000;
/** Cancelling is an optimization: a workflow that was not reached finds its row ended at its next attempt. */
const CANCEL_DEADLINE_MS = 2_000;
const CONCURRENT_CANCELS = 8;

export interface WorkflowStartsDeps {
  readonly client: Client;
  readonly retryScheduleMs: readonly number[];
  readonly pollScheduleMs: readonly number[];
  readonly probeDelaysMs: readonly number[];
  readonly organizationOf?: OrganizationOf;
  readonly meter?: Pick<ApiMeter, 'workflowStarted'>;
}

/** `endWaits` answers all waiting callers when the process stops. */
export function createWorkflowStarts(deps: WorkflowStartsDeps): { starts: WorkflowStarts; endWaits: () => void } {
  const { retryScheduleMs, pollScheduleMs, probeDelaysMs } = deps;
  const calls = createWorkflowCalls(deps);
  const starts: WorkflowStarts = {
    saveWebhook: (save) => calls.execute('saveWebhook', save),
    saveDefaultWebhook: (save) => calls.execute('saveDefaultWebhook', save),
    startRollout: (rollout) => calls.start('rollOutWebhook', rollout),
    checkDestination: (check) => calls.execute('checkDestination', check),
    checkHealth: (check) => calls.execute('checkHealth', check),
    retryDelivery: (delivery) =>
      calls.signalWithStart('deliverWebhook', {
        input: { delivery, scheduleMs: delivery.scheduleMs ?? retryScheduleMs },
        signal: retryNow,
        signalArgs: [],
      }),
    cancelDeliveries: (deliveryIds) => void cancelDeliveries(calls, deliveryIds),
    testAlertWebhook: (callId) => calls.execute('callAlertWebhook', { callId, isTest: true }),
    sendTestEvent: (test) => calls.execute('sendTestEvent', test),
    startEmailCode: (code) => calls.start('emailCode', code),
    signalCode: ({ publicId, result }) =>
      void calls.reach(registrationWorkflowId(publicId), {
        deadlineMs: CODE_SIGNAL_DEADLINE_MS,
        call: (handle) =>
          result === 'refused' ? handle.signal(codeRefused) : handle.signal(registrationEnded, result),
      }),
    sendInvitation: (invitationId) => calls.start('sendInvitation', { invitationId }),
    createContainer: (container) => createContainer(calls, { container, pollScheduleMs }),
    publishContainer: (container) => publishContainer(calls, { container, pollScheduleMs }),
    containerProgress: (containerId) => queryContainer(calls, containerId),
    rotateToken: (rotation) =>
      calls.updateWithStart('rotateToken', {
        input: rotation,
        update: rotateChannelToken,
        updateId: `rotation-${rotation.rotationId}`,
        args: [{ rotationId: rotation.rotationId }],
      }),
    signalReplay: (replay) =>
      calls.signalWithStart('replayDeliveries', { input: replay, signal: replayMoved, signalArgs: [] }),
    signalCircuit: ({ destination, as }) => signalCircuit(calls, { destination, as, probeDelaysMs }),
  };
  return { starts, endWaits: calls.endWaits };
}

function signalCircuit(
  calls: WorkflowCalls,
  { destination, as, probeDelaysMs }: CircuitSignal & { readonly probeDelaysMs: readonly number[] },
) {
  const input = { destination, probeDelaysMs };
  return as === 'probe'
    ? calls.signalWithStart('destinationCircuit', { input, signal: probeNow, signalArgs: [] })
    : calls.signalWithStart('destinationCircuit', {
        input,
        signal: circuitMoved,
        signalArgs: [{ destinationId: destination.destinationId }],
      });
}

/** Skips workflows that are closed or unreachable. */
async function cancelDeliveries(calls: WorkflowCalls, deliveryIds: readonly string[]): Promise<void> {
  const rest = deliveryIds.values();
  const cancelRest = async (): Promise<void> => {
    for (const id of rest) {
      await calls.reach(deliveryWorkflowId(id), {
        deadlineMs: CANCEL_DEADLINE_MS,
        call: (handle) => handle.cancel(),
      });
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_CANCELS }, cancelRest));
}
