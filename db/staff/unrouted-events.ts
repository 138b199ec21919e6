import type { Knex } from 'knex';
import type { ChannelType } from '../../contract/event-types.ts';
import { SEALED_OVERHEAD_BYTES, type StoredBody } from '../core/body-box.ts';
import { eventBodyFromRow, type EventBodyRow } from '../core/body-contexts.ts';
import { queryRows } from '../core/query-rows.ts';

export interface UnroutedEvent {
  readonly id: number;
  readonly body: StoredBody;
}

export interface UnsentEvents {
  readonly type: ChannelType;
  readonly resourceId: string;
  readonly after: number;
  /** Optional. Omits events that arrived before. */
  readonly since?: Date | null;
  readonly limit: number;
}

/** Returns the events after an id that were not sent on yet, oldest first. */
export async function listUnsentEvents(db: Knex, unsent: UnsentEvents): Promise<UnroutedEvent[]> {
  const bindings = { since: null, ...unsent };
  const rows = await queryRows<EventBodyRow & { readonly id: number }>(db, unsentSql, bindings);
  return rows.map((row) => ({ id: row.id, body: eventBodyFromRow(row) }));
}

const unsentSql = `
  select u.id, u.body, u.body_key_id, case when u.body_key_id is not null then jsonb_build_object(
    'channelType', u.type, 'resourceId', u.resource_id, 'eventType', u.event_type,
    'conversationKey', u.conversation_key) end as place
  from unrouted_events u
  where u.type = :type and u.resource_id = :resourceId and u.id > :after
    and u.sent_at is null and (cast(:since as timestamptz) is null or u.created_at >= cast(:since as timestamptz))
  order by u.id limit :limit`;

/**
 * Marks only events that the channel has accepted, now or before, and returns how many these are. Their bodies are
 * emptied: the channel's event has them, and an erasure of it must leave no copy.
 */
export async function markSentEvents(
  db: Knex,
  { channelId, ids }: { readonly channelId: number; readonly ids: readonly number[] },
): Promise<number> {
  const marked = await queryRows<{ id: number }>(db, markSql, { channelId, ids });
  return marked.length;
}

const isKnownSql = (table: string): string =>
  `exists (select from ${table} k where k.channel_id = :channelId and k.key = u.key)`;

/** Without what encryption adds. */
const bodyBytesSql = `
  octet_length(u.body) - case when u.body_key_id is null then 0 else ${SEALED_OVERHEAD_BYTES} end`;

const markSql = `
  update unrouted_events u
  set sent_at = coalesce(u.sent_at, now()), sent_bytes = coalesce(u.sent_bytes, ${bodyBytesSql}), body = '',
    body_key_id = null
  where u.id = any (cast(:ids as bigint[]))
    and (${isKnownSql('event_keys')} or ${isKnownSql('event_keys_1')} or ${isKnownSql('event_keys_2')})
  returning u.id`;

interface UnroutedRecord {
  readonly id: number;
  readonly type: string;
  readonly resourceId: string;
  readonly sizeBytes: number;
  readonly createdAt: Date;
  /** Null until staff sent it on. */
  readonly sentAt: Date | null;
}

interface UnroutedPage {
  readonly type?: ChannelType | undefined;
  readonly resourceId?: string | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
  readonly before?: number | undefined;
  readonly limit: number;
}

export async function listUnroutedRecords(db: Knex, page: UnroutedPage): Promise<UnroutedRecord[]> {
  return await queryRows<UnroutedRecord>(db, pageSql(page.resourceId !== undefined), {
    type: page.type ?? null,
    ...(page.resourceId !== undefined && { resourceId: page.resourceId }),
    since: page.since ?? null,
    until: page.until ?? null,
    before: page.before ?? null,
    limit: page.limit,
  });
}

const pageSql = (ofResource: boolean): string => `
select u.id, u.type, u.resource_id as "resourceId", u.created_at as "createdAt",
  u.sent_at as "sentAt", coalesce(u.sent_bytes, ${bodyBytesSql}) as "sizeBytes"
from unrouted_events u
where ${ofResource ? 'u.resource_id = :resourceId and' : ''}
  (cast(:before as bigint) is null or u.id < cast(:before as bigint))
  and (cast(:type as text) is null or u.type = cast(:type as text))
  and (cast(:since as timestamptz) is null or u.created_at >= cast(:since as timestamptz))
  and (cast(:until as timestamptz) is null or u.created_at < cast(:until as timestamptz))
order by u.id desc limit :limit`;
