import type { WorkflowIdConflictPolicy, WorkflowIdReusePolicy } from '@temporalio/common';
import type { AlertDigestInput } from '../contract/alerts/digest.ts';
import { defaultRefreshWaitsMs } from '../contract/channels/credential-refresh.ts';
import type { StartedRotation } from '../contract/channels/token.ts';
import { defaultPublishWaits } from '../contract/containers/poll.ts';
import type { StartedContainer } from '../contract/containers/workflow.ts';
import type { FailedDelivery } from '../contract/deliveries/workflow.ts';
import { circuitNameOf, type FailingDestination } from '../contract/destinations/circuit.ts';
import { HELD_ERASURE_MS } from '../contract/erasures/erasure.ts';
import {
  channelHealthWorkflowId,
  channelTokenWorkflowId,
  containerWorkflowId,
  credentialWorkflowId,
  deliveryPumpWorkflowId,
  deliveryWorkflowId,
  destinationCircuitWorkflowId,
  installationWorkflowId,
  registrationWorkflowId,
  replayWorkflowId,
  scheduledWorkflowId,
  webhookRolloutWorkflowId,
  webhookSaveWorkflowId,
} from '../contract/ids.ts';
import { HELD_REPLAY_MS, type ReplayStart } from '../contract/replays/replay.ts';
import type { ScheduledStart } from '../contract/scheduled/scheduled.ts';
import { searchAttributes } from '../contract/search-attributes.ts';
import type { DefaultWebhookStart, RolloutStart } from '../contract/webhooks/rollout.ts';
import type * as workflows from './index.ts';
import type { SendNotificationInput } from './notifications/send-notification.ts';

export type Workflows = typeof workflows;

/** What a start may need besides its input. */
export interface StartContext {
  readonly retryScheduleMs: readonly number[];
  readonly pollScheduleMs: readonly number[];
  readonly probeDelaysMs: readonly number[];
  /** Random, for the id of a workflow that runs any number of times. */
  readonly token: string;
}

interface Start<Name extends keyof Workflows> {
  readonly workflowId: string;
  /** Ids, counts and times, never a document or a secret. */
  readonly args: Parameters<Workflows[Name]>;
  readonly summary: string;
  readonly keywords?: Readonly<Record<string, string>>;
  /** Optional. A public id by which the organization is found. Default: that of the workspace. */
  readonly subjectId?: string;
  /** Optional. Default: a minute for a pinned type, and none for others. */
  readonly executionTimeout?: '60s' | undefined;
}

/** What ends and starts again the runs of a type. `mayInterrupt`: also while a worker executes an activity of one. */
export type Retirement =
  { readonly restart: 'adoption' | 'schedule'; readonly mayInterrupt: boolean } | { readonly refusal: string };

/**
 * `PINNED`: a run ends within a minute, on the build that started it. `AUTO_UPGRADE`: a run that may last longer, also of a
 * new type. It moves to the current build with its next task, so a change of its workflow must be patched: see "A change
 * of a workflow" in CONTRIBUTING.md.
 */
type Behavior =
  | { readonly behavior: 'PINNED'; readonly retirement?: Retirement }
  | { readonly behavior: 'AUTO_UPGRADE'; readonly retirement: Retirement };

interface StartRules {
  readonly policy: {
    readonly workflowIdReusePolicy?: WorkflowIdReusePolicy;
    readonly workflowIdConflictPolicy?: WorkflowIdConflictPolicy;
  };
  /** Optional, of the call that starts it. Default: `CALL_DEADLINE_MS`. */
  readonly deadlineMs?: number;
  /** Optional. How long a caller waits for the result. Default: it does not wait. */
  readonly resultDeadlineMs?: number;
}

interface Started<Name extends keyof Workflows> extends StartRules {
  readonly start: (input: never, context: StartContext) => Start<Name>;
}

type Span = `${number} ${'minute' | 'minutes' | 'hour'}`;

