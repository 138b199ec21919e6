import { allHandlersFinished, continueAsNew, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import { type ContainerStatus, finalContainerStatuses } from '../../contract/containers/status.ts';
import type { Acceptance, CarryContainerInput, PublishResult } from '../../contract/containers/workflow.ts';
import { stateAttribute } from '../runs/this-run.ts';

export type ContainerRun = ReturnType<typeof createContainerRun>;

interface Progress {
  status: ContainerStatus;
  acceptance: Acceptance | undefined;
  /** Checks made by the previous run. */
  looksMade: number;
  checkedAtMs: number | null;
  nextCheckAtMs: number | null;
  publishRequested: boolean;
  publishesDone: number;
  lastPublish: PublishResult;
  hasEnded: boolean;
}

export function createContainerRun(input: CarryContainerInput) {
  const progress: Progress = {
    status: input.status,
    acceptance: undefined,
    looksMade: input.looksMade ?? 0,
    checkedAtMs: input.checkedAtMs ?? null,
    nextCheckAtMs: null,
    publishRequested: input.autoPublish,
    publishesDone: 0,
    lastPublish: 'failed',
    hasEnded: false,
  };
  const isFinal = (): boolean => finalContainerStatuses.includes(progress.status);

  return {
    input,
    progress,
    isFinal,
    untilExpiryMs: (): number => Math.max(input.expiresAtMs - Date.now(), 1),

    move(to: ContainerStatus): void {
      if (to === progress.status) return;
      progress.status = to;
      if (isFinal()) progress.nextCheckAtMs = null;
      upsertSearchAttributes([{ key: stateAttribute, value: to }]);
    },

    async continueAsNewIfSuggested({ looksMade }: { readonly looksMade: number }): Promise<void> {
      if (!workflowInfo().continueAsNewSuggested || !allHandlersFinished()) return;
      const { status, checkedAtMs, publishRequested: autoPublish } = progress;
      const next = { ...input, status, checkedAtMs, autoPublish, looksMade, resumed: true };
      await continueAsNew<(input: CarryContainerInput) => Promise<unknown>>(next);
    },
  };
}
