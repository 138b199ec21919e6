import type { Knex } from 'knex';
import type { AuditActorType } from '../../contract/identity/actor-types.ts';

export interface AuditRecord {
  readonly id: number;
  readonly createdAt: Date;
  readonly actorType: AuditActorType;
  readonly actorId: string;
  readonly action: string;
  readonly targetId: string | null;
  readonly workspacePublicId: string | null;
  readonly reason: string | null;
  readonly requestId: string | null;
  readonly clientAddress: string | null;
}

export interface AuditPage {
  readonly organizationId: number;
  readonly action?: string | undefined;
  readonly actorId?: string | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
  /** Number of the last entry on the page before. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/** Entries of an organization, newest first. */
export async function listAuditRecords(db: Knex, page: AuditPage): Promise<AuditRecord[]> {
  const { rows } = await db.raw<{ rows: AuditRecord[] }>(pageSql, {
    organizationId: page.organizationId,
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
  a.client_address as "clientAddress"
from audit_entries a left join workspaces w on w.id = a.workspace_id
where a.organization_id = :organizationId
  and (cast(:before as bigint) is null or a.id < cast(:before as bigint))
  and (cast(:action as text) is null or a.action = cast(:action as text))
  and (cast(:actorId as text) is null or a.actor_id = cast(:actorId as text))
  and (cast(:since as timestamptz) is null or a.created_at >= cast(:since as timestamptz))
  and (cast(:until as timestamptz) is null or a.created_at < cast(:until as timestamptz))
order by a.id desc limit :limit`;
