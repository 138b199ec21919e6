import { defineQuery, defineUpdate } from '@temporalio/workflow';
import type { ContainerStatus } from '../../contract/containers/status.ts';
import type { Acceptance, PublishResult } from '../../contract/containers/workflow.ts';

export interface ContainerProgress {
  readonly status: ContainerStatus;
  readonly checkedAt: string | null;
  readonly nextCheckAt: string | null;
}
export const containerProgress = defineQuery<ContainerProgress>('containerProgress');

/** Returns once it is known whether the platform accepted the container. */
export const awaitAcceptance = defineUpdate<Acceptance>('awaitAcceptance');

/**
 * Publishes a finished container and returns once the outcome is known. Idempotent. The validator throws
 * `ContainerNotReady` while the platform is processing and `ContainerEnded` if the container can no longer be published.
 */
export const publishContainer = defineUpdate<PublishResult>('publishContainer');
