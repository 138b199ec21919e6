import type { Knex } from 'knex';

/** A container whose status the platform does not show is published by trying, with pauses. */
export const earlyContainers: Knex.Migration = {
  async up(knex) {
    await knex.raw(`
      alter table media_containers add column too_early_at timestamptz;
      comment on column media_containers.too_early_at is
        'when the platform last refused to create the carousel, or to publish, because it is not finished';
    `);
  },
  async down(knex) {
    await knex.raw('alter table media_containers drop column too_early_at');
  },
};
