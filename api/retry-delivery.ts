import { sequencedId } from '../contract/ids.ts';
import { type AuditContext, type AuditEntry, recordAudit } from '../db/audit-entries.ts';
import type { DeliveryRecord } from '../db/queries/delivery-records.ts';
import { restartDelivery } from '../db/queries/restart-delivery.ts';
import type { ApiDeps } from './deps.ts';
import { obstacleRefusals } from './delivery-obstacles.ts';
import { Conflict, OutcomeUnknown, WorkflowUnavailable } from './errors.ts';

/** How often a row may move under our hands before it is called busy. */
const MAX_LOOKS = 5;

export interface RetryRequest {
  /** Finds the delivery as it stands. */
  readonly look: () => Promise<DeliveryRecord>;
  readonly audit: AuditContext;
}

/**
 * Makes a delivery go now. One that waits in the ledger goes with its pump, one in the retry schedule is told through
 * its workflow, one that has ended begins a new schedule. Returns the status that it has then.
 */
export async function retryDelivery(
  deps: ApiDeps,
  { look, audit: context }: RetryRequest,
): Promise<'pending' | 'retrying'> {
  for (let looks = 0; looks < MAX_LOOKS; looks++) {
    const delivery = await look();
    const targetId = sequencedId(deps.idKey, 'delivery', delivery.id);
    const audit = { ...context, action: 'delivery.retried', targetId };
    switch (delivery.status) {
      case 'pending':
        await recordAudit(deps.db, audit); // it goes by itself, and still somebody asked
        return 'pending';
      case 'retrying':
        await signal(deps, delivery, audit);
        return 'retrying';
      case 'delivered':
        throw new Conflict(
          'DELIVERY_ALREADY_DELIVERED',
          'The receiver has accepted this delivery. Replay its event instead.',
        );
      case 'exhausted':
      case 'cancelled':
      case 'skipped': {
        const restart = await restartDelivery(deps.db, { id: delivery.id, from: delivery.status, audit });
        if (restart.outcome === 'restarted') return 'pending';
        if (restart.outcome === 'obstructed') throw obstacleRefusals[restart.obstacle]();
      }
    }
  }
  throw new Error(`Delivery ${sequencedId(deps.idKey, 'delivery', (await look()).id)} does not hold still`);
}

/** The entry is committed once the signal may have been taken: a workflow has no part in a transaction. */
async function signal(
  { db, temporal, idKey, log }: ApiDeps,
  delivery: DeliveryRecord,
  audit: AuditEntry,
): Promise<void> {
  const deliveryId = sequencedId(idKey, 'delivery', delivery.id);
  const started = await temporal.retryDelivery({
    deliveryId,
    channelId: delivery.channelPublicId,
    workspaceId: delivery.workspacePublicId,
    destination: delivery.destination?.subscriptionPublicId ?? delivery.destination?.type ?? 'webhook',
    eventType: delivery.eventType,
    attemptsMade: delivery.attemptCount,
    failedInSchedule: delivery.failedInSchedule,
    nextAttemptAtMs: delivery.nextAttemptAt?.getTime() ?? Date.now(),
  });
  if (started.state === 'not_started') throw new WorkflowUnavailable();
  await recordAudit(db, audit);
  if (started.state === 'ended') return;
  log.warn('deliveryRetry.unanswered', { deliveryId, error: started.cause });
  throw new OutcomeUnknown('The retry may or may not have been asked for. Read the delivery before you ask again.');
}
