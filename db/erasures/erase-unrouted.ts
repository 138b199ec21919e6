import type { Knex } from 'knex';
import { BodyUnreadable, type StoredBody } from '../core/body-box.ts';
import { eventBodyFromRow, type EventBodyRow } from '../core/body-contexts.ts';
import { queryRows } from '../core/query-rows.ts';
import type { ErasedSlice } from './erase-rows.ts';
import type { OpenErasure } from './next-slice.ts';
import { heldScopeSql } from './person-scope.ts';

export type OpenBody = (stored: StoredBody) => Buffer;

/** Bounds the bodies in memory. */
const LOOKED_ROWS = 100;

interface FoundItem extends EventBodyRow {
  readonly id: number;
}

/**
 * Deletes items that came before their account was connected, once a channel of the scope holds the account. Items do
 * not name their sender, so the body of each is searched. Bodies that can't be opened stay until their retention ends.
 */
export async function eraseUnroutedEvents(trx: Knex, erasure: OpenErasure, open: OpenBody): Promise<ErasedSlice> {
  if (erasure.kind === 'event') return { erased: {}, next: undefined };
  const { atId, createdAt, organizationId, workspaceId, channelId, sender } = erasure;
  const [looked] = await queryRows<{ count: number; last: number }>(
    trx,
    `select count(*)::int as count, coalesce(max(id), 0)::bigint as last
     from (select id from unrouted_events where id > :atId order by id limit :limit) looked`,
    { atId, limit: LOOKED_ROWS },
  );
  const { count, last } = looked!;
  const place = { createdAt, organizationId, workspaceId, channelId };
  const found = await queryRows<FoundItem>(trx, foundSql, { ...place, atId, last });
  const ids = found.filter((item) => sender === null || namesPerson(item, { sender, open })).map(({ id }) => id);
  await trx.raw('delete from unrouted_events where id = any (cast(:ids as bigint[]))', { ids });
  return {
    erased: { unroutedEvents: ids.length },
    next: count < LOOKED_ROWS ? undefined : { atChannelId: 0, atId: last },
  };
}

/** An account has at most one connected channel. */
const foundSql = `
select o.id, o.body, o.body_key_id, case when o.body_key_id is not null then jsonb_build_object(
  'channelType', o.type, 'resourceId', o.resource_id, 'eventType', o.event_type,
  'conversationKey', o.conversation_key) end as place
from unrouted_events o join channels c on c.type = o.type and c.resource_id = o.resource_id
  and c.disconnected_at is null
where o.id > :atId and o.id <= :last and ${heldScopeSql}`;

function namesPerson(item: FoundItem, { sender, open }: { readonly sender: string; readonly open: OpenBody }): boolean {
  try {
    return wordPattern(sender).test(open(eventBodyFromRow(item)).toString('utf8'));
  } catch (error) {
    if (error instanceof BodyUnreadable) return false;
    throw error;
  }
}

/** As `personPattern`, for JavaScript. */
function wordPattern(sender: string): RegExp {
  const literal = sender.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  return new RegExp(`(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`, 'u');
}
