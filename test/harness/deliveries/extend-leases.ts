import type { Knex } from 'knex';

/**
 * Extends the life signs of workers, and so their leases, to an hour, so that a machine that pauses for seconds ends none
 * of them. Released leases and workers that leave stay free.
 */
export async function extendLeases(db: Knex): Promise<void> {
  await db.raw(`
    create function extend_life_sign() returns trigger language plpgsql as $$
    begin
      new.seen_at := clock_timestamp() + interval '1 hour';
      return new;
    end $$;
    create trigger extend_life_sign before insert or update on workers
      for each row execute function extend_life_sign()`);
}
