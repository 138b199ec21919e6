import type { Knex } from 'knex';
import type { ChannelEventType } from '../../contract/event-types.ts';
import type { PendingChoice } from '../../contract/destinations/pending-deliveries.ts';
import { type AuditContext, recordAudit } from '../audit/record-audit.ts';
import { ledgerTransaction } from '../core/ledger-transaction.ts';
import { disableDestination, enableDestination, retargetDestination } from '../ledger/destinations/destinations.ts';
import type { Subscription, SubscriptionKey } from './subscriptions.ts';
import { applyPending } from '../ledger/apply-pending.ts';
import { type EndedDeliveries, endWaitingDeliveries } from '../ledger/end-waiting-deliveries.ts';

export interface SubscriptionChange {
  readonly url?: string | undefined;
  readonly events?: readonly ChannelEventType[] | undefined;
  readonly label?: string | null | undefined;
  readonly enabled?: boolean | undefined;
  readonly pending: PendingChoice;
}

export interface SubscriptionEdit extends SubscriptionKey {
  /** As `beginSubscriptionEdit` gave it. */
  readonly revision: number;
  readonly change: SubscriptionChange;
  readonly audit: AuditContext;
}

export type EditedSubscription =
  | ({ readonly outcome: 'edited' } & EndedDeliveries)
  /** A later edit began. */
  | { readonly outcome: 'overtaken' }
  /** It was deleted. */
  | { readonly outcome: 'gone' };

interface EditRow {
  destination_id: number;
  url: string;
  revision: number;
  deleted: boolean;
}

/** Begins an edit, which overtakes every edit under way; returns the revision that it may commit at. */
export async function beginSubscriptionEdit(db: Knex, { id }: Pick<Subscription, 'id'>): Promise<number> {
  const { rows } = await db.raw<{ rows: { revision: number }[] }>(
    'update subscriptions set revision = revision + 1 where id = ? returning revision',
    [id],
  );
  return rows[0]?.revision ?? 0;
}

/** Makes all changes of an edit, or none: only when no later edit has begun meanwhile. Its URL has been judged. */
export async function commitSubscriptionEdit(db: Knex, edit: SubscriptionEdit): Promise<EditedSubscription> {
  return await ledgerTransaction(db, async (trx) => {
    const row = await lockSubscription(trx, edit);
    if (!row || row.deleted) return { outcome: 'gone' };
    if (row.revision !== edit.revision) return { outcome: 'overtaken' };
    const retrying = await applyChange(trx, edit, row);
    await recordAudit(trx, { ...edit.audit, action: 'subscription.edited', targetId: edit.publicId });
    return { outcome: 'edited', retrying };
  });
}

async function lockSubscription(trx: Knex, { channelId, publicId }: SubscriptionKey): Promise<EditRow | undefined> {
  const { rows } = await trx.raw<{ rows: EditRow[] }>(
    `select s.destination_id, s.revision, d.url, d.deleted_at is not null as deleted
     from subscriptions s join destinations d on d.id = s.destination_id
     where s.public_id = ? and s.channel_id = ? for no key update of s, d`,
    [publicId, channelId],
  );
  return rows[0];
}

/** Numbers of the deliveries that were in the retry schedule and have ended. */
async function applyChange(
  trx: Knex,
  { channelId, change }: SubscriptionEdit,
  { destination_id: destinationId, url: presentUrl }: EditRow,
): Promise<number[]> {
  const { url, events, label, enabled, pending } = change;
  const ended: number[] = [];
  if (url !== undefined && url !== presentUrl) {
    ended.push(...(await applyPending(trx, { channelId, destinationId, pending })).retrying);
    // No probe has shown that anybody listens there: what is disabled is enabled only where that is asked for.
    await retargetDestination(trx, { id: destinationId, url, enables: false });
  }
  if (events !== undefined || label !== undefined) {
    const event_types = events && [...new Set(events)];
    await trx('destinations')
      .where({ id: destinationId })
      .update({ ...(event_types && { event_types }), ...(label !== undefined && { label }), updated_at: trx.fn.now() });
  }
  if (enabled === true && (await isDisabled(trx, destinationId))) await enableDestination(trx, destinationId);
  if (enabled === false && (await disableDestination(trx, destinationId))) {
    const end = { status: 'skipped', reason: 'destination_disabled' } as const;
    ended.push(...(await endWaitingDeliveries(trx, { channelId, destinationId, end })).retrying);
  }
  return ended;
}

async function isDisabled(trx: Knex, id: number): Promise<boolean> {
  return (await trx('destinations').where({ id, enabled: false }).first('id')) !== undefined;
}
