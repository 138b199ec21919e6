import type { BodyUnreadable } from '../../db/core/body-box.ts';
import type { HotPool } from '../../db/core/hot-pool.ts';
import { postponeUnreadable } from '../../db/ledger/troubled-attempts.ts';
import type { Log } from '../../process/log.ts';

export interface PutAsideDeps {
  readonly pool: HotPool;
  readonly promote: (ids: ReadonlySet<number>) => void;
  readonly log: Log;
}

/** Resolves with whether the ledger has taken it. */
export type PutAside = (id: number, error: BodyUnreadable) => Promise<boolean>;

/** Hands a delivery whose body cannot be decrypted to the retry schedule: a workflow tries it again, and nothing is charged. */
export function createPutAside({ pool, promote, log }: PutAsideDeps): PutAside {
  return async (id, { keyId, code }) => {
    log.error('body.openFailed', { deliveryNumber: id, encryptionKeyId: keyId, errorCode: code });
    try {
      if (await postponeUnreadable(pool, id)) promote(new Set([id]));
      return true;
    } catch (error) {
      log.warn('postponement.failed', { error });
      return false;
    }
  };
}
