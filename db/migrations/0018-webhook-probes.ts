import type { Knex } from 'knex';

/** The requester sees the result of each probe; the workflow receives only whether it passed. */
export const webhookProbes: Knex.Migration = {
  async up(knex) {
    await knex.raw(`
      alter table webhook_candidates
        add column probes jsonb not null default '{}'
          constraint "what came of probes is told by probe" check (jsonb_typeof(probes) = 'object');
      comment on column webhook_candidates.probes is
        'by probe, GET and POST: outcome, status, duration and the beginning of a wrong answer';
    `);
  },
  async down(knex) {
    await knex.schema.alterTable('webhook_candidates', (table) => table.dropColumn('probes'));
  },
};
