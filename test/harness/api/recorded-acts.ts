import type { Knex } from 'knex';

export async function recordedActs(db: Knex): Promise<string[]> {
  return await db('audit_entries').orderBy('id').pluck('action');
}
