import type { BodyUnreadable } from '../../db/core/body-box.ts';
import type { HotPool } from '../../db/core/hot-pool.ts';
import { postponeUnreadable } from '../../db/ledger/load-delivery.ts';
import type { Log } from '../../process/log.ts';

export interface PostponeUnreadableDeps {
  readonly pool: HotPool;
  readonly log: Log;
}

export type PostponeUnreadable = (id: number, error: BodyUnreadable) => Promise<boolean>;

/**
 * Lets the pump retry a delivery later, without counting an attempt. A missing key concerns all deliveries of a time, which
 * need no workflow each.
 */
export function createPostponeUnreadable({ pool, log }: PostponeUnreadableDeps): PostponeUnreadable {
  return async (id, { keyId, code }) => {
    log.error('body.openFailed', { deliveryNumber: id, encryptionKeyId: keyId, errorCode: code });
    try {
      await postponeUnreadable(pool, id);
      return true;
    } catch (error) {
      log.warn('delivery.postponeFailed', { error });
      return false;
    }
  };
}