interface Scheduled<Name extends keyof Workflows> {
  /** Also the workflow id, to which the server appends the start time. */
  readonly scheduleId: string;
  readonly spec: { calendars: { hour: number }[]; jitter: Span } | { intervals: { every: Span }[]; jitter: Span };
  readonly args: Parameters<Workflows[Name]>;
  readonly summary: string;
}

/** Keeps a running workflow. Starts a new run after a closed one: the row decides whether anything is left to do. */
const joinRunning = { workflowIdReusePolicy: 'ALLOW_DUPLICATE', workflowIdConflictPolicy: 'USE_EXISTING' } as const;
const startOnce = { workflowIdReusePolicy: 'REJECT_DUPLICATE' } as const;

const pinned = { behavior: 'PINNED' } as const;
/** Its rows start it again, without a loss and without sending twice. */
const adopted = {
  behavior: 'AUTO_UPGRADE',
  retirement: { restart: 'adoption', mayInterrupt: false },
} as const;
/** A worker is nearly always executing an activity of it, which may be repeated while it runs. */
const adoptedAtOnce = {
  behavior: 'AUTO_UPGRADE',
  retirement: { restart: 'adoption', mayInterrupt: true },
} as const;
const scheduled = {
  behavior: 'AUTO_UPGRADE',
  retirement: { restart: 'schedule', mayInterrupt: true },
} as const;
const keptUntilItsEnd = (refusal: string) => ({ behavior: 'AUTO_UPGRADE', retirement: { refusal } }) as const;

/**
 * Every workflow type: how it is started, what its runs are called, and how they move to another release. Names, ids,
 * arguments, summaries and search attributes are stored in histories: add rows, but never change stored values. Calls of
 * the API and the worker are derived from the rows.
 */
