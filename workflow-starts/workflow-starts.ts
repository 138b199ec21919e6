import type { RotationResult, StartedRotation } from '../contract/channels/token.ts';
import type { TroubledDestination } from '../contract/destinations/circuit.ts';
import type { Acceptance, PublishResult, StartedContainer } from '../contract/containers/workflow.ts';
import type { TroubledDelivery } from '../contract/deliveries/workflow.ts';
import type { RegistrationEnd } from '../contract/identity/email-code.ts';
import type { ContainerProgress } from '../workflows/messages/messages.ts';
import type { ReplayStart } from '../contract/replays/replay.ts';
import type { SaveWebhookResult } from '../workflows/webhooks/save-webhook.ts';

/**
 * What came of starting a workflow. `not_started` is certain: the server was never reached, or refused for want of
 * capacity. `unknown` is everything between: it may have been started, and may still end either way.
 */
export type Started<Result> =
  | { readonly state: 'ended'; readonly result: Result }
  | { readonly state: 'not_started'; readonly cause: unknown }
  | { readonly state: 'unknown'; readonly cause: unknown };

export interface SaveStart {
  readonly channelId: string;
  readonly workspaceId: string;
  readonly candidateId: number;
}

export interface CheckStart {
  readonly channelId: string;
  readonly workspaceId: string;
  readonly destinationId: number;
}

export interface TestEventStart {
  readonly channelId: string;
  readonly workspaceId: string;
  /** `webhook`, or the subscription's id. */
  readonly destination: string;
  readonly testEventId: number;
}

export interface CodeStart {
  /** The row of the registration. */
  readonly id: number;
  readonly publicId: string;
  readonly windowMs: number;
}

/** What a container's workflow says to a publish; a refusal leaves no trace in its history. */
export type PublishAnswer = PublishResult | 'refused_not_ready' | 'refused_ended';

export interface CircuitSignal {
  readonly destination: TroubledDestination;
  /** `moved`: to look at the ledger. `probe`: a person asks for a probe whatever the ledger says. */
  readonly as: 'moved' | 'probe';
}

/** The workflows that the API starts and speaks to: all that its routes know of Temporal. */
export interface WorkflowStarts {
  /** Starts a webhook save and waits for its end. */
  saveWebhook(save: SaveStart): Promise<Started<SaveWebhookResult>>;
  /** Judges the addresses behind a staged destination and waits for the verdict. */
  checkDestination(check: CheckStart): Promise<Started<'allowed' | 'blocked'>>;
  /** Tells a troubled delivery's workflow to go now, starting one where none runs. */
  retryDelivery(delivery: TroubledDelivery): Promise<Started<'signalled'>>;
  /** Cancels the workflows of deliveries that have ended otherwise, as far as they can be reached. */
  cancelDeliveries(deliveryIds: readonly string[]): void;
  /** Sends a staged sample event and waits until it was answered. */
  sendTestEvent(test: TestEventStart): Promise<Started<'attempted'>>;
  /** Starts the workflow that sends a registration's code and owns its window. */
  startEmailCode(code: CodeStart): Promise<Started<'started'>>;
  /** Tells that workflow what became of a try, as far as it can be reached. */
  codeTried(attempt: { readonly publicId: string; readonly result: RegistrationEnd | 'refused' }): void;
  /** Starts the workflow that sends an invitation's mail. */
  sendInvitation(invitationId: string): Promise<Started<'started'>>;
  /** Starts the workflow of a stored container where none runs, and waits until its creation is settled. */
  createContainer(container: StartedContainer): Promise<Started<Acceptance>>;
  /** Asks the container's workflow to publish, starting one where none runs, and waits for what comes of it. */
  publishContainer(container: StartedContainer): Promise<Started<PublishAnswer>>;
  /** How the container stands for its workflow; undefined where none answers at once. */
  containerProgress(containerId: string): Promise<ContainerProgress | undefined>;
  /** Has a staged rotation of a channel's token made by the channel's workflow, and waits for that. */
  rotateToken(rotation: StartedRotation): Promise<Started<RotationResult>>;
  /** Tells a replay's workflow that its row has moved, starting one where none runs. */
  replayMoved(replay: ReplayStart): Promise<Started<'signalled'>>;
  /** Tells the workflow of an open circuit to look at it, or to probe; starts one where none runs. */
  tellCircuit(signal: CircuitSignal): Promise<Started<'signalled'>>;
  isReachable(): Promise<boolean>;
}
