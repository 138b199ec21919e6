import type { Knex } from 'knex';
import { queryRows } from '../core/query-rows.ts';

export interface ScheduledByKeyFilter {
  /** As `created_by` names it. */
  readonly credentialId: string;
  readonly organizationId: number;
  /** Only in workspaces of this person. Null for all. */
  readonly memberId: number | null;
}

export interface ScheduledRecord {
  readonly kind: 'message' | 'post';
  readonly id: number;
  readonly publicId: string;
  readonly channelPublicId: string;
  readonly workspaceId: number;
  readonly workspacePublicId: string;
  readonly dueAt: Date;
}

type ScheduledKind = ScheduledRecord['kind'];

const scheduledSql = ({ kind, table, dueAt }: { kind: ScheduledKind; table: string; dueAt: string }): string => `
(select '${kind}' as kind, s.id, s.public_id as "publicId", c.public_id as "channelPublicId",
   s.workspace_id as "workspaceId", w.public_id as "workspacePublicId", s.${dueAt} as "dueAt"
 from ${table} s join channels c on c.id = s.channel_id join workspaces w on w.id = s.workspace_id
 where s.created_by = :credentialId and s.status = 'scheduled'
   and w.organization_id = :organizationId and w.deleted_at is null
   and (cast(:memberId as bigint) is null or exists (
     select 1 from workspace_members m where m.workspace_id = w.id and m.user_id = cast(:memberId as bigint)))
 order by s.${dueAt} limit :limit)`;

const messagesSql = scheduledSql({ kind: 'message', table: 'scheduled_messages', dueAt: 'send_at' });
const postsSql = scheduledSql({ kind: 'post', table: 'scheduled_posts', dueAt: 'publish_at' });

/** Returns what has not begun, the first due first. */
export async function listScheduledByKey(
  db: Knex,
  page: ScheduledByKeyFilter & { readonly limit: number },
): Promise<ScheduledRecord[]> {
  const sql = `select * from (${messagesSql} union all ${postsSql}) s order by "dueAt", kind, id limit :limit`;
  return await queryRows<ScheduledRecord>(db, sql, { ...page });
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
export async function findCancelled(db: Knex, records: readonly ScheduledRecord[]): Promise<Set<string>> {
  const rows = await queryRows<{ publicId: string }>(
    db,
    `select public_id as "publicId" from scheduled_messages
     where public_id = any(cast(:publicIds as text[])) and status = 'cancelled'
     union all
     select public_id from scheduled_posts
     where public_id = any(cast(:publicIds as text[])) and status = 'cancelled'`,
    { publicIds: records.map(({ publicId }) => publicId) },
  );
  return new Set(rows.map(({ publicId }) => publicId));
}
