import type { Knex } from 'knex';
import { raw } from 'objection';
import type { EventType } from '../../contract/event-types.ts';
import { type AuditContext, recordAudit } from '../audit/record-audit.ts';
import { type Columns, insertWithFreshId, listAfter, type PageAfter } from '../core/model.ts';
import { queryRows } from '../core/query-rows.ts';
import { deleteDestination } from '../ledger/destinations/destinations.ts';
import { ChannelModel } from '../models/channel.ts';
import { DestinationModel } from '../models/destination.ts';
import { ListenerModel } from '../models/listener.ts';

/** A destination that a client reads; nothing is posted to it. */
export interface Listener extends Columns<ListenerModel, 'publicId' | 'destinationId' | 'createdAt' | 'lastReadAt'> {
  readonly label: string | null;
  readonly eventTypes: readonly EventType[] | null;
}

export interface ListenerKey {
  readonly channelId: number;
  readonly publicId: string;
}

const columns = [
  ...['listeners.public_id', 'listeners.destination_id', 'listeners.created_at', 'listeners.last_read_at'],
  ...['destination.label', 'destination.event_types'],
];

export async function findListener(db: Knex, { channelId, publicId }: ListenerKey): Promise<Listener | undefined> {
  return await ListenerModel.query(db)
    .joinRelated('destination')
    .select(columns)
    .findOne({ 'listeners.channel_id': channelId, 'listeners.public_id': publicId })
    .whereNull('destination.deleted_at')
    .castTo<Listener | undefined>();
}

export async function listListeners(
  db: Knex,
  { channelId, ...page }: PageAfter & { readonly channelId: number },
): Promise<Listener[] | undefined> {
  const query = ListenerModel.query(db).joinRelated('destination').select(columns).whereNull('destination.deleted_at');
  return await listAfter(query, { of: { 'listeners.channel_id': channelId }, ...page });
}

export interface NewListener {
  readonly channelId: number;
  readonly label: string | null;
  readonly eventTypes: readonly EventType[] | null;
  readonly max: number;
  readonly key: { readonly keyHash: Buffer; readonly requestHash: Buffer } | null;
  readonly audit: AuditContext;
}

export type ListenerCreation =
  { readonly outcome: 'created'; readonly publicId: string } | { readonly outcome: 'too_many' | 'key_reused' };

/** A repeated request with the same key returns the first listener. */
export async function createListener(db: Knex, listener: NewListener): Promise<ListenerCreation> {
  const { channelId, key, max, audit } = listener;
  return await db.transaction(async (trx) => {
    // Serializes the count and requests with the same key.
    await ChannelModel.query(trx).select('id').findById(channelId).forNoKeyUpdate();
    const made =
      key &&
      (await ListenerModel.query(trx)
        .select('public_id', 'request_hash')
        .findOne({ channel_id: channelId, idempotency_key_hash: key.keyHash }));
    if (made) {
      const isSame = made.requestHash?.equals(key.requestHash) === true;
      return isSame ? { outcome: 'created', publicId: made.publicId } : { outcome: 'key_reused' };
    }
    if ((await countListeners(trx, channelId)) >= max) return { outcome: 'too_many' };
    const publicId = await insertListener(trx, listener);
    await recordAudit(trx, { ...audit, action: 'listener.created', targetId: publicId });
    return { outcome: 'created', publicId };
  });
}

export async function deleteListener(
  db: Knex,
  { channelId, publicId, audit }: ListenerKey & { readonly audit: AuditContext },
): Promise<boolean> {
  return await db.transaction(async (trx) => {
    const [listener] = await queryRows<{ destinationId: number }>(
      trx,
      `update listeners l set idempotency_key_hash = null from destinations d
       where l.public_id = :publicId and l.channel_id = :channelId and d.id = l.destination_id and d.deleted_at is null
       returning l.destination_id as "destinationId"`,
      { publicId, channelId },
    );
    if (!listener) return false;
    await deleteDestination(trx, listener.destinationId, { reason: 'destination_deleted', actor: audit.actor });
    await recordAudit(trx, { ...audit, action: 'listener.deleted', targetId: publicId });
    return true;
  });
}

/** Writes at most once a minute; unused listeners expire after days. */
export async function touchListener(db: Knex, publicId: string): Promise<void> {
  await ListenerModel.query(db)
    .where({ public_id: publicId })
    .whereRaw(`(last_read_at is null or last_read_at < now() - interval '1 minute')`)
    .patch({ lastReadAt: raw('now()') });
}

async function countListeners(trx: Knex, channelId: number): Promise<number> {
  return await DestinationModel.query(trx)
    .where({ channel_id: channelId, type: 'listener' })
    .whereNull('deleted_at')
    .resultSize();
}

async function insertListener(trx: Knex, { channelId, label, eventTypes, key }: NewListener): Promise<string> {
  const destination = await DestinationModel.query(trx).insert({
    channelId,
    label,
    eventTypes,
    type: 'listener',
  });
  const { publicId } = await insertWithFreshId(trx, ListenerModel, {
    kind: 'listener',
    values: {
      channelId,
      destinationId: destination.id,
      idempotencyKeyHash: key?.keyHash ?? null,
      requestHash: key?.requestHash ?? null,
    },
  });
  return publicId;
}
