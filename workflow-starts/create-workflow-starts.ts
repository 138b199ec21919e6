import type { Client, Connection } from '@temporalio/client';
import { queryContainer, startCreateContainer, startPublishContainer } from './carry-container.ts';
import { startCheckDestination } from './check-destination.ts';
import { signalCircuit } from './destination-circuit.ts';
import { cancelDeliveryWorkflows, signalRetryNow } from './deliver-webhook.ts';
import { signalCodeTried, startEmailCode } from './email-code.ts';
import { startRotateToken } from './rotate-token.ts';
import { signalReplayMoved } from './replay-deliveries.ts';
import { startSaveWebhook } from './save-webhook.ts';
import { startSendInvitation } from './send-invitation.ts';
import { startSendTestEvent } from './send-test-event.ts';
import type { WorkflowStarts } from './workflow-starts.ts';

const PING_DEADLINE_MS = 1_000;

/** The workflows behind the API's routes, on a real Temporal. The connection must not retry calls by itself. */
export function createWorkflowStarts({
  client,
  connection,
  retryScheduleMs,
  pollScheduleMs,
  probeDelaysMs,
}: {
  client: Client;
  connection: Connection;
  retryScheduleMs: readonly number[];
  pollScheduleMs: readonly number[];
  probeDelaysMs: readonly number[];
}): WorkflowStarts {
  return {
    saveWebhook: (save) => startSaveWebhook(client, save),
    checkDestination: (check) => startCheckDestination(client, check),
    retryDelivery: (delivery) => signalRetryNow(client, { delivery, scheduleMs: retryScheduleMs }),
    cancelDeliveries: (deliveryIds) => void cancelDeliveryWorkflows(client, deliveryIds),
    sendTestEvent: (test) => startSendTestEvent(client, test),
    startEmailCode: (code) => startEmailCode(client, code),
    codeTried: (attempt) => void signalCodeTried(client, attempt),
    sendInvitation: (invitationId) => startSendInvitation(client, invitationId),
    createContainer: (container) => startCreateContainer(client, { container, pollScheduleMs }),
    publishContainer: (container) => startPublishContainer(client, { container, pollScheduleMs }),
    containerProgress: (containerId) => queryContainer(client, containerId),
    rotateToken: (rotation) => startRotateToken(client, rotation),
    tellCircuit: (signal) => signalCircuit(client, { ...signal, probeDelaysMs }),
    replayMoved: (replay) => signalReplayMoved(client, replay),
    isReachable: () =>
      connection
        .withDeadline(Date.now() + PING_DEADLINE_MS, () => connection.workflowService.getSystemInfo({}))
        .then(
          () => true,
          () => false,
        ),
  };
}
