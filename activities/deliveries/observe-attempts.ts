import { sequencedId, type IdKey } from '../../contract/ids.ts';
import { traceIdOf } from '../../contract/traces/trace-parent.ts';
import { BodyUnreadable } from '../../db/core/body-box.ts';
import type { Attempt } from '../../db/ledger/attempts.ts';
import type { WorkerMeter } from '../../metrics/worker-metrics.ts';
import type { Log, LogFields } from '../../process/log.ts';
import { type FollowingDelivery, InstallationFault, NotSent, type SendDelivery } from './send-delivery.ts';

export function countAttempts(
  send: SendDelivery,
  meter: Pick<WorkerMeter, 'attempted' | 'ownFault'> | undefined,
): SendDelivery {
  if (!meter) return send;
  return async (...delivery) => {
    try {
      const attempt = await send(...delivery);
      meter.attempted(attempt);
      return attempt;
    } catch (error) {
      const isOwnFault = error instanceof InstallationFault && !(error instanceof NotSent);
      if (isOwnFault || error instanceof BodyUnreadable) meter.ownFault();
      throw error;
    }
  };
}

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

/** What a log line says of an attempt. */
export function attemptFields(
  { number, outcome, status, error, durationMs }: Attempt,
  { deliveryId, traceParent }: { readonly deliveryId: string; readonly traceParent: string | null },
): LogFields {
  const traceId = traceIdOf(traceParent) ?? undefined;
  return { deliveryId, attempt: number, outcome, status, errorCode: error, durationMs, traceId };
}
