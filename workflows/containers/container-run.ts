import { allHandlersFinished, continueAsNew, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import { type ContainerStatus, finalContainerStatuses } from '../../contract/containers/status.ts';
import type { Acceptance, CarryContainerInput, PublishResult } from '../../contract/containers/workflow.ts';
import { stateAttribute } from '../messages/state-attribute.ts';

/** How a container's run stands, for its phases and for those who ask it. */
export type ContainerRun = ReturnType<typeof createContainerRun>;

interface Progress {
  status: ContainerStatus;
  acceptance: Acceptance | undefined;
  /** Looks of the present watch that an earlier run has made. */
  looksMade: number;
  checkedAtMs: number | null;
  nextCheckAtMs: number | null;
  publishWanted: boolean;
  publishesDone: number;
  lastPublish: PublishResult;
  /** Nothing more is done: whoever still waits is answered as it stands. */
  isOver: boolean;
}

export function createContainerRun(input: CarryContainerInput) {
  const progress: Progress = {
    status: input.status,
    acceptance: undefined,
    looksMade: input.looksMade ?? 0,
    checkedAtMs: input.checkedAtMs ?? null,
    nextCheckAtMs: null,
    publishWanted: input.autoPublish,
    publishesDone: 0,
    lastPublish: 'failed',
    isOver: false,
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

    /** Goes on in another run before the history gets too long; not while anyone waits for an answer of this one. */
    async goOnAnew({ looksMade }: { readonly looksMade: number }): Promise<void> {
      if (!workflowInfo().continueAsNewSuggested || !allHandlersFinished()) return;
      const { status, checkedAtMs, publishWanted: autoPublish } = progress;
      const next = { ...input, status, checkedAtMs, autoPublish, looksMade, resumed: true };
      await continueAsNew<(input: CarryContainerInput) => Promise<unknown>>(next);
    },
  };
}
