import type { Knex } from 'knex';
import { runPatiently, type UnwrappedMigration } from './concurrent-index.ts';

/**
 * The ids of the person of an event, so that an erasure finds the events that the person did not send, and those that
 * name the person by another id. Without `fastupdate`, each insert pays for its own ids: some ten microseconds, instead
 * of now and then tens of milliseconds for those of others.
 */
export const eventPeople: UnwrappedMigration = {
  config: { transaction: false },
  up: async (knex) => {
    await knex.raw(`
      alter table events add column if not exists person_ids text[];
      comment on column events.person_ids is
        'all ids of the person; null if the sender is the only one. The first is the sender if the person sent the event';
      alter table erasures add column if not exists person_ids text[]
        constraint "only an erasure of a sender under way knows ids"
          check (person_ids is null or kind = 'sender' and status <> 'completed');
      comment on column erasures.person_ids is 'ids that belong to the sender; null before they were looked up';
    `);
    for (const events of await eventTables(knex)) {
      await runPatiently(knex, [
        `drop index concurrently if exists ${events}_people`,
        `create index concurrently ${events}_people on ${events} using gin (person_ids) with (fastupdate = off)
           where person_ids is not null`,
      ]);
    }
  },
  down: async (knex) => {
    await knex.raw(`
      alter table events drop column person_ids;
      alter table erasures drop column person_ids;
    `);
  },
};

async function eventTables(knex: Knex): Promise<readonly string[]> {
  const { rows } = await knex.raw<{ rows: { name: string }[] }>(
    `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'events'::regclass order by 1`,
  );
  return rows.map(({ name }) => name);
}
