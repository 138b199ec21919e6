import type { Knex } from 'knex';
import { migrationNames } from '../migrate.ts';

export async function isMigrated(db: Knex): Promise<boolean> {
  if (!(await db.schema.hasTable('knex_migrations'))) return false;
  const rows = await db<{ name: string }>('knex_migrations').select('name');
  const applied = new Set(rows.map(({ name }) => name));
  return migrationNames.every((name) => applied.has(name));
}
