import { sequencedId, type IdKey } from '../../contract/ids.ts';
import type { Attempt } from '../../db/ledger/attempts.ts';
import type { Log } from '../../process/log.ts';
import { attemptFields } from './attempt-fields.ts';
import type { FollowingDelivery, SendDelivery } from './send-delivery.ts';

/** The pump logs no attempts, except those of sampled events. */
export function logTracedAttempts(
  send: SendDelivery,
  { idKey, log }: { readonly idKey: IdKey; readonly log: Log },
): SendDelivery {
  return async (...given) => {
    const attempt = await send(...given);
    const [delivery] = given;
    logIfTraced(delivery, attempt);
    delivery.following?.forEach((one, index) => logIfTraced(one, attempt.following![index]!));
    return attempt;
  };

  function logIfTraced({ id, traceParent }: Pick<FollowingDelivery, 'id' | 'traceParent'>, attempt: Attempt): void {
    if (traceParent === null) return;
    const deliveryId = sequencedId(idKey, 'delivery', id);
    log.info('delivery.attempted', attemptFields(attempt, { deliveryId, traceParent }));
  }
}
