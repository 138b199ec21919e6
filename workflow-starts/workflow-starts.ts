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

/** The workflow's answer to a publish; a refusal leaves no trace in its history. */
export type PublishAnswer = PublishResult | 'refused_not_ready' | 'refused_ended';

export interface CircuitSignal {
  readonly destination: TroubledDestination;
  /** `moved`: the workflow reads the ledger. `probe`: a person asks for a probe, whether or not the ledger asks for one. */
  readonly as: 'moved' | 'probe';
}

/** The workflows that the API starts and signals: all that its routes know of Temporal. */
export interface WorkflowStarts {
  /** Starts a webhook save and waits for its end. */
  saveWebhook(save: SaveStart): Promise<Started<SaveWebhookResult>>;
  /** Checks the addresses behind a staged destination and waits for the verdict. */
  checkDestination(check: CheckStart): Promise<Started<'allowed' | 'blocked'>>;
  /** Signals a troubled delivery's workflow to make its next attempt now, starting it if none runs. */
  retryDelivery(delivery: TroubledDelivery): Promise<Started<'signalled'>>;
  /** Cancels the workflows of deliveries that have ended, as far as they can be reached. */
  cancelDeliveries(deliveryIds: readonly string[]): void;
  /** Sends a staged sample event and waits until it was attempted. */
  sendTestEvent(test: TestEventStart): Promise<Started<'attempted'>>;
  /** Starts the workflow that sends a registration's code and owns its window. */
  startEmailCode(code: CodeStart): Promise<Started<'started'>>;
  /** Signals that workflow the result of a try, as far as it can be reached. */
  signalCode(attempt: { readonly publicId: string; readonly result: RegistrationEnd | 'refused' }): void;
  /** Starts the workflow that sends an invitation's mail. */
  sendInvitation(invitationId: string): Promise<Started<'started'>>;
  /** Starts the workflow of a stored container if none runs, and waits until its creation is settled. */
  createContainer(container: StartedContainer): Promise<Started<Acceptance>>;
  /** Asks the container's workflow to publish, starting it if none runs, and waits for the outcome. */
  publishContainer(container: StartedContainer): Promise<Started<PublishAnswer>>;
  /** Returns the container's state as its workflow knows it; undefined if none answers at once. */
  containerProgress(containerId: string): Promise<ContainerProgress | undefined>;
  /** Has the channel's workflow make a staged rotation of the token, and waits for it. */
  rotateToken(rotation: StartedRotation): Promise<Started<RotationResult>>;
  /** Signals a replay's workflow to read its row, starting it if none runs. */
  signalReplay(replay: ReplayStart): Promise<Started<'signalled'>>;
  /** Signals the workflow of an open circuit, starting it if none runs. */
  signalCircuit(signal: CircuitSignal): Promise<Started<'signalled'>>;
  isReachable(): Promise<boolean>;
}
