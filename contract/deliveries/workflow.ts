import type { EventType } from '../event-types.ts';

export interface DeliverWebhookInput {
  readonly deliveryId: string;
  /** Across all schedules. */
  readonly attemptsMade: number;
  readonly failedInSchedule: number;
  readonly nextAttemptAtMs: number;
  readonly scheduleMs: readonly number[];
  /** Optional. Set by a previous run, like the next two. */
  readonly lastAnswer?: string | null;
  readonly isRetryRequested?: boolean;
  readonly hasCircuitClosed?: boolean;
  readonly circuitWait?: CircuitWait | null;
}

/** The open circuit that a delivery waits for. Has ids only, except for the link. */
export interface CircuitWait {
  /** `webhook`, or the id of a subscription. */
  readonly destination: string;
  readonly channelId: string;
  /** The workflow that probes the destination. */
  readonly circuitWorkflowId: string;
  /** Of the delivery's own last attempt, without any text of the receiver. */
  readonly lastAnswer: string | null;
  readonly probeAtMs: number | null;
  /** The delivery in the dashboard. */
  readonly dashboardUrl: string;
}

/** A delivery in its retry schedule, which a workflow owns. */
export interface FailedDelivery {
  readonly deliveryId: string;
  readonly channelId: string;
  readonly workspaceId: string;
  readonly destination: string;
  readonly eventType: EventType;
  /** Optional. The destination's own schedule. Default: the installation's. */
  readonly scheduleMs?: readonly number[];
  readonly attemptsMade: number;
  readonly failedInSchedule: number;
  readonly nextAttemptAtMs: number;
}
