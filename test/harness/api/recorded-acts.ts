import type { Knex } from 'knex';

/** Returns the audit log's actions in order. */
export async function recordedActs(db: Knex): Promise<string[]> {
  return await db('audit_entries').orderBy('id').pluck('action');
}
