import type { Knex } from 'knex';
import { recordAudit } from '../../audit/record-audit.ts';
import { ledgerTransaction } from '../../core/ledger-transaction.ts';
import { isNotified, moveDeliveriesSql } from '../transitions/move-deliveries-sql.ts';
import { exhaustedSql } from '../destinations/failure-counts-sql.ts';
import { deleteDestination, LISTENER_SHARD } from '../destinations/destinations.ts';
import type { OldRows, RemovedRows } from '../upkeep/delete-old-events.ts';
import { busyListenersSql } from './end-left-listener-deliveries.ts';
import { firstDeliverySince } from '../../deliveries/id-ranges.ts';

const MAX_EXPIRED = 100;
/** Keeps one transaction to tens of milliseconds. */
const BATCH_SIZE = 2_000;

/**
 * Deletes listeners not read since the cutoff, and exhausts older unread deliveries of the others. The position only
 * counts rounds.
 */
export async function endUnreadListeners(db: Knex, { position, cutoff }: OldRows): Promise<RemovedRows> {
  const expiredCount = await expireListeners(db, cutoff);
  const exhaustedCount = await exhaustUnread(db, cutoff);
  const isDone = expiredCount < MAX_EXPIRED && exhaustedCount < BATCH_SIZE;
  return { position: isDone ? position : position + 1, removedCount: expiredCount, isDone };
}

interface ExpiredRow {
  destination_id: number;
  public_id: string;
  workspace_id: number;
  organization_id: number;
}

/** Locks the row that a read updates: a concurrent read keeps the listener or returns nothing. */
async function expireListeners(db: Knex, cutoff: Date): Promise<number> {
  return await ledgerTransaction(db, async (trx) => {
    const { rows } = await trx.raw<{ rows: ExpiredRow[] }>(
      `with expired as materialized (
         select l.id, l.destination_id, l.channel_id from listeners l join destinations dest on dest.id = l.destination_id
         where dest.deleted_at is null and coalesce(l.last_read_at, l.created_at) < :cutoff
         order by dest.id limit :limit for no key update of dest, l
       )
       update listeners l set idempotency_key_hash = null
       from expired e join channels c on c.id = e.channel_id join workspaces w on w.id = c.workspace_id
       where l.id = e.id
       returning l.destination_id, l.public_id, c.workspace_id, w.organization_id`,
      { cutoff, limit: MAX_EXPIRED },
    );
    for (const row of rows) {
      await deleteDestination(trx, row.destination_id);
      await recordAudit(trx, {
        organizationId: row.organization_id,
        workspaceId: row.workspace_id,
        actor: { type: 'system', id: 'retention' },
        action: 'listener.deleted',
        targetId: row.public_id,
        reason: 'not read for too long',
      });
    }
    return rows.length;
  });
}

/** The second condition excludes restarted deliveries. */
async function exhaustUnread(db: Knex, cutoff: Date): Promise<number> {
  const before = await firstDeliverySince(db, cutoff);
  return await ledgerTransaction(db, async (trx) => {
    await trx.raw('set local enable_seqscan = off'); // use the index despite outdated statistics
    const { rows } = await trx.raw<{ rows: unknown[] }>(
      `with recursive ${busyListenersSql},
       locked as materialized (
         select dest.id from busy join destinations dest on dest.id = busy.destination_id
         where exists (${oldSql('dest.id')})
         order by dest.id for no key update of dest
       ),
       unread as materialized (
         select d.id from locked cross join lateral (${oldSql('locked.id')} order by id limit :limit for update) d
         limit :limit
       ),
       ${moveDeliveriesSql({
         source: 'unread',
         id: 'unread.id',
         transition: 'exhaust',
         from: ['pending'],
         notify: 'released',
       })},
       ${exhaustedSql}
       select id from moved where ${isNotified}`,
      { cutoff, before, limit: BATCH_SIZE },
    );
    return rows.length;
  });
}

const oldSql = (destination: string): string => `
  select id from deliveries
  where shard = ${LISTENER_SHARD} and status = 'pending' and destination_id = ${destination} and id < :before
    and coalesce(restarted_at, created_at) < :cutoff`;
