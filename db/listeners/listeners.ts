import type { Knex } from 'knex';
import type { EventType } from '../../contract/event-types.ts';
import { type AuditContext, recordAudit } from '../audit/record-audit.ts';
import { ledgerTransaction } from '../core/ledger-transaction.ts';
import { deleteDestination, LISTENER_SHARD } from '../ledger/destinations/destinations.ts';
import { withFreshId } from '../core/fresh-id.ts';
import { endWaitingDeliveries } from '../ledger/end-waiting-deliveries.ts';

/** A destination that is read instead of posted to. */
export interface Listener {
  readonly publicId: string;
  readonly destinationId: number;
  readonly label: string | null;
  /** Null: all of the channel's. */
  readonly eventTypes: readonly EventType[] | null;
  readonly createdAt: Date;
  /** To the minute. */
  readonly lastReadAt: Date | null;
}

interface ListenerRow {
  public_id: string;
  destination_id: number;
  label: string | null;
  event_types: EventType[] | null;
  created_at: Date;
  last_read_at: Date | null;
}

export interface ListenerKey {
  readonly channelId: number;
  readonly publicId: string;
}

const listenerSql = `
select l.public_id, l.destination_id, d.label, d.event_types, l.created_at, l.last_read_at
from listeners l join destinations d on d.id = l.destination_id
where l.channel_id = :channelId and d.deleted_at is null`;

/** One live listener of the channel. */
export async function findListener(db: Knex, { channelId, publicId }: ListenerKey): Promise<Listener | undefined> {
  const { rows } = await db.raw<{ rows: ListenerRow[] }>(`${listenerSql} and l.public_id = :publicId`, {
    channelId,
    publicId,
  });
  return rows[0] && fromRow(rows[0]);
}

/** The channel's live listeners, newest first; undefined when `after` names none that it has or had. */
export async function listListeners(
  db: Knex,
  page: { readonly channelId: number; readonly after?: string | undefined; readonly limit: number },
): Promise<Listener[] | undefined> {
  const { channelId, after, limit } = page;
  const last =
    after === undefined
      ? null
      : await db<{ id: number; channel_id: number; public_id: string }>('listeners')
          .where({ channel_id: channelId, public_id: after })
          .first('id');
  if (last === undefined) return undefined;
  const { rows } = await db.raw<{ rows: ListenerRow[] }>(
    `${listenerSql} and (cast(:last as bigint) is null or l.id < cast(:last as bigint))
     order by l.id desc limit :limit`,
    { channelId, last: last?.id ?? null, limit },
  );
  return rows.map(fromRow);
}

export interface NewListener {
  readonly channelId: number;
  readonly label: string | null;
  readonly eventTypes: readonly EventType[] | null;
  /** How many the channel may have. */
  readonly max: number;
  /** Null where the caller gives none: each such request makes a listener. */
  readonly key: { readonly keyHash: Buffer; readonly requestHash: Buffer } | null;
  readonly audit: AuditContext;
}

export type ListenerCreation =
  { readonly outcome: 'created'; readonly publicId: string } | { readonly outcome: 'too_many' | 'key_reused' };

/** Makes a listener with its destination; a repeat with the same key is answered with the one that there is. */
export async function createListener(db: Knex, listener: NewListener): Promise<ListenerCreation> {
  const { channelId, key, max, audit } = listener;
  return await db.transaction(async (trx) => {
    // The channel's row is the lock under which its listeners are counted, and repeats of a key queue.
    await trx.raw('select from channels where id = ? for no key update', [channelId]);
    const made = key && (await findByKey(trx, { channelId, keyHash: key.keyHash }));
    if (made) {
      const isSame = made.request_hash.equals(key.requestHash);
      return isSame ? { outcome: 'created', publicId: made.public_id } : { outcome: 'key_reused' };
    }
    if ((await countListeners(trx, channelId)) >= max) return { outcome: 'too_many' };
    const publicId = await insertListener(trx, listener);
    await recordAudit(trx, { ...audit, action: 'listener.created', targetId: publicId });
    return { outcome: 'created', publicId };
  });
}

