import type { Knex } from 'knex';
import { raw } from 'objection';
import type { ChannelEventType } from '../../contract/event-types.ts';
import type { PendingChoice } from '../../contract/destinations/pending-deliveries.ts';
import { type AuditContext, recordAudit } from '../audit/record-audit.ts';
import { ledgerTransaction } from '../core/ledger-transaction.ts';
import { applyPending } from '../ledger/apply-pending.ts';
import { disableDestination, enableDestination, retargetDestination } from '../ledger/destinations/destinations.ts';
import { type EndedDeliveries, endVoidBeforeUse, endVoidWorkflows } from '../ledger/end-void-deliveries.ts';
import { DestinationModel } from '../models/destination.ts';
import { SubscriptionModel } from '../models/subscription.ts';
import type { Subscription, SubscriptionKey } from './subscriptions.ts';

export interface SubscriptionChange {
  readonly url?: string | undefined;
  readonly events?: readonly ChannelEventType[] | undefined;
  readonly label?: string | null | undefined;
  readonly enabled?: boolean | undefined;
  readonly pending: PendingChoice;
}

export interface SubscriptionEdit extends SubscriptionKey {
  /** The revision that `beginSubscriptionEdit` returned. */
  readonly revision: number;
  readonly change: SubscriptionChange;
  readonly audit: AuditContext;
}

export type EditedSubscription =
  | ({ readonly outcome: 'edited'; readonly destinationId: number } & EndedDeliveries)
  | { readonly outcome: 'overtaken' }
  | { readonly outcome: 'gone' };

interface LockedSubscription {
  readonly destinationId: number;
  readonly url: string;
  readonly revision: number;
  readonly isDeleted: boolean;
}

/** Returns the revision at which the edit may commit. Overtakes earlier edits in progress. */
export async function beginSubscriptionEdit(db: Knex, { id }: Pick<Subscription, 'id'>): Promise<number> {
  const subscription = await SubscriptionModel.query(db)
    .findById(id)
    .patch({ revision: raw('revision + 1') })
    .returning('revision')
    .first();
  return subscription?.revision ?? 0;
}

/** Commits the edit unless a later one has started. The caller must have validated the URL. */
export async function commitSubscriptionEdit(db: Knex, edit: SubscriptionEdit): Promise<EditedSubscription> {
  const { audit, publicId } = edit;
  const committed = await ledgerTransaction(db, async (trx) => {
    const row = await lockSubscription(trx, edit);
    if (!row || row.isDeleted) return { outcome: 'gone' } as const;
    if (row.revision !== edit.revision) return { outcome: 'overtaken' } as const;
    const applied = await applyChange(trx, edit, row);
    await recordAudit(trx, { ...audit, action: 'subscription.edited', targetId: publicId });
    return { outcome: 'edited', ...applied } as const;
  });
  if (committed.outcome !== 'edited') return committed;
  const retrying: number[] = [];
  for (const destinationId of committed.voidDestinationIds) {
    retrying.push(...(await endVoidWorkflows(db, { destinationId })).retrying);
  }
  return { outcome: 'edited', destinationId: committed.destinationId, retrying };
}

async function lockSubscription(
  trx: Knex,
  { channelId, publicId }: SubscriptionKey,
): Promise<LockedSubscription | undefined> {
  return await SubscriptionModel.query(trx)
    .joinRelated('destination')
    .select('subscriptions.destination_id', 'subscriptions.revision', 'destination.url')
    .select(raw('destination.deleted_at is not null as is_deleted'))
    .findOne({ 'subscriptions.public_id': publicId, 'subscriptions.channel_id': channelId })
    .forNoKeyUpdate()
    .castTo<LockedSubscription | undefined>();
}

interface AppliedChange {
  readonly destinationId: number;
  /** Their deliveries may have become void. */
  readonly voidDestinationIds: readonly number[];
}

async function applyChange(
  trx: Knex,
  { change, audit }: SubscriptionEdit,
  present: LockedSubscription,
): Promise<AppliedChange> {
  const { url, events, label, enabled, pending } = change;
  const voidDestinationIds: number[] = [];
  let { destinationId } = present;
  if (url !== undefined && url !== present.url) {
    destinationId = await applyPending(trx, { destinationId, pending, actor: audit.actor });
    if (destinationId !== present.destinationId) {
      await SubscriptionModel.query(trx).where({ destination_id: present.destinationId }).patch({ destinationId });
      voidDestinationIds.push(present.destinationId);
    }
    // No probe has reached the new URL, so a disabled destination is enabled only on request.
    await retargetDestination(trx, { id: destinationId, url, enables: false });
  }
  if (events !== undefined || label !== undefined) {
    await DestinationModel.query(trx)
      .findById(destinationId)
      .patch({
        ...(events && { eventTypes: [...new Set(events)] }),
        ...(label !== undefined && { label }),
        updatedAt: raw('now()'),
      });
  }
  if (enabled === true && (await isDisabled(trx, destinationId))) {
    await endVoidBeforeUse(trx, { destinationId });
    await enableDestination(trx, destinationId);
  }
  if (enabled === false && (await disableDestination(trx, destinationId))) voidDestinationIds.push(destinationId);
  return { destinationId, voidDestinationIds };
}

async function isDisabled(trx: Knex, id: number): Promise<boolean> {
  return (await DestinationModel.query(trx).select('id').findOne({ id, enabled: false })) !== undefined;
}
