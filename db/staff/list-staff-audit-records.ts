import type { Knex } from 'knex';
import type { AuditPage, AuditRecord } from '../audit/list-audit-records.ts';

export interface StaffAuditRecord extends AuditRecord {
  readonly organizationPublicId: string | null;
  /** The address of the person behind a key of staff. */
  readonly person: string | null;
}

/** What staff did in any organization, and what happened in none, newest first. */
export async function listStaffAuditRecords(
  db: Knex,
  page: Omit<AuditPage, 'organizationId'>,
): Promise<StaffAuditRecord[]> {
  const { rows } = await db.raw<{ rows: StaffAuditRecord[] }>(pageSql, {
    action: page.action ?? null,
    actorId: page.actorId ?? null,
    since: page.since ?? null,
    until: page.until ?? null,
    before: page.before ?? null,
    limit: page.limit,
  });
  return rows;
}

const pageSql = `
select a.id, a.created_at as "createdAt", a.actor_type as "actorType", a.actor_id as "actorId", a.action,
  a.target_id as "targetId", w.public_id as "workspacePublicId", a.reason, a.request_id as "requestId",
  a.client_address as "clientAddress", o.public_id as "organizationPublicId", u.email as person
from audit_entries a
left join workspaces w on w.id = a.workspace_id
left join organizations o on o.id = a.organization_id
left join staff_keys k on a.actor_type = 'staff' and k.public_id = a.actor_id
left join users u on u.id = k.user_id
where (a.organization_id is null or a.actor_type = 'staff')
  and (cast(:before as bigint) is null or a.id < cast(:before as bigint))
  and (cast(:action as text) is null or a.action = cast(:action as text))
  and (cast(:actorId as text) is null or a.actor_id = cast(:actorId as text))
  and (cast(:since as timestamptz) is null or a.created_at >= cast(:since as timestamptz))
  and (cast(:until as timestamptz) is null or a.created_at < cast(:until as timestamptz))
order by a.id desc limit :limit`;
