import type { Knex } from 'knex';
import { raw } from 'objection';
import { AuditEntryModel } from '../models/audit-entry.ts';
import type { RowOf } from '../core/model.ts';

export interface AuditRecord extends RowOf<AuditEntryModel> {
  readonly actorName: string | null;
  readonly targetName: string | null;
  readonly workspacePublicId: string | null;
}

export interface AuditFilters {
  readonly action?: string | undefined;
  readonly actorId?: string | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
  /** Number of the last entry on the previous page. */
  readonly before?: number | undefined;
  readonly limit: number;
}

export interface AuditPage extends AuditFilters {
  readonly organizationId: number;
}

export async function listAuditRecords(db: Knex, { organizationId, ...filters }: AuditPage): Promise<AuditRecord[]> {
  return await queryAuditPage(db, filters)
    .where('audit_entries.organization_id', organizationId)
    .castTo<AuditRecord[]>();
}

/** Members of staff stay unnamed to tenants. Public ids are unique in their table, so each name is one look-up. */
const actorNameSql = `case audit_entries.actor_type
  when 'user' then (select u.email from users u where u.public_id = audit_entries.actor_id)
  when 'api_key' then (select k.name from api_keys k where k.public_id = audit_entries.actor_id
    and k.organization_id = audit_entries.organization_id)
  when 'agent' then (select k.name from agent_credentials c join api_keys k on k.id = c.api_key_id
    where c.public_id = audit_entries.actor_id and k.organization_id = audit_entries.organization_id)
end`;

/** By the prefix of the id. Only what belongs to the organization of the entry has a name. */
const targetNameSql = `case split_part(audit_entries.target_id, '_', 1)
  when 'ch' then (select c.display_name from channels c join workspaces w on w.id = c.workspace_id
    where c.public_id = audit_entries.target_id and w.organization_id = audit_entries.organization_id)
  when 'ws' then (select w.name from workspaces w where w.public_id = audit_entries.target_id
    and w.organization_id = audit_entries.organization_id)
  when 'usr' then (select u.email from users u where u.public_id = audit_entries.target_id)
  when 'key' then (select k.name from api_keys k where k.public_id = audit_entries.target_id
    and k.organization_id = audit_entries.organization_id)
  when 'ol' then (select l.label from onboarding_links l where l.public_id = audit_entries.target_id
    and l.organization_id = audit_entries.organization_id)
  when 'ptl' then (select l.name from portal_links l where l.public_id = audit_entries.target_id
    and l.organization_id = audit_entries.organization_id)
end`;

/** Returns a query over `audit_entries` and its relation `workspace`, newest first. */
export function queryAuditPage(db: Knex, { action, actorId, since, until, before, limit }: AuditFilters) {
  const query = AuditEntryModel.query(db)
    .leftJoinRelated('workspace')
    .select('audit_entries.*', 'workspace.public_id as workspacePublicId')
    .select(raw(actorNameSql).as('actorName'), raw(targetNameSql).as('targetName'))
    .orderBy('audit_entries.id', 'desc')
    .limit(limit);
  if (action !== undefined) query.where({ action });
  if (actorId !== undefined) query.where({ actor_id: actorId });
  if (since !== undefined) query.where('audit_entries.created_at', '>=', since);
  if (until !== undefined) query.where('audit_entries.created_at', '<', until);
  if (before !== undefined) query.where('audit_entries.id', '<', before);
  return query;
}
