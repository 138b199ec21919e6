import { sequencedId, type IdKey } from '../../contract/ids.ts';
import type { Log } from '../../process/log.ts';
import { attemptFields } from './attempt-fields.ts';
import type { SendDelivery } from './send-delivery.ts';

/** The pump logs no attempts, except those of sampled events. */
export function logTracedAttempts(
  send: SendDelivery,
  { idKey, log }: { readonly idKey: IdKey; readonly log: Log },
): SendDelivery {
  return async (...given) => {
    const attempt = await send(...given);
    const [{ id, traceParent }] = given;
    if (traceParent !== null) {
      const deliveryId = sequencedId(idKey, 'delivery', id);
      log.info('delivery.attempted', attemptFields(attempt, { deliveryId, traceParent }));
    }
    return attempt;
  };
}
