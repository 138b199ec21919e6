import type { Knex } from 'knex';

/** Apart from `workers`, whose rows are candidates for shards. */
export const workerBuilds: Knex.Migration = {
  async up(knex) {
    await knex.raw(`
      create table worker_builds (
        holder text primary key,
        build_id text not null,
        seen_at timestamptz not null default clock_timestamp()
      );
      comment on table worker_builds is
        'live workers with the role main and the build whose workflows they run; the newest live build becomes current in Temporal';
    `);
  },
  async down(knex) {
    await knex.raw('drop table worker_builds');
  },
};
