import type { Knex } from 'knex';
import type { EventType } from '../../contract/event-types.ts';
import { BodyUnreadable, type StoredBody } from '../core/body-box.ts';
import { eventBodyFromRow, type EventBodyRow } from '../core/body-contexts.ts';
import { queryRows } from '../core/query-rows.ts';
import { heldScopeSql, type PersonScope } from './person-scope.ts';

export type OpenBody = (stored: StoredBody) => Buffer;

/** A workspace instead of a person if the ids are null. */
export type UnroutedScope = Omit<PersonScope, 'sender' | 'personIds'> & {
  readonly personIds: readonly string[] | null;
};

export interface UnroutedItem {
  readonly id: number;
  readonly channelPublicId: string;
  readonly eventType: EventType | null;
  readonly receivedAt: Date;
  /** Null if it can't be opened. */
  readonly body: Buffer | null;
}

export interface UnroutedPart {
  readonly items: readonly UnroutedItem[];
  /** Position of the next part, or undefined after the last. */
  readonly next: number | undefined;
}

/** Bounds the bodies in memory. */
const LOOKED_ROWS = 100;

export interface ReadUnrouted {
  readonly scope: UnroutedScope;
  readonly after: number;
  readonly open: OpenBody;
}

/**
 * Returns the items of the scope among the next rows. Items do not name their sender, so the body of each is searched.
 * Those of a person whose bodies can't be opened are not found.
 */
export async function readUnroutedItems(db: Knex, { scope, after, open }: ReadUnrouted): Promise<UnroutedPart> {
  const { personIds, organizationId, workspaceId, channelId, createdAt } = scope;
  const [looked] = await queryRows<{ count: number; last: number }>(
    db,
    `select count(*)::int as count, coalesce(max(id), 0)::bigint as last
     from (select id from unrouted_events where id > :after order by id limit :limit) looked`,
    { after, limit: LOOKED_ROWS },
  );
  const { count, last } = looked!;
  const place = { organizationId, workspaceId, channelId, createdAt };
  const found = await queryRows<FoundItem>(db, foundSql, { ...place, after, last });
  const person = personIds && wordPattern(personIds);
  const items = found
    .map(({ body, body_key_id, place, ...item }) => ({
      ...item,
      body: opened(open, eventBodyFromRow({ body, body_key_id, place })),
    }))
    .filter(({ body }) => person === null || (body !== null && person.test(body.toString('utf8'))));
  return { items, next: count < LOOKED_ROWS ? undefined : last };
}

interface FoundItem extends EventBodyRow, Omit<UnroutedItem, 'body'> {}

/** Items belong to the connected channel of their account. Without one, they belong to those that had it. */
const foundSql = `
select distinct on (o.id) o.id, c.public_id as "channelPublicId", o.event_type as "eventType",
  o.created_at as "receivedAt", o.body, o.body_key_id, case when o.body_key_id is not null then jsonb_build_object(
  'channelType', o.type, 'resourceId', o.resource_id, 'eventType', o.event_type,
  'conversationKey', o.conversation_key) end as place
from unrouted_events o join channels c on c.type = o.type and c.resource_id = o.resource_id
where o.id > :after and o.id <= :last and ${heldScopeSql}
  and (c.disconnected_at is null or not exists (select from channels live
    where live.type = o.type and live.resource_id = o.resource_id and live.disconnected_at is null))
order by o.id, c.id desc`;

function opened(open: OpenBody, stored: StoredBody): Buffer | null {
  try {
    return open(stored);
  } catch (error) {
    if (error instanceof BodyUnreadable) return null;
    throw error;
  }
}

/** As `personPattern`, for JavaScript. */
function wordPattern(ids: readonly string[]): RegExp {
  const literals = ids.map((id) => id.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${literals.join('|')})(?![\\p{L}\\p{N}])`, 'u');
}
