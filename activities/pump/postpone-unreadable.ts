import type { BodyUnreadable } from '../../db/core/body-box.ts';
import type { HotPool } from '../../db/core/hot-pool.ts';
import { postponeUnreadable } from '../../db/ledger/failed-attempts.ts';
import type { Log } from '../../process/log.ts';

export interface PostponeUnreadableDeps {
  readonly pool: HotPool;
  readonly promote: (ids: ReadonlySet<number>) => void;
  readonly log: Log;
}

export type PostponeUnreadable = (id: number, error: BodyUnreadable) => Promise<boolean>;

/** Moves a delivery to the retry schedule without counting an attempt. */
export function createPostponeUnreadable({ pool, promote, log }: PostponeUnreadableDeps): PostponeUnreadable {
  return async (id, { keyId, code }) => {
    log.error('body.openFailed', { deliveryNumber: id, encryptionKeyId: keyId, errorCode: code });
    try {
      if (await postponeUnreadable(pool, id)) promote(new Set([id]));
      return true;
    } catch (error) {
      log.warn('delivery.postponeFailed', { error });
      return false;
    }
  };
}
