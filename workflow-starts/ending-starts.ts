import type { Started, WorkflowStarts } from './workflow-starts.ts';

/**
 * What a request that was still waiting needs after its wait has ended: to read what its row says, and to answer. Ten
 * seconds, because that is a lot for a busy machine, and most of what is waited for comes sooner than the rest of it.
 */
const ANSWER_ROOM_MS = 10_000;

/** How long after it was asked to stop a process goes on waiting; of a short grace, half is for answers. */
export function waitsEndAfterMs(graceMs: number): number {
  return Math.max(graceMs / 2, graceMs - ANSWER_ROOM_MS);
}

export interface EndingStarts {
  readonly starts: WorkflowStarts;
  /** Ends all waits at once; nothing is started from then on. */
  endWaits(): void;
}

/**
 * Has whoever waits for a workflow told in time that the process ends. The workflow goes on without us, so that what
 * becomes of it is as unknown as when a wait runs out of time, and routes answer as they do then; a connection that was
 * cut off would have told the caller nothing.
 */
export function endingStarts(starts: WorkflowStarts): EndingStarts {
  const waits = new Set<() => void>();
  let hasEnded = false;

  function ending<Input extends unknown[], Result>(
    call: (...input: Input) => Promise<Started<Result>>,
  ): (...input: Input) => Promise<Started<Result>> {
    return async (...input) => {
      if (hasEnded) return { state: 'not_started', cause: stopping() };
      const { promise: ended, resolve } = Promise.withResolvers<Started<Result>>();
      const end = (): void => resolve({ state: 'unknown', cause: stopping() });
      waits.add(end);
      try {
        return await Promise.race([call(...input), ended]);
      } finally {
        waits.delete(end);
      }
    };
  }

  return {
    starts: {
      ...starts,
      saveWebhook: ending(starts.saveWebhook),
      checkDestination: ending(starts.checkDestination),
      retryDelivery: ending(starts.retryDelivery),
      sendTestEvent: ending(starts.sendTestEvent),
      startEmailCode: ending(starts.startEmailCode),
      sendInvitation: ending(starts.sendInvitation),
      createContainer: ending(starts.createContainer),
      publishContainer: ending(starts.publishContainer),
      rotateToken: ending(starts.rotateToken),
      replayMoved: ending(starts.replayMoved),
      tellCircuit: ending(starts.tellCircuit),
    },
    endWaits() {
      hasEnded = true;
      for (const end of waits) end();
    },
  };
}

const stopping = (): Error => new Error('The process is stopping');
