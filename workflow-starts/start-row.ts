import type { ScheduleSpec } from '@temporalio/client';
import type { WorkflowIdConflictPolicy, WorkflowIdReusePolicy } from '@temporalio/common';
import type { AlertDigestInput } from '../contract/alerts/digest.ts';
import type { StartedRotation } from '../contract/channels/token.ts';
import type { StartedContainer } from '../contract/containers/workflow.ts';
import type { ShardHolder } from '../contract/deliveries/shard-holder.ts';
import type { FailedDelivery } from '../contract/deliveries/workflow.ts';
import type { FailingDestination } from '../contract/destinations/circuit.ts';
import type { StartedScheduledMessage } from '../contract/operations/scheduled-message.ts';
import type { ReplayStart } from '../contract/replays/replay.ts';
import type { DefaultWebhookStart, RolloutStart } from '../contract/webhooks/rollout.ts';
import type * as workflows from '../workflows/index.ts';

export type Workflows = typeof workflows;

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

export interface HealthStart {
  readonly channelId: string;
  readonly workspaceId: string;
}

export interface TestEventStart {
  readonly channelId: string;
  readonly workspaceId: string;
  readonly destination: string;
  readonly testEventId: number;
}

export interface CodeStart {
  readonly id: number;
  readonly publicId: string;
  readonly windowMs: number;
}

export interface ShardStart {
  readonly shard: number;
  /** Optional. Omit if no worker serves the shard. */
  readonly holder?: ShardHolder | undefined;
}

export interface NamespaceOwner {
  readonly installationId: string;
  readonly baseUrl: string;
}

/** Ids, counts and times, never a document or a secret. */
export interface StartInputs {
  readonly alertDigest: AlertDigestInput;
  readonly callAlertWebhook: { readonly callId: string; readonly isTest?: true };
  readonly carryContainer: {
    readonly container: StartedContainer;
    readonly pollScheduleMs: readonly number[];
    /** True if an earlier run may have acted. The workflow then reads the container's state first. */
    readonly resumed: boolean;
  };
  readonly checkDestination: CheckStart;
  readonly checkHealth: HealthStart;
  readonly deliverWebhook: { readonly delivery: FailedDelivery; readonly scheduleMs: readonly number[] };
  readonly deliveryShard: ShardStart;
  readonly destinationCircuit: {
    readonly destination: FailingDestination;
    readonly probeDelaysMs: readonly number[];
  };
  readonly emailCode: CodeStart;
  readonly eraseData: { readonly erasureId: string };
  readonly installation: NamespaceOwner;
  readonly notifyConnection: { readonly noticeId: string };
  readonly refreshCredential: { readonly credentialId: string; readonly workspaceId: string };
  readonly replayDeliveries: ReplayStart;
  readonly rollOutWebhook: RolloutStart;
  readonly rotateToken: StartedRotation;
  readonly saveDefaultWebhook: DefaultWebhookStart;
  readonly saveWebhook: SaveStart;
  readonly sendInvitation: { readonly invitationId: string };
  readonly sendScheduledMessage: StartedScheduledMessage;
  readonly sendTestEvent: TestEventStart;
}

export type StartedName = keyof StartInputs;
export type ScheduledName = Exclude<keyof Workflows, StartedName>;

/** `execute` also waits for the result. */
export type StartKind = 'start' | 'execute' | 'signalWithStart' | 'updateWithStart';

export interface StartRow<Name extends StartedName> {
  readonly kinds: readonly StartKind[];
  readonly workflowId: (input: StartInputs[Name]) => string;
  readonly policy: {
    readonly workflowIdReusePolicy?: WorkflowIdReusePolicy;
    readonly workflowIdConflictPolicy?: WorkflowIdConflictPolicy;
  };
  readonly args: (input: StartInputs[Name]) => Parameters<Workflows[Name]>;
  readonly summary: (input: StartInputs[Name]) => string;
  readonly keywords?: (input: StartInputs[Name]) => Readonly<Record<string, string>>;
  /** Optional. A public id by which the organization is found. Default: that of the workspace. */
  readonly subjectId?: (input: StartInputs[Name]) => string;
  /** Optional. Default: `CALL_DEADLINE_MS`. */
  readonly deadlineMs?: number;
  /** Required by `execute`: how long the caller waits for the result. */
  readonly resultDeadlineMs?: number;
  readonly executionTimeout?: '60s';
}

export interface ScheduleRow<Name extends ScheduledName> {
  readonly kinds: readonly ['schedule'];
  /** Also the workflow id, to which the server appends the start time. */
  readonly scheduleId: string;
  readonly spec: ScheduleSpec;
  readonly args: Parameters<Workflows[Name]>;
  readonly summary: string;
}

/** A workflow type without a row does not compile. */
export type WorkflowTable = { readonly [Name in StartedName]: StartRow<Name> } & {
  readonly [Name in ScheduledName]: ScheduleRow<Name>;
};