/** Deletes a listener and cancels what waits for it; false where there is none. Its idempotency key is free again. */
export async function deleteListener(
  db: Knex,
  { channelId, publicId, audit }: ListenerKey & { readonly audit: AuditContext },
): Promise<boolean> {
  return await ledgerTransaction(db, async (trx) => {
    const { rows } = await trx.raw<{ rows: { destination_id: number }[] }>(
      `update listeners l set idempotency_key_hash = null from destinations d
       where l.public_id = ? and l.channel_id = ? and d.id = l.destination_id and d.deleted_at is null
       returning l.destination_id`,
      [publicId, channelId],
    );
    const destinationId = rows[0]?.destination_id;
    if (destinationId === undefined) return false;
    await endWaitingDeliveries(trx, { channelId, destinationId, end: { status: 'cancelled' } });
    await deleteDestination(trx, destinationId);
    await recordAudit(trx, { ...audit, action: 'listener.deleted', targetId: publicId });
    return true;
  });
}

/** Cancels what waits for the channel's listeners. */
export async function cancelUnread(trx: Knex, channelId: number): Promise<void> {
  const ids: number[] = await trx('destinations')
    .where({ channel_id: channelId, type: 'listener' })
    .orderBy('id')
    .pluck('id');
  for (const destinationId of ids) {
    await endWaitingDeliveries(trx, { channelId, destinationId, end: { status: 'cancelled' } });
  }
}

/** Notes that a listener is read. Once a minute is enough for a life of days. */
export async function touchListener(db: Knex, publicId: string): Promise<void> {
  await db.raw(
    `update listeners set last_read_at = now()
     where public_id = ? and (last_read_at is null or last_read_at < now() - interval '1 minute')`,
    [publicId],
  );
}

async function countListeners(trx: Knex, channelId: number): Promise<number> {
  const { rows } = await trx.raw<{ rows: { count: number }[] }>(
    `select count(*) as count from destinations where channel_id = ? and type = 'listener' and deleted_at is null`,
    [channelId],
  );
  return rows[0]?.count ?? 0;
}

async function findByKey(
  trx: Knex,
  { channelId, keyHash }: { channelId: number; keyHash: Buffer },
): Promise<{ public_id: string; request_hash: Buffer } | undefined> {
  const { rows } = await trx.raw<{ rows: { public_id: string; request_hash: Buffer }[] }>(
    'select public_id, request_hash from listeners where channel_id = ? and idempotency_key_hash = ?',
    [channelId, keyHash],
  );
  return rows[0];
}

async function insertListener(trx: Knex, { channelId, label, eventTypes, key }: NewListener): Promise<string> {
  const { rows } = await trx.raw<{ rows: { id: number }[] }>(
    `insert into destinations (channel_id, type, label, event_types, shard) values (?, 'listener', ?, ?, ?) returning id`,
    [channelId, label, eventTypes && [...eventTypes], LISTENER_SHARD],
  );
  const destinationId = rows[0]!.id;
  return await withFreshId('listener', async (publicId) => {
    const inserted = await trx.raw<{ rows: { public_id: string }[] }>(
      `insert into listeners (public_id, channel_id, destination_id, idempotency_key_hash, request_hash)
       values (?, ?, ?, ?, ?) on conflict (public_id) do nothing returning public_id`,
      [publicId, channelId, destinationId, key?.keyHash ?? null, key?.requestHash ?? null],
    );
    return inserted.rows[0]?.public_id;
  });
}

function fromRow(row: ListenerRow): Listener {
  return {
    publicId: row.public_id,
    destinationId: row.destination_id,
    label: row.label,
    eventTypes: row.event_types,
    createdAt: row.created_at,
    lastReadAt: row.last_read_at,
  };
}
