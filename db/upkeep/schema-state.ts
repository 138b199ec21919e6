import type { Knex } from 'knex';
import { migrationNames } from '../migrate.ts';

export type SchemaState = 'ok' | 'unreachable' | 'not_migrated';

export async function readSchemaState(db: Knex): Promise<SchemaState> {
  try {
    const applied = new Set(await appliedMigrations(db));
    return migrationNames.every((name) => applied.has(name)) ? 'ok' : 'not_migrated';
  } catch {
    return 'unreachable';
  }
}

/** Returns the migrations that a later release has applied. */
export async function newerMigrations(db: Knex): Promise<string[]> {
  return (await appliedMigrations(db)).filter((name) => !migrationNames.includes(name));
}

async function appliedMigrations(db: Knex): Promise<string[]> {
  if (!(await db.schema.hasTable('knex_migrations'))) return [];
  const rows = await db<{ name: string }>('knex_migrations').select('name');
  return rows.map(({ name }) => name);
}
