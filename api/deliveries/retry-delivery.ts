import { sequencedId } from '../../contract/ids.ts';
import { type AuditContext, type AuditEntry, recordAudit } from '../../db/audit/record-audit.ts';
import type { DeliveryRecord } from '../../db/deliveries/records.ts';
import {
  passHeldDelivery,
  returnHeldDelivery,
  returnToPump,
  takeFromPump,
} from '../../db/ledger/pass-held-delivery.ts';
import { takeRetryTurn } from '../../db/replays/delivery-turns.ts';
import { restartDelivery, type RestartObstacle } from '../../db/ledger/restart-delivery.ts';
import { resultOf, runStaged } from '../routing/run-staged.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { Conflict, OutcomeUnknown, WorkflowUnavailable } from '../requests/errors.ts';
import { signalCircuit } from './signal-circuit.ts';
import { disconnected } from '../requests/uncallable.ts';

/** Bounds how often the row is read again after a concurrent change. */
const MAX_READS = 5;

export interface RetryRequest {
  readonly look: () => Promise<DeliveryRecord>;
  readonly audit: AuditContext;
}

/**
 * Makes the next attempt now. The pump sends a pending delivery, unless its conversation, circuit, rate or window holds
 * it: then its workflow sends it out of order. A retrying delivery's workflow is signalled. An ended delivery starts a new schedule;
 * an open circuit is probed with the first delivery of its queue.
 */
export async function retryDelivery(
  deps: ApiDeps,
  { look, audit: context }: RetryRequest,
): Promise<'pending' | 'retrying'> {
  for (let looks = 0; looks < MAX_READS; looks++) {
    const delivery = await look();
    if (looks === 0 && delivery.status !== 'delivered')
      await takeRetryTurn(deps.db, { deliveryId: delivery.id, audit: context });
    const targetId = sequencedId(deps.idKey, 'delivery', delivery.id);
    const audit = { ...context, action: 'delivery.retried', targetId };
    switch (delivery.status) {
      case 'pending': {
        const status = await sendPending(deps, delivery, audit);
        if (status === undefined) continue;
        return status;
      }
      case 'retrying':
        await retryByWorkflow(deps, delivery, audit);
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
          signalCircuit(deps, { destinationId: restart.destinationId, as: 'probe' });
          return 'pending';
        }
        if (restart.outcome === 'obstructed') throw restartConflicts[restart.obstacle]();
      }
    }
  }
  throw new Error(`Delivery ${sequencedId(deps.idKey, 'delivery', (await look()).id)} kept changing during its retry`);
}

/** Returns undefined if another request or an attempt has changed the delivery. */
async function sendPending(
  deps: ApiDeps,
  delivery: DeliveryRecord,
  audit: AuditEntry,
): Promise<'pending' | 'retrying' | undefined> {
  const passing = await passHeldDelivery(deps.db, delivery.id);
  if (passing === 'moved') return undefined;
  if (passing === 'free') {
    await recordAudit(deps.db, audit); // needs no signal, but is audited
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

/** The workflow of a delivery that the pump retries starts with the signal. */
async function retryByWorkflow(deps: ApiDeps, delivery: DeliveryRecord, audit: AuditEntry): Promise<void> {
  const isTaken = await takeFromPump(deps.db, delivery.id);
  try {
    await signal(deps, delivery, audit);
  } catch (error) {
    if (isTaken && error instanceof WorkflowUnavailable) await returnToPump(deps.db, delivery.id);
    throw error;
  }
}

/** The audit entry follows, because a signal can't be part of a transaction. */
async function signal({ db, starts, idKey, log }: ApiDeps, delivery: DeliveryRecord, audit: AuditEntry): Promise<void> {
  const deliveryId = sequencedId(idKey, 'delivery', delivery.id);
  const failedDelivery = {
    deliveryId,
    channelId: delivery.channelPublicId,
    workspaceId: delivery.workspacePublicId,
    destination: delivery.destination?.subscriptionPublicId ?? delivery.destination?.type ?? 'webhook',
    eventType: delivery.eventType,
    ...(delivery.retrySteps && { scheduleMs: delivery.retrySteps.map((seconds) => seconds * 1_000) }),
    attemptsMade: delivery.attemptCount,
    failedInSchedule: delivery.failedInSchedule,
    nextAttemptAtMs: delivery.nextAttemptAt?.getTime() ?? Date.now(),
  };
  await runStaged({
    run: () => starts.retryDelivery(failedDelivery),
    logUnanswered: ({ cause: error }) => log.warn('deliveryRetry.unanswered', { deliveryId, error }),
    giveUp: (state) => state === 'not_started',
    decide: async (started) => {
      await recordAudit(db, audit);
      return resultOf(started);
    },
    unknown: () =>
      new OutcomeUnknown('The retry may or may not have been requested. Read the delivery before you try again.'),
  });
}

const ended = (why: string): Conflict => new Conflict('DELIVERY_ENDED', `The delivery can't be sent: ${why}.`);

export const restartConflicts: Readonly<Record<RestartObstacle, () => Conflict>> = {
  channel_disconnected: disconnected,
  forwarding_disabled: () =>
    new Conflict('CHANNEL_FORWARDING_DISABLED', "The channel's forwarding is off. Enable it first."),
  event_erased: () => new Conflict('EVENT_ERASED', 'The event was erased, so it cannot be sent again.'),
  no_destination: () => ended('the channel has no webhook'),
  destination_deleted: () => ended('its destination was deleted'),
  destination_disabled: () =>
    ended('its destination is disabled. Enable the subscription or save the webhook again, then retry'),
  listener_moved: () => ended('its listener moved to another workspace with the channel, and is read there'),
};
