import type { Knex } from 'knex';

/**
 * Triggers, because workers of earlier versions must be refused too. They wait for the transaction that begins a change
 * of the number of shards, which then sees their leases. Renewals of valid leases do not call the function.
 */
const up = `
alter table workers add column capabilities text[];
comment on column workers.capabilities is
  'what the worker supports, as an earlier version may not; null before migration 0038. moves: it reads both shards of a moving destination';

create function require_known_moves() returns trigger language plpgsql as $$
begin
  if exists (select from workers w where w.holder = new.holder and 'moves' = any (w.capabilities)) then
    return new;
  end if;
  perform from installation for share;
  if exists (select from installation where target_shards is not null) or exists (select from moving_destinations) then
    raise exception using
      message = 'This version of the worker does not support moving destinations. '
        'Update the worker, or start it when "admin shards" shows no change of the number of shards.';
  end if;
  return new;
end
$$;
create trigger shard_leases_first_acquired before insert on shard_leases
  for each row execute function require_known_moves();
create trigger shard_leases_acquired before update on shard_leases for each row
  when (new.expires_at > clock_timestamp() and (old.expires_at <= clock_timestamp() or old.holder <> new.holder))
  execute function require_known_moves();
`;

export const workerCapabilities: Knex.Migration = {
  async up(knex) {
    await knex.raw(up);
  },
  async down(knex) {
    await knex.raw(`
      drop trigger shard_leases_acquired on shard_leases;
      drop trigger shard_leases_first_acquired on shard_leases;
      drop function require_known_moves;
      alter table workers drop column capabilities;
    `);
  },
};
