import type { RotationResult, StartedRotation } from '../contract/channels/token.ts';
import type { Acceptance, PublishResult, StartedContainer } from '../contract/containers/workflow.ts';
import type { TroubledDelivery } from '../contract/deliveries/workflow.ts';
import type { TroubledDestination } from '../contract/destinations/circuit.ts';
import type { RegistrationEnd } from '../contract/identity/email-code.ts';
import type { ReplayStart } from '../contract/replays/replay.ts';
import type { ContainerProgress } from '../workflows/messages/containers.ts';
import type { SaveWebhookResult } from '../workflows/webhooks/save-webhook.ts';
import type { Started } from './start-and-await.ts';
import type { CheckStart, CodeStart, SaveStart, TestEventStart } from './start-row.ts';

/** The result of a publish. A refusal leaves no event in the history. */
export type PublishAnswer = PublishResult | 'refused_not_ready' | 'refused_ended';

export interface CircuitSignal {
  readonly destination: TroubledDestination;
  /** `moved`: the workflow reads the ledger. `probe`: a user requests a probe, even if the ledger needs none. */
  readonly as: 'moved' | 'probe';
}

/** The workflows that the API starts and signals. Its routes know nothing else of Temporal. */
export interface WorkflowStarts {
  saveWebhook(save: SaveStart): Promise<Started<SaveWebhookResult>>;
  /** Waits until the addresses of a staged destination are checked. */
  checkDestination(check: CheckStart): Promise<Started<'allowed' | 'blocked'>>;
  /** Requests the next attempt of a troubled delivery now, starting its workflow if none runs. */
  retryDelivery(delivery: TroubledDelivery): Promise<Started<'signalled'>>;
  /** Cancels the workflows of ended deliveries in the background. Ignores unreachable ones. */
  cancelDeliveries(deliveryIds: readonly string[]): void;
  /** Sends a staged sample event and waits for the attempt. */
  sendTestEvent(test: TestEventStart): Promise<Started<'attempted'>>;
  startEmailCode(code: CodeStart): Promise<Started<'started'>>;
  /** Signals the result of an entered code in the background. Ignores an unreachable workflow. */
  signalCode(attempt: { readonly publicId: string; readonly result: RegistrationEnd | 'refused' }): void;
  sendInvitation(invitationId: string): Promise<Started<'started'>>;
  /** Starts the workflow of a stored container if none runs, and waits until the platform accepts or rejects it. */
  createContainer(container: StartedContainer): Promise<Started<Acceptance>>;
  /** Requests a publish, starting the container's workflow if none runs, and waits for the outcome. */
  publishContainer(container: StartedContainer): Promise<Started<PublishAnswer>>;
  /** Returns undefined if the workflow does not answer in time. */
  containerProgress(containerId: string): Promise<ContainerProgress | undefined>;
  /** Carries out a staged rotation of the channel's token and waits for it. */
  rotateToken(rotation: StartedRotation): Promise<Started<RotationResult>>;
  /** Requests that a replay's workflow read its row, starting it if none runs. */
  signalReplay(replay: ReplayStart): Promise<Started<'signalled'>>;
  /** Signals the workflow of an open circuit, starting it if none runs. */
  signalCircuit(signal: CircuitSignal): Promise<Started<'signalled'>>;
  isReachable(): Promise<boolean>;
}
