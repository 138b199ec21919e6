import type { UnwrappedMigration } from './concurrent-index.ts';

/**
 * The trace of a sampled event, and whether a destination gets its header. Without a transaction, so that no statement
 * waits for one table while it locks the other. Repeatable. Reads and rewrites no rows.
 */
const statements = [
  'alter table events add column if not exists trace_parent text',
  `comment on column events.trace_parent is
    'the W3C header traceparent of a sampled event, whose attempts continue the trace; null if it is not sampled'`,
  'alter table destinations add column if not exists sends_trace_parent boolean not null default true',
  `comment on column destinations.sends_trace_parent is
    'whether deliveries of sampled events carry the header traceparent'`,
];

export const traceParents: UnwrappedMigration = {
  config: { transaction: false },
  async up(knex) {
    for (const statement of statements) await knex.raw(statement);
  },
  async down(knex) {
    await knex.raw('alter table destinations drop column sends_trace_parent');
    await knex.raw('alter table events drop column trace_parent');
  },
};
