import test from 'ava';
import { type MigrationExceptions, migrationFindings } from '../../../dev/checks/migrations.ts';
import { fieldsOf } from '../../harness/fields-of.ts';
import { builderRules, migrationRules } from '../../../dev/checks/migration-rules.ts';

const inUp = (sql: string): string =>
  `export const next = {\n  async up(knex) { await knex.raw(\`${sql}\`); },\n  async down(knex) { await knex.raw('drop table x'); },\n};`;
const rulesIn = (text: string, path = 'db/migrations/0099-next.ts', allowed: MigrationExceptions = {}): string[] =>
  migrationFindings({ path, text }, allowed).map(({ rule }) => /\(([a-z-]+)\)$/.exec(rule)?.[1] ?? rule);

const breaking: Readonly<Record<string, readonly string[]>> = {
  drops: [
    'drop table listeners;',
    'create table x (id int); drop view y',
    'truncate deliveries',
    'alter table channels drop column label',
    'alter table channels add column a int, drop constraint b',
  ],
  renames: [
    'alter table channels rename column a to b',
    'alter table events rename to old_events',
    'alter index a rename to b',
    'alter table events set schema old',
  ],
  'changes-type': [
    'alter table channels alter column a type bigint',
    'alter table channels alter a set data type text',
  ],
  'sets-not-null': ['alter table channels alter column a set not null'],
  'requires-column': ['alter table channels add column a int default 1, add column b text not null'],
  rewrites: [
    'alter table only deliveries add column a uuid default gen_random_uuid()',
    'ALTER TABLE public.events\n  ADD a bigserial',
    'alter table events add column a text generated always as (lower(sender)) stored',
  ],
  scans: [
    'alter table deliveries add constraint "a, b" check (a > 0)',
    'alter table deliveries add column a int check (a > 0)',
    'alter table attempts add foreign key (delivery_id) references deliveries',
  ],
  'blocks-writes': [
    'create index deliveries_by_a on deliveries (a)',
    'create unique index if not exists a on events using btree (b)',
    'create index on deliveries (a)',
    'create index on deliveries_waiting (a)',
    'create index on events_1 using hash (a)',
  ],
  'writes-all': [
    'update deliveries set a = 1',
    'update deliveries_ended_1 set a = 1',
    'delete from event_keys where a',
    'delete from event_keys_2 where a',
  ],
  locks: ['lock table channels in access exclusive mode', 'reindex table channels', 'vacuum full channels'],
};

test('every rule has a migration that breaks it', (t) => {
  t.deepEqual(fieldsOf(migrationRules, 'name'), Object.keys(breaking) as never);
});

for (const [rule, statements] of Object.entries(breaking)) {
  for (const sql of statements) {
    test(`'${sql}' breaks the rule ${rule}`, (t) => {
      t.deepEqual(rulesIn(inUp(sql)), [rule]);
    });
  }
}

const permitted = [
  'create table events_1 (id bigint primary key, a text not null check (a in (1, 2)))',
  "alter table deliveries add column a text, add column b int default 0; comment on column deliveries.a is 'we drop; it'",
  'alter table channels add column a boolean not null default false, add constraint "it\'s a" check (a)',
  'alter table deliveries add constraint a check (b > 0) not valid; alter table deliveries validate constraint a',
  'alter table channels add constraint a check (b is not null) not valid; alter table channels validate constraint a; alter table channels alter column b set not null',
  'create index concurrently deliveries_by_a on deliveries (a)',
  'create index channels_by_a on channels (a)',
  'alter table channels alter column a drop not null, alter column b set default 1',
  'create function f() returns trigger language plpgsql as $$ begin update deliveries set a = 1; return null; end $$',
];
for (const sql of permitted) {
  test(`'${sql}' is permitted`, (t) => {
    t.deepEqual(rulesIn(inUp(sql)), []);
  });
}

test('the schema builder follows the same rules', (t) => {
  for (const [method, rule] of Object.entries(builderRules)) {
    t.deepEqual(rulesIn(`export const next = { up: (knex) => knex.schema.${method}('a') };`), [rule]);
  }
});

test('an exception permits one rule, and must be needed', (t) => {
  const path = 'db/migrations/0099-next.ts';
  const allowed = { '0099-next': { renames: 'a view keeps the old name' } };
  t.deepEqual(rulesIn(inUp('alter table events rename to old_events'), path, allowed), []);
  t.deepEqual(rulesIn(inUp('drop table a; alter table events rename to b'), path, allowed), ['drops']);
  t.regex(rulesIn(inUp('select 1'), path, allowed)[0]!, /does not need its exception/);
});
