import type { Knex } from 'knex';

/** The actions in the audit log, in their order. */
export async function recordedActs(db: Knex): Promise<string[]> {
  return await db('audit_entries').orderBy('id').pluck('action');
}