export const workflowTypes = {
  alertDigest: {
    ...pinned,
    policy: joinRunning,
    start: (digest: AlertDigestInput) => ({
      workflowId: `alert-digest/${digest.organizationId}`,
      args: [digest],
      summary: `Alerts of ${digest.organizationId}`,
      keywords: { [searchAttributes.organization]: digest.organizationId },
    }),
  },
  carryContainer: {
    ...adopted,
    policy: joinRunning,
    /** `resumed`: an earlier run may have acted. The workflow then reads the container's state first. */
    start: (
      { container, resumed }: { readonly container: StartedContainer; readonly resumed: boolean },
      { pollScheduleMs },
    ) => {
      const { containerId, childCount, autoPublish, expiresAtMs, status } = container;
      const carried = { containerId, childCount, autoPublish, expiresAtMs, status };
      return {
        workflowId: containerWorkflowId(containerId),
        args: [{ ...carried, pollScheduleMs, publishWaits: defaultPublishWaits, resumed }],
        summary: `${container.mediaType} of ${container.channelId}`,
        keywords: { ...channelKeywords(container), [searchAttributes.state]: status },
      };
    },
  },
  carryScheduled: {
    ...adopted,
    policy: joinRunning,
    start: ({ scheduledId, dueAtMs, ...place }: ScheduledStart) => ({
      workflowId: scheduledWorkflowId(scheduledId),
      args: [{ scheduledId, ...(dueAtMs !== null && { dueAtMs }) }],
      summary: `${scheduledId} of ${place.channelId}`,
      keywords: channelKeywords(place),
    }),
  },
  checkDestination: {
    ...pinned,
    policy: {},
    start: (check: OfChannel & { readonly destinationId: number }, { token }) => ({
      workflowId: `destination-check/${token}`,
      args: [{ destinationId: check.destinationId }],
      summary: `new destination of ${check.channelId}`,
      keywords: channelKeywords(check),
    }),
    // One DNS lookup, and the wait for a free worker.
    resultDeadlineMs: 20_000,
  },
  checkHealth: {
    ...pinned,
    policy: joinRunning,
    start: (check: OfChannel) => ({
      workflowId: channelHealthWorkflowId(check.channelId),
      args: [{ channelId: check.channelId }],
      summary: `health of ${check.channelId}`,
      keywords: channelKeywords(check),
    }),
    // Usually three calls, each of at most 10 s, and the wait for a free worker.
    resultDeadlineMs: 33_000,
  },
  deliverWebhook: {
    ...adopted,
    policy: joinRunning,
    start: (delivery: FailedDelivery, { retryScheduleMs }) => {
      const { deliveryId, attemptsMade, failedInSchedule, nextAttemptAtMs, scheduleMs = retryScheduleMs } = delivery;
      return {
        workflowId: deliveryWorkflowId(deliveryId),
        args: [{ deliveryId, attemptsMade, failedInSchedule, nextAttemptAtMs, scheduleMs }],
        summary: `${delivery.eventType} of ${delivery.channelId} to ${delivery.destination}`,
        keywords: {
          ...channelKeywords(delivery),
          [searchAttributes.destination]: delivery.destination,
          [searchAttributes.eventType]: delivery.eventType,
          [searchAttributes.state]: 'retrying',
        },
      };
    },
  },
  deliveryPump: {
    ...adoptedAtOnce,
    policy: joinRunning,
    start: ({ holder }: { readonly holder: string }) => ({
      workflowId: deliveryPumpWorkflowId(holder),
      args: [{ holder }],
      summary: `Shows the pump of worker ${holder}`,
    }),
  },
  destinationCircuit: {
    ...adopted,
    policy: joinRunning,
    start: (failing: FailingDestination, { probeDelaysMs }) => ({
      workflowId: destinationCircuitWorkflowId(circuitNameOf(failing)),
      args: [{ destinationId: failing.destinationId, probeAtMs: failing.probeAtMs, probeDelaysMs }],
      summary: `Circuit of ${failing.destination} of ${failing.channelId}`,
      keywords: {
        ...channelKeywords(failing),
        [searchAttributes.destination]: failing.destination,
        [searchAttributes.state]: 'open',
      },
    }),
  },
  emailCode: {
    ...keptUntilItsEnd('nothing starts it again. It ends with the window of its code'),
    policy: startOnce,
    start: ({
      id,
      publicId,
      windowMs,
    }: {
      readonly id: number;
      readonly publicId: string;
      readonly windowMs: number;
    }) => ({
      workflowId: registrationWorkflowId(publicId),
      args: [{ registrationId: id, windowMs }],
      summary: `code of ${publicId}`,
    }),
  },
  eraseData: {
    ...adoptedAtOnce,
    policy: joinRunning,
    start: ({ erasureId }: { readonly erasureId: string }) => ({
      workflowId: `erasure/${erasureId}`,
      args: [{ erasureId, heldMs: HELD_ERASURE_MS }],
      summary: `erasure ${erasureId}`,
      subjectId: erasureId,
    }),
  },
  installation: {
    ...keptUntilItsEnd('it marks the namespace, and nothing starts it again before the next start of a worker'),
    // Only one installation may start it. After it was terminated, the next one may.
    policy: { workflowIdReusePolicy: 'ALLOW_DUPLICATE', workflowIdConflictPolicy: 'FAIL' },
    start: (owner: NamespaceOwner) => ({
      workflowId: installationWorkflowId,
      args: [owner],
      summary: `${owner.installationId} at ${owner.baseUrl}`,
    }),
  },
  invariants: {
    ...scheduled,
    scheduleId: 'invariants',
    spec: { calendars: [{ hour: 4 }], jitter: '15 minutes' },
    args: [],
    summary: 'Checks that the ledger is true',
  },
  refreshCredential: {
    ...adopted,
    policy: joinRunning,
    start: ({ credentialId, workspaceId }: { readonly credentialId: string; readonly workspaceId: string }) => ({
      workflowId: credentialWorkflowId(credentialId),
      args: [{ credentialId, waitsMs: defaultRefreshWaitsMs }],
      summary: `refresh of ${credentialId}`,
      keywords: { [searchAttributes.workspace]: workspaceId },
    }),
  },
  refreshHealth: {
    ...scheduled,
    scheduleId: 'channel-health',
    // How often due channels are looked for. When a channel is due is a setting.
    spec: { intervals: [{ every: '5 minutes' }], jitter: '1 minute' },
    args: [{}],
    summary: 'Asks the platform about connected accounts',
  },
  replayDeliveries: {
    ...adoptedAtOnce,
    policy: joinRunning,
    start: ({ replayId, scope, workspaceId, channelId, destination, ratePerSecond }: ReplayStart) => ({
      workflowId: replayWorkflowId(replayId),
      args: [{ replayId, heldMs: HELD_REPLAY_MS }],
      summary: `Replay of ${scope} to ${destination ?? 'the same destinations'}, at most ${ratePerSecond}/s`,
      keywords: {
        ...organizationKeyword(scope.replace(/^organization:/, '')),
        ...(workspaceId !== null && { [searchAttributes.workspace]: workspaceId }),
        ...(channelId !== null && { [searchAttributes.channel]: channelId }),
        ...(destination !== null && { [searchAttributes.destination]: destination }),
        [searchAttributes.state]: 'planning',
      },
    }),
  },
  retention: {
    ...scheduled,
    scheduleId: 'retention',
    spec: { intervals: [{ every: '1 hour' }], jitter: '5 minutes' },
    args: [{}],
    summary: 'Removes what is older than the installation keeps',
  },
  rollOutWebhook: {
    ...adoptedAtOnce,
    policy: joinRunning,
    start: ({ rolloutId, workspaceId }: RolloutStart) => ({
      workflowId: webhookRolloutWorkflowId(rolloutId),
      args: [{ rolloutId }],
      summary: `rollout ${rolloutId}`,
      subjectId: rolloutId,
      keywords: {
        ...(workspaceId !== null && { [searchAttributes.workspace]: workspaceId }),
        [searchAttributes.state]: 'running',
      },
    }),
  },
  rotateToken: {
    ...keptUntilItsEnd('nothing starts it again. It ends with the overlap of the tokens, which the database enforces'),
    policy: joinRunning,
    start: (rotation: StartedRotation) => ({
      workflowId: channelTokenWorkflowId(rotation.channelId),
      args: [{ channelId: rotation.channelId, overlapMs: null }],
      summary: `token of ${rotation.channelId}`,
      keywords: channelKeywords(rotation),
    }),
    // The call returns after the worker has committed the rotation. It stays below the rotation's own deadline of 30 s.
    deadlineMs: 15_000,
  },
  saveDefaultWebhook: {
    ...pinned,
    policy: startOnce,
    start: ({ ownerId, workspaceId, defaultWebhookId }: DefaultWebhookStart) => ({
      workflowId: `default-webhook-save/${ownerId}/${defaultWebhookId}`,
      args: [{ defaultWebhookId }],
      summary: `default webhook of ${ownerId}`,
      keywords: {
        ...organizationKeyword(ownerId),
        ...(workspaceId !== null && { [searchAttributes.workspace]: workspaceId }),
      },
    }),
    // As for a channel's webhook.
    resultDeadlineMs: 33_000,
  },
  saveWebhook: {
    ...pinned,
    policy: startOnce,
    start: ({ candidateId, ...place }: OfChannel & { readonly candidateId: number }) => ({
      workflowId: webhookSaveWorkflowId(place.channelId, candidateId),
      args: [{ candidateId }],
      summary: `webhook of ${place.channelId}`,
      keywords: channelKeywords(place),
    }),
    // The candidate's own deadline is 30 s. By then the save has ended or can no longer commit.
    resultDeadlineMs: 33_000,
  },
  sendInvitation: {
    ...keptUntilItsEnd('nothing starts it again, and the invitation would not be sent'),
    policy: startOnce,
    start: ({ invitationId }: { readonly invitationId: string }) => ({
      workflowId: `invitation/${invitationId}`,
      args: [{ invitationId }],
      summary: `mail of ${invitationId}`,
      subjectId: invitationId,
    }),
  },
  sendNotification: {
    ...adopted,
    policy: joinRunning,
    start: ({ notificationId, isTest = false }: SendNotificationInput) => ({
      workflowId: `notification/${notificationId}`,
      args: [{ notificationId, ...(isTest && { isTest }) }],
      summary: `notification ${notificationId}`,
      subjectId: notificationId,
      executionTimeout: isTest ? '60s' : undefined,
    }),
    // A test: an attempt of 10 s, a retry of the activity, and the wait for a free worker.
    resultDeadlineMs: 25_000,
  },
  sendTestEvent: {
    ...pinned,
    policy: startOnce,
    start: ({ testEventId, destination, ...place }: TestEventStart) => ({
      workflowId: `test-event/${place.channelId}/${testEventId}`,
      args: [{ testEventId }],
      summary: `test event of ${place.channelId} to ${destination}`,
      keywords: { ...channelKeywords(place), [searchAttributes.destination]: destination },
    }),
    // Longer than the activity with its retries, so that the caller's slot is not free before the worker's.
    resultDeadlineMs: 20_000,
  },
} satisfies { readonly [Name in keyof Workflows]: Behavior & (Started<Name> | Scheduled<Name>) };

