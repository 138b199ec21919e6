import type { Knex } from 'knex';
import type { EventType } from '../../contract/event-types.ts';
import { type AuditContext, recordAudit } from '../audit/record-audit.ts';
import type { StoredBody } from '../core/body-box.ts';
import { type EventBodyRow, eventPlaceSql, withBody } from '../core/body-contexts.ts';
import { queryRows } from '../core/query-rows.ts';
import {
  attemptFromRow,
  type AttemptRecord,
  type AttemptRow,
  attemptColumns,
  type DeliveryRecord,
  type FoundDelivery,
  readDeliveries,
} from '../deliveries/records.ts';
import { conversationKey } from '../deliveries/conversation-key.ts';
import { concernedEventsSql, personEventsSql, type PersonScope } from './person-scope.ts';
import { type ChannelPosition, walkChannels } from './walk-channels.ts';

/** Returns the time of the export, with microseconds. The entry does not name the person. */
export async function recordPersonExport(db: Knex, audit: AuditContext & { readonly reason: string }): Promise<string> {
  await recordAudit(db, { ...audit, action: 'person.exported' });
  const [now] = await queryRows<{ at: string }>(db, 'select cast(clock_timestamp() as text) as at');
  return now!.at;
}

export interface FoundEvent {
  readonly id: number;
  readonly bodyBytes: number;
}

/** The index of senders has no order, so each search finds all events of the person. */
const FOUND_EVENTS = 10_000;

/** Returns the next events of the person in their order. */
export async function nextPersonEvents(db: Knex, scope: PersonScope, after: number): Promise<readonly FoundEvent[]> {
  return await queryRows<FoundEvent>(
    db,
    `with found as materialized (
       select e.id, octet_length(e.body) as "bodyBytes" from events e where ${personEventsSql}
     )
     select * from found where id > :after order by id limit :limit`,
    { ...bindingsOf(scope), after, limit: FOUND_EVENTS },
  );
}

function bindingsOf({ organizationId, personIds, workspaceId, channelId, createdAt }: PersonScope) {
  return { organizationId, personIds: [...personIds], workspaceId, channelId, createdAt };
}

export interface ConversationEvents {
  readonly found: readonly FoundEvent[];
  readonly next: ChannelPosition | undefined;
}

/** Returns events of the conversation that name no person. */
export async function nextConversationEvents(
  db: Knex,
  scope: PersonScope,
  at: ChannelPosition,
): Promise<ConversationEvents> {
  const { ids, next } = await walkChannels(db, {
    ...scope,
    ...at,
    conversationKeys: scope.personIds.map(conversationKey),
  });
  const found = await queryRows<FoundEvent>(
    db,
    `select e.id, octet_length(e.body) as "bodyBytes" from events e
     where e.id = any (cast(:ids as bigint[])) and (${personEventsSql}) is not true order by e.id`,
    { ...bindingsOf(scope), ids: [...ids] },
  );
  return { found, next };
}

export interface PersonEvent {
  readonly id: number;
  readonly channelPublicId: string;
  readonly workspacePublicId: string;
  readonly eventType: EventType;
  readonly sender: string | null;
  readonly platformMessageId: string | null;
  readonly receivedAt: Date;
  readonly body: StoredBody;
}

/** Omits events that were erased or deleted in the meantime. */
export async function readPersonEvents(
  db: Knex,
  scope: PersonScope,
  ids: readonly number[],
): Promise<readonly PersonEvent[]> {
  const rows = await queryRows<Omit<PersonEvent, 'body'> & EventBodyRow>(
    db,
    `select e.id, c.public_id as "channelPublicId", w.public_id as "workspacePublicId", e.event_type as "eventType",
       e.sender, e.platform_message_id as "platformMessageId", e.created_at as "receivedAt", e.body, e.body_key_id,
       ${eventPlaceSql} as place
     from events e join channels c on c.id = e.channel_id join workspaces w on w.id = e.workspace_id
     where e.id = any (cast(:ids as bigint[])) and ${concernedEventsSql} order by e.id`,
    { ...bindingsOf(scope), conversationKeys: scope.personIds.map(conversationKey), ids: [...ids] },
  );
  return rows.map(withBody);
}

export interface DeliveryPage {
  readonly eventIds: readonly number[];
  readonly after: number;
  readonly limit: number;
}

/** Includes those of replays and listeners. */
export async function nextDeliveriesOf(
  db: Knex,
  { limit, ...page }: DeliveryPage,
): Promise<{ readonly deliveries: readonly DeliveryRecord[]; readonly next: number | undefined }> {
  const found = await queryRows<FoundDelivery>(
    db,
    `select id, event_id as "eventId" from deliveries
     where event_id = any (cast(:eventIds as bigint[])) and id > :after order by id limit :limit`,
    { ...page, limit },
  );
  const deliveries = await readDeliveries(db, found);
  return { deliveries, next: found.length < limit ? undefined : found.at(-1)?.id };
}

export interface AttemptPage {
  readonly deliveryIds: readonly number[];
  readonly after: { readonly deliveryId: number; readonly number: number };
  readonly limit: number;
}

export interface AttemptOfDelivery extends AttemptRecord {
  readonly deliveryId: number;
}

export async function nextAttemptsOf(
  db: Knex,
  { deliveryIds, after, limit }: AttemptPage,
): Promise<readonly AttemptOfDelivery[]> {
  const rows = await queryRows<AttemptRow & { readonly deliveryId: number }>(
    db,
    `select delivery_id as "deliveryId", ${attemptColumns}
     from attempts
     where delivery_id = any (cast(:deliveryIds as bigint[])) and (delivery_id, number) > (:deliveryId, :number)
     order by delivery_id, number limit :limit`,
    { deliveryIds, ...after, limit },
  );
  return rows.map(({ deliveryId, ...row }) => ({ deliveryId, ...attemptFromRow(row, deliveryId) }));
}
