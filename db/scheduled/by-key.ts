import type { Knex } from 'knex';
import type { ScheduledKind } from '../../contract/scheduled/scheduled.ts';
import { queryRows } from '../core/query-rows.ts';
import type { ScheduledModel } from '../models/scheduled.ts';
import type { Columns } from '../core/model.ts';

export interface ScheduledByKeyFilter {
  /** As `created_by` names it. */
  readonly credentialId: string;
  readonly organizationId: number;
  /** Only in workspaces of this person. Null for all. */
  readonly memberId: number | null;
}

export interface ScheduledByKey extends Columns<ScheduledModel, 'kind' | 'id' | 'publicId' | 'workspaceId' | 'dueAt'> {
  readonly channelPublicId: string;
  readonly workspacePublicId: string;
}

/** The first due of a kind, along an index. */
const scheduledSql = (kind: ScheduledKind): string => `
(select s.kind, s.id, s.public_id as "publicId", c.public_id as "channelPublicId",
   s.workspace_id as "workspaceId", w.public_id as "workspacePublicId", s.due_at as "dueAt"
 from scheduled s join channels c on c.id = s.channel_id join workspaces w on w.id = s.workspace_id
 where s.created_by = :credentialId and s.kind = '${kind}' and s.status = 'scheduled'
   and w.organization_id = :organizationId and w.deleted_at is null
   and (cast(:memberId as bigint) is null or exists (
     select 1 from workspace_members m where m.workspace_id = w.id and m.user_id = cast(:memberId as bigint)))
 order by s.due_at limit :limit)`;

const messagesSql = scheduledSql('message');
const postsSql = scheduledSql('post');

/** Returns what has not begun, the first due first. */
export async function listScheduledByKey(
  db: Knex,
  page: ScheduledByKeyFilter & { readonly limit: number },
): Promise<ScheduledByKey[]> {
  const sql = `select * from (${messagesSql} union all ${postsSql}) s order by "dueAt", kind, id limit :limit`;
  return await queryRows<ScheduledByKey>(db, sql, { ...page });
}

/** Counts at most `limit` of each. */
export async function countScheduledByKey(
  db: Knex,
  counted: ScheduledByKeyFilter & { readonly limit: number },
): Promise<{ messageCount: number; postCount: number }> {
  const [counts] = await queryRows<{ messageCount: number; postCount: number }>(
    db,
    `select (select count(*)::int from (${messagesSql}) m) as "messageCount",
       (select count(*)::int from (${postsSql}) p) as "postCount"`,
    { ...counted },
  );
  return counts!;
}

/** Returns those that are cancelled, also by another request. */
export async function findCancelled(db: Knex, ids: readonly string[]): Promise<Set<string>> {
  const cancelled = await db('scheduled').whereIn('public_id', ids).where({ status: 'cancelled' }).pluck('public_id');
  return new Set(cancelled as string[]);
}