interface OfChannel {
  readonly channelId: string;
  readonly workspaceId: string;
}

interface TestEventStart extends OfChannel {
  readonly destination: string;
  readonly testEventId: number;
}

export interface NamespaceOwner {
  readonly installationId: string;
  readonly baseUrl: string;
}

/** Nothing for the id of a workspace, whose organization is looked up. */
function organizationKeyword(id: string): Readonly<Record<string, string>> {
  return id.startsWith('org_') ? { [searchAttributes.organization]: id } : {};
}

function channelKeywords({ workspaceId, channelId }: OfChannel): Readonly<Record<string, string>> {
  return { [searchAttributes.workspace]: workspaceId, [searchAttributes.channel]: channelId };
}

type WorkflowTypes = typeof workflowTypes;
export type WorkflowType = keyof WorkflowTypes;
export const typeNames = Object.keys(workflowTypes) as readonly WorkflowType[];

export type ScheduledType = {
  [Name in WorkflowType]: WorkflowTypes[Name] extends { readonly scheduleId: string } ? Name : never;
}[WorkflowType];
export type StartedType = Exclude<WorkflowType, ScheduledType>;
/** Types for whose result a caller may wait. */
export type AwaitedType = {
  [Name in StartedType]: WorkflowTypes[Name] extends { readonly resultDeadlineMs: number } ? Name : never;
}[StartedType];

export type StartInput<Name extends StartedType> = Parameters<WorkflowTypes[Name]['start']>[0];

export const startedNames = typeNames.filter((name): name is StartedType => 'start' in workflowTypes[name]);

type StartedRows = {
  readonly [Name in StartedType]: StartRules & {
    readonly behavior: 'PINNED' | 'AUTO_UPGRADE';
    readonly start: (input: StartInput<Name>, context: StartContext) => Start<Name>;
  };
};

/** Returns the row of a type, without its literal types, so that a generic name selects its input. */
export function startedType<Name extends StartedType>(name: Name): StartedRows[Name] {
  const rows: StartedRows = workflowTypes;
  return rows[name];
}

/** Undefined for a type whose runs just end within a minute. */
export function retirementOf(name: WorkflowType): Retirement | undefined {
  const row: Behavior = workflowTypes[name];
  return row.behavior === 'PINNED' ? undefined : row.retirement;
}
