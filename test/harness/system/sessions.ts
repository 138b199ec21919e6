import type { Knex } from 'knex';
import { until } from '../until.ts';

/** Waits until another session of the database is as described. */
export async function untilSession(db: Knex, condition: string): Promise<void> {
  const look = async (): Promise<boolean> => {
    const { rows } = await db.raw(
      `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and ${condition}`,
    );
    return rows.length > 0;
  };
  await until(look, { for: `A session with ${condition}` });
}

/** Waits until an API looks for new deliveries of a reader. */
export async function untilReaderWaits(db: Knex): Promise<void> {
  await untilSession(db, `application_name = 'service-api' and query like '%with ordinality as w (destination_id%'`);
}
