import type { PublishWaits } from './poll.ts';
import type { ContainerStatus } from './status.ts';

export interface CarryContainerInput {
  readonly containerId: string;
  /** 0 unless it is a carousel. */
  readonly childCount: number;
  readonly autoPublish: boolean;
  readonly expiresAtMs: number;
  /** The last one repeats. */
  readonly pollScheduleMs: readonly number[];
  readonly publishWaits: PublishWaits;
  /** Returned by queries until the run has read a newer one. */
  readonly status: ContainerStatus;
  /** An earlier run may have sent parts, so the run reads the rows first. */
  readonly resumed: boolean;
  /** Optional. Set on continue-as-new. */
  readonly looksMade?: number;
  readonly checkedAtMs?: number | null;
}

export interface StartedContainer {
  readonly containerId: string;
  readonly channelId: string;
  readonly workspaceId: string;
  readonly mediaType: string;
  readonly childCount: number;
  readonly autoPublish: boolean;
  readonly expiresAtMs: number;
  readonly status: ContainerStatus;
}

/** The outcome of a creation. */
export type Acceptance = 'accepted' | 'rejected' | 'lost' | 'not_sent';

/** The outcome of a publish. The row has the platform's message. */
export type PublishResult =
  | 'published'
  | 'not_ready'
  | 'quota_exceeded'
  | 'rejected'
  /** Nothing was sent. */
  | 'unreachable'
  /** Later polls do not show it as published. */
  | 'lost'
  | 'expired'
  | 'failed';
