import type { AlertCallResult } from '../contract/alerts/alert-call.ts';
import type { RotationResult, StartedRotation } from '../contract/channels/token.ts';
import type { Acceptance, PublishResult, StartedContainer } from '../contract/containers/workflow.ts';
import type { FailedDelivery } from '../contract/deliveries/workflow.ts';
import type { AttemptOutcome } from '../contract/deliveries/status.ts';
import type { FailingDestination } from '../contract/destinations/circuit.ts';
import type { RegistrationEnd } from '../contract/identity/email-code.ts';
import type { ReplayStart } from '../contract/replays/replay.ts';
import type { DefaultWebhookStart, RolloutStart } from '../contract/webhooks/rollout.ts';
import type { ContainerProgress } from '../workflows/messages/containers.ts';
import type { CheckHealthResult } from '../workflows/channels/check-health.ts';
import type { SaveWebhookResult } from '../workflows/webhooks/save-webhook.ts';
import type { Started } from './start-and-await.ts';
import type { CheckStart, CodeStart, HealthStart, SaveStart, TestEventStart } from './start-row.ts';

/** The result of a publish. A refusal leaves no event in the history. */
export type PublishAnswer = PublishResult | 'refused_not_ready' | 'refused_ended';

export interface CircuitSignal {
  readonly destination: FailingDestination;
  /** `moved`: the workflow reads the ledger. `probe`: a user requests a probe, even if the ledger needs none. */
  readonly as: 'moved' | 'probe';
}

/** The workflows that the API starts and signals. Its routes know nothing else of Temporal. */
export interface WorkflowStarts {
  saveWebhook(save: SaveStart): Promise<Started<SaveWebhookResult>>;
  saveDefaultWebhook(save: DefaultWebhookStart): Promise<Started<SaveWebhookResult>>;
  /** Starts the rollout's workflow if none runs. */
  startRollout(rollout: RolloutStart): Promise<Started<'started'>>;
  checkDestination(check: CheckStart): Promise<Started<'allowed' | 'blocked'>>;
  /** Starts a check of the channel's health if none runs, and waits for its end. */
  checkHealth(check: HealthStart): Promise<Started<CheckHealthResult>>;
  /** Requests the next attempt now, starting the delivery's workflow if none runs. */
  retryDelivery(delivery: FailedDelivery): Promise<Started<'signalled'>>;
  /** Returns immediately. Ignores unreachable workflows. */
  cancelDeliveries(deliveryIds: readonly string[]): void;
  testAlertWebhook(callId: string): Promise<Started<AlertCallResult>>;
  sendTestEvent(test: TestEventStart): Promise<Started<AttemptOutcome>>;
  startEmailCode(code: CodeStart): Promise<Started<'started'>>;
  /** Returns immediately. Ignores an unreachable workflow. */
  signalCode(attempt: { readonly publicId: string; readonly result: RegistrationEnd | 'refused' }): void;
  sendInvitation(invitationId: string): Promise<Started<'started'>>;
  /** Starts the container's workflow if none runs, and waits for the outcome of the create call. */
  createContainer(container: StartedContainer): Promise<Started<Acceptance>>;
  /** Starts the container's workflow if none runs, and waits for the outcome of the publish. */
  publishContainer(container: StartedContainer): Promise<Started<PublishAnswer>>;
  /** Returns undefined if the workflow does not answer in time. */
  containerProgress(containerId: string): Promise<ContainerProgress | undefined>;
  rotateToken(rotation: StartedRotation): Promise<Started<RotationResult>>;
  /** Requests that the workflow read its row, starting it if none runs. */
  signalReplay(replay: ReplayStart): Promise<Started<'signalled'>>;
  signalCircuit(signal: CircuitSignal): Promise<Started<'signalled'>>;
}
