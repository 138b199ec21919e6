import type { Knex } from 'knex';

/** Existing organizations count as the operator's, so that none of them loses what it could do before. */
const up = `
alter table organizations
  add column made_by bigint references users,
  add column limits jsonb not null default '{}'
    constraint "limits are told by name" check (jsonb_typeof(limits) = 'object');
create index organizations_by_maker on organizations (made_by);
comment on column organizations.made_by is 'the person who signed in and had no organization; null: made by the operator';
comment on column organizations.limits is 'by name, what the operator has set instead of the limits of contract/limits.ts';

create index invitations_by_age on invitations (created_at);
create index replays_of_organization_under_way on replays (organization_id) where ended_at is null;

alter table destinations add column verified_url text;
comment on column destinations.verified_url is
  'of a subscription: the URL whose origin was that of a verified webhook of the organization; another URL must be verified again';

create table replay_paces (
  host text primary key,
  paced_at timestamptz not null default '-infinity'
);
comment on table replay_paces is 'when a replay last sent to a host that is not verified; all replays of the installation share it';
`;

export const limits: Knex.Migration = {
  async up(knex) {
    await knex.raw(up);
  },
  async down(knex) {
    await knex.raw(`
      drop table replay_paces;
      drop index invitations_by_age, replays_of_organization_under_way;
      alter table destinations drop column verified_url;
      alter table organizations drop column made_by, drop column limits;
    `);
  },
};
