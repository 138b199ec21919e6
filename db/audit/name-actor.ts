import type { Knex } from 'knex';
import { queryRows } from '../core/query-rows.ts';
import type { AuditActor } from './record-audit.ts';

/**
 * Returns the e-mail address of a person, or the name of a key or a portal link. Null for staff, whose names the
 * organization does not see, for the service, and for what no longer exists.
 */
export async function nameActor(db: Knex, { type, id }: AuditActor): Promise<string | null> {
  const sql = namesSql[type];
  if (sql === null) return null;
  const [found] = await queryRows<{ readonly name: string | null }>(db, sql, { id });
  return found?.name ?? null;
}

const namesSql: Readonly<Record<AuditActor['type'], string | null>> = {
  user: 'select email as name from users where public_id = :id',
  api_key: 'select name from api_keys where public_id = :id',
  agent: `select k.name from agent_credentials a join api_keys k on k.id = a.api_key_id where a.public_id = :id`,
  portal: 'select name from portal_links where public_id = :id',
  staff: null,
  system: null,
};
