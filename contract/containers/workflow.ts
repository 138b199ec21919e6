import type { PublishWaits } from './poll.ts';
import type { ContainerStatus } from './status.ts';

export interface CarryContainerInput {
  readonly containerId: string;
  readonly childCount: number;
  readonly autoPublish: boolean;
  readonly expiresAtMs: number;
  readonly pollScheduleMs: readonly number[];
  readonly publishWaits: PublishWaits;
  readonly status: ContainerStatus;
  /** True if an earlier run may have sent parts. The run then reads the rows first. */
  readonly resumed: boolean;
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

export type Acceptance = 'accepted' | 'rejected' | 'lost' | 'not_sent';

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
