import { BodyUnreadable } from '../../db/core/body-box.ts';
import type { WorkerMeter } from '../../metrics/worker-metrics.ts';
import { InstallationFault, NotSent, type SendDelivery } from './send-delivery.ts';

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
