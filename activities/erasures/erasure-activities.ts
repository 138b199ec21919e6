import { ApplicationFailure, Context } from '@temporalio/activity';
import type { Knex } from 'knex';
import type { ErasureState } from '../../contract/erasures/erasure.ts';
import type { BodyBox } from '../../db/core/body-box.ts';
import { failureTypes } from '../../contract/failures.ts';
import { eraseSlice } from '../../db/erasures/erase-slice.ts';
import { findErasureOrganization } from '../../db/erasures/erasures.ts';
import type { Log } from '../../process/log.ts';
import type { Shares } from '../../process/shares.ts';
import { workWithinShare } from '../upkeep/work-within-share.ts';

export type ErasureActivities = ReturnType<typeof createErasureActivities>;

export interface ErasureActivityDeps {
  readonly db: Knex;
  readonly bodyBox: BodyBox;
  readonly stopping: AbortSignal;
  /** Of the slots of the upkeep queue. */
  readonly upkeepShares: Shares;
  readonly log: Log;
}

export function createErasureActivities({ db, bodyBox, stopping, upkeepShares, log }: ErasureActivityDeps) {
  return {
    async eraseSlices({ erasureId }: { readonly erasureId: string }): Promise<ErasureState> {
      const organizationId = (await findErasureOrganization(db, erasureId)) ?? notFound(erasureId);
      const context = Context.current();
      const ended = AbortSignal.any([stopping, context.cancellationSignal]);
      const share = { shares: upkeepShares, owner: { organizationId }, ended };
      const state = await workWithinShare(share, async ({ mayContinue }) => {
        mayContinue(); // the first slice
        for (;;) {
          const reached = (await eraseSlice(db, erasureId, { open: bodyBox.open })) ?? notFound(erasureId);
          context.heartbeat();
          if (reached.status === 'completed' || reached.isHeld || !mayContinue()) return reached;
        }
      });
      log.info('erasure.progressed', { erasureId, ...state });
      return state;
    },
  };
}

function notFound(erasureId: string): never {
  throw ApplicationFailure.nonRetryable(`Erasure ${erasureId} not found`, failureTypes.erasureNotFound);
}
