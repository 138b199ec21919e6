import type { Knex } from 'knex';
import type { PendingChoice } from '../../contract/destinations/pending-deliveries.ts';
import type { AuditActor } from '../audit/record-audit.ts';
import { notifyChanged } from '../core/notify-changed.ts';
import { deleteDestination } from './destinations/destinations.ts';
import { isKeptForSql } from './destinations/kept-urls.ts';
import { hasWaitingSql } from './destinations/delivery-sql.ts';

export interface ApplyPending {
  readonly destinationId: number;
  readonly pending: PendingChoice;
  /** Optional. Who cancels deliveries. Default: the service itself. */
  readonly actor?: AuditActor | undefined;
}

/**
 * Must run in the transaction that edits the URL. Returns the destination that takes the new URL, to which the webhook or
 * the subscription must refer: another one if deliveries wait and do not follow to the new URL. With `cancel`, they are
 * void.
 */
export async function applyPending(trx: Knex, { destinationId, pending, actor }: ApplyPending): Promise<number> {
  await notifyChanged(trx, [destinationId]);
  if (pending === 'follow' || !(await hasWaiting(trx, destinationId))) return destinationId;
  const id = await replaceDestination(trx, destinationId);
  if (pending === 'cancel') {
    await deleteDestination(trx, destinationId, { reason: 'url_changed', ...(actor && { actor }) });
  }
  return id;
}

async function hasWaiting(trx: Knex, id: number): Promise<boolean> {
  const { rows } = await trx.raw<{ rows: object[] }>(
    `select from destinations d where d.id = ? and ${hasWaitingSql('d')}`,
    [id],
  );
  return rows.length > 0;
}

/**
 * Puts a new destination in the place of one whose deliveries wait for its present URL. The old one keeps its
 * deliveries, circuit and settings, and receives no new events. Costs the same for any number of deliveries.
 */
async function replaceDestination(trx: Knex, id: number): Promise<number> {
  const { rows } = await trx.raw<{ rows: { id: number }[] }>(replaceSql, { id });
  const [row] = rows;
  if (!row) throw new Error(`No destination ${id}`);
  const present = { id, presentId: row.id };
  await trx.raw(`update destinations d set kept_for = :presentId where ${isKeptForSql('d', ':id')}`, present);
  return row.id;
}

/** The insert reads what the update returns, so that a channel never has two webhooks. */
const replaceSql = `
with fresh as materialized (select nextval(pg_get_serial_sequence('destinations', 'id')) as id),
kept as (
  update destinations d set kept_for = fresh.id, updated_at = now() from fresh
  where d.id = :id and d.kept_for is null
  returning d.*
)
insert into destinations (id, channel_id, type, url, label, event_types, ordering, sends_trace_parent, options,
  credentials_encrypted, enabled, disabled_reason, last_delivered_at, last_failure_at)
overriding system value
select kept.kept_for, channel_id, type, url, label, event_types, ordering, sends_trace_parent, options,
  credentials_encrypted, enabled, disabled_reason, last_delivered_at, last_failure_at
from kept
returning id`;
