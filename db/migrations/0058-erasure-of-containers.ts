import type { Knex } from 'knex';

/** The text of a post under way is still needed, so it is erased after the container has ended. */
export const erasureOfContainers: Knex.Migration = {
  async up(knex) {
    await knex.raw(`
      create table containers_to_erase (
        container_id bigint primary key references media_containers (id) on delete cascade,
        created_at timestamptz not null default now()
      );
      comment on table containers_to_erase is 'containers that an erasure reached before they ended';
    `);
  },
  async down(knex) {
    await knex.raw('drop table containers_to_erase');
  },
};
