import { defineQuery, defineUpdate } from '@temporalio/workflow';
import type { ContainerStatus } from '../../contract/containers/status.ts';
import type { Acceptance, PublishResult } from '../../contract/containers/workflow.ts';

export interface ContainerProgress {
  readonly status: ContainerStatus;
  readonly checkedAt: string | null;
  readonly nextCheckAt: string | null;
}
export const containerProgress = defineQuery<ContainerProgress>('containerProgress');

export const awaitAcceptance = defineUpdate<Acceptance>('awaitAcceptance');

/**
 * Idempotent. The validator throws `ContainerNotReady` while the platform processes the container, and `ContainerEnded`
 * if it can no longer be published.
 */
export const publishContainer = defineUpdate<PublishResult>('publishContainer');
