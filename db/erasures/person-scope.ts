import type { Knex } from 'knex';
import { plainPerson } from '../../contract/operations/person-id.ts';
import { queryRows } from '../core/query-rows.ts';

/** The person of an erasure or an export. Null stands for all workspaces or channels of the organization. */
export interface PersonScope {
  readonly organizationId: number;
  /** As asked for. */
  readonly sender: string;
  /** All ids of the person, including the sender. */
  readonly personIds: readonly string[];
  readonly workspaceId: number | null;
  readonly channelId: number | null;
  /** With microseconds, as text. What came later is not in the scope. */
  readonly createdAt: string;
}

const eventScopeSql = inScopeSql({
  workspaceId: 'e.workspace_id',
  channelId: 'e.channel_id',
  createdAt: 'e.created_at',
});

const ofPersonSql = `e.sender = any (cast(:personIds as text[])) or e.person_ids && cast(:personIds as text[])`;

/** Erased events have neither a sender nor people. */
export const personEventsSql = `(${ofPersonSql}) and ${eventScopeSql}`;

/** Includes events of the conversation that name no person. Erased events have no conversation. */
export const concernedEventsSql = `(${ofPersonSql} or e.conversation_key = any (cast(:conversationKeys as bigint[])))
  and ${eventScopeSql}`;

/** A person has a few ids. More would come from a number that changed hands often. */
const MAX_IDS = 100;

/**
 * Returns the ids that events of the scope name together with the sender's, or with one of those. So an erasure of a
 * phone number finds what the person sent without it.
 */
export async function findPersonIds(
  db: Knex,
  { sender, ...place }: Omit<PersonScope, 'personIds'>,
): Promise<readonly string[]> {
  const rows = await queryRows<{ id: string }>(db, personIdsSql, {
    organizationId: place.organizationId,
    workspaceId: place.workspaceId,
    channelId: place.channelId,
    createdAt: place.createdAt,
    asked: [...new Set([sender, plainPerson(sender)])],
    limit: MAX_IDS,
  });
  return rows.map(({ id }) => id);
}

const personIdsSql = `
with recursive person (id) as (
  select unnest(cast(:asked as text[]))
  union
  select named.id from person p cross join lateral (
    select distinct unnest(e.person_ids) as id from events e where e.person_ids && array[p.id] and ${eventScopeSql}
  ) named
)
select id from person limit :limit`;

/** Requires the outbound call, container or test event `o`. */
export const placedScopeSql = inScopeSql({
  workspaceId: 'o.workspace_id',
  channelId: 'o.channel_id',
  createdAt: 'o.created_at',
});

/** Requires the row `o` and its channel `c`. */
export const heldScopeSql = inScopeSql({ workspaceId: 'c.workspace_id', channelId: 'c.id', createdAt: 'o.created_at' });
export const channelScopeSql = `c.id = o.channel_id and ${heldScopeSql}`;

/** Requires the call `o` and its channel `c`. */
export const idempotentScopeSql = `o.answer is not null and ${channelScopeSql}`;

/** True for texts that contain the person's id as a whole word, so that a longer id does not match. */
export const namesPersonSql = (text: string): string => `${text} ~ cast(:personPattern as text)`;

export function personPattern(ids: readonly string[]): string {
  const literals = ids.map((id) => id.replace(/[!-/:-@[-`{-~]/g, '\\$&'));
  return `(^|[^[:alnum:]])(${literals.join('|')})($|[^[:alnum:]])`;
}

function inScopeSql(column: Readonly<Record<'workspaceId' | 'channelId' | 'createdAt', string>>): string {
  return `${column.createdAt} <= cast(:createdAt as timestamptz)
  and ${column.workspaceId} in (select id from workspaces where organization_id = :organizationId)
  and (cast(:workspaceId as bigint) is null or ${column.workspaceId} = cast(:workspaceId as bigint))
  and (cast(:channelId as bigint) is null or ${column.channelId} = cast(:channelId as bigint))`;
}
