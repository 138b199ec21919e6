import type { Knex } from 'knex';
import { raw } from 'objection';
import { type AuditFilters, type AuditRecord, queryAuditPage } from '../audit/list-audit-records.ts';

export interface StaffAuditRecord extends AuditRecord {
  readonly organizationPublicId: string | null;
  readonly person: string | null;
}

/** A staff key and an API key could have the same public id. */
const person = raw(`case when actor_type = 'staff' then ?? end`, 'staffKey:user.email').as('person');

/** Returns staff actions in any organization and all actions outside organizations, newest first. */
export async function listStaffAuditRecords(db: Knex, filters: AuditFilters): Promise<StaffAuditRecord[]> {
  return await queryAuditPage(db, filters)
    .leftJoinRelated('[organization, staffKey.user]')
    .where((either) => either.whereNull('audit_entries.organization_id').orWhere({ actor_type: 'staff' }))
    .select('organization.public_id as organizationPublicId', person)
    .castTo<StaffAuditRecord[]>();
}
