import type { Knex } from 'knex';

/** Ends the database sessions of all service processes. Returns how many there were. */
export async function loseDatabase(db: Knex): Promise<number> {
  const { rows } = await db.raw(
    `select count(pg_terminate_backend(pid)) as cut from pg_stat_activity
     where datname = current_database() and application_name like 'service-%'`,
  );
  return rows[0].cut;
}
