import type { Knex } from 'knex';

/** Keys of two earlier generations. Retention drops the last one and renames the others. */
export const eventKeyGenerations = {
  async up(knex: Knex) {
    await knex.raw(`
      create table event_keys_1 (like event_keys including all);
      create table event_keys_2 (like event_keys including all);
      comment on table event_keys_1 is 'keys accepted before the present generation; no longer written';
      insert into retention_sweeps (task, ended_at) values ('event_key_generation', now()) on conflict do nothing;
    `);
  },
  async down(knex: Knex) {
    await knex.raw(`
      insert into event_keys select * from event_keys_1 on conflict do nothing;
      insert into event_keys select * from event_keys_2 on conflict do nothing;
      drop table event_keys_1, event_keys_2;
      delete from retention_sweeps where task = 'event_key_generation';
    `);
  },
};
