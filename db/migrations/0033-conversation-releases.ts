import type { Knex } from 'knex';

/**
 * A trigger, because every writer of holds must release, also of the previous version. The query in it takes its own
 * snapshot, after the deletion has waited for those who park behind the hold.
 */
const up = `
create table conversation_releases (
  id bigint generated always as identity primary key,
  destination_id bigint not null,
  conversation_key bigint,
  created_at timestamptz not null default now()
);
comment on table conversation_releases is
  'conversations with parked deliveries whose hold has ended; a pump returns them in slices. Without a key: all of the destination';

create function release_parked_deliveries() returns trigger language plpgsql as $$
begin
  if exists (
    select from deliveries_parked p
    where p.destination_id = old.destination_id and p.conversation_key = old.conversation_key
  ) then
    insert into conversation_releases (destination_id, conversation_key)
    values (old.destination_id, old.conversation_key);
  end if;
  return null;
end
$$;
create trigger conversation_holds_release after delete on conversation_holds
  for each row execute function release_parked_deliveries();
`;

export const conversationReleases = {
  async up(knex: Knex) {
    await knex.raw(up);
  },
  async down(knex: Knex) {
    await knex.raw('drop trigger conversation_holds_release on conversation_holds');
    await knex.raw('drop function release_parked_deliveries');
    await knex.schema.dropTable('conversation_releases');
  },
};
