import { sequencedId } from '../../contract/ids.ts';
import { type AuditContext, type AuditEntry, recordAudit } from '../../db/audit/record-audit.ts';
import type { DeliveryRecord } from '../../db/deliveries/records.ts';
import { passHeldDelivery, returnHeldDelivery } from '../../db/ledger/pass-held-delivery.ts';
import { restartDelivery } from '../../db/ledger/restart-delivery.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { obstacleRefusals } from './obstacle-refusals.ts';
import { Conflict, OutcomeUnknown, WorkflowUnavailable } from '../requests/errors.ts';
import { tellCircuit } from './tell-circuit.ts';

/** How often a row may move under our hands before it is called busy. */
const MAX_LOOKS = 5;

export interface RetryRequest {
  /** Finds the delivery as it stands. */
  readonly look: () => Promise<DeliveryRecord>;
  readonly audit: AuditContext;
}

/**
 * Makes a delivery go now. One that waits in the ledger goes with its pump, or where its conversation or an open circuit
 * holds it back, out of order by a workflow of its own; one in the retry schedule is told through its workflow. One that
 * has ended begins a new schedule, and where it would wait for an open circuit has that probed at once, with whatever
 * heads the queue there. Returns the status that it has then.
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
      case 'pending': {
        const status = await sendPending(deps, delivery, audit);
        if (status === undefined) continue;
        return status;
      }
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
        if (restart.outcome === 'restarted') {
          tellCircuit(deps, { destinationId: restart.destinationId, as: 'probe' });
          return 'pending';
        }
        if (restart.outcome === 'obstructed') throw obstacleRefusals[restart.obstacle]();
      }
    }
  }
  throw new Error(`Delivery ${sequencedId(deps.idKey, 'delivery', (await look()).id)} does not hold still`);
}

/**
 * Sends a pending delivery past what holds it back; undefined where somebody moved it meanwhile. Where its workflow was
 * certainly not told, it waits again as it did before.
 */
async function sendPending(
  deps: ApiDeps,
  delivery: DeliveryRecord,
  audit: AuditEntry,
): Promise<'pending' | 'retrying' | undefined> {
  const passing = await passHeldDelivery(deps.db, delivery.id);
  if (passing === 'moved') return undefined;
  if (passing === 'free') {
    await recordAudit(deps.db, audit); // it goes by itself, and still somebody asked
    return 'pending';
  }
  try {
    await signal(deps, delivery, audit);
  } catch (error) {
    if (error instanceof WorkflowUnavailable) await returnHeldDelivery(deps.db, delivery);
    throw error;
  }
  return 'retrying';
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
