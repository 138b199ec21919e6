import { ApplicationFailure, Context } from '@temporalio/activity';
import type { Knex } from 'knex';
import type { ErasureState } from '../../contract/erasures/erasure.ts';
import type { BodyBox } from '../../db/core/body-box.ts';
import { failureTypes } from '../../contract/failures.ts';
import { eraseSlice } from '../../db/erasures/erase-slice.ts';
import type { Log } from '../../process/log.ts';

export type ErasureActivities = ReturnType<typeof createErasureActivities>;

export interface ErasureActivityDeps {
  readonly db: Knex;
  readonly bodyBox: BodyBox;
  readonly stopping: AbortSignal;
  readonly log: Log;
}

/** An activity returns to its workflow after this time. */
const WORK_MS = 60_000;

export function createErasureActivities({ db, bodyBox, stopping, log }: ErasureActivityDeps) {
  return {
    async eraseSlices({ erasureId }: { readonly erasureId: string }): Promise<ErasureState> {
      const context = Context.current();
      const untilMs = performance.now() + WORK_MS;
      for (;;) {
        const state = await eraseSlice(db, erasureId, { open: bodyBox.open });
        if (!state)
          throw ApplicationFailure.nonRetryable(`Erasure ${erasureId} not found`, failureTypes.erasureNotFound);
        context.heartbeat();
        const isOver = stopping.aborted || context.cancellationSignal.aborted || performance.now() >= untilMs;
        if (!isOver && state.status !== 'completed' && !state.isHeld) continue;
        log.info('erasure.progressed', { erasureId, ...state });
        return state;
      }
    },
  };
}
