import type { Knex } from 'knex';
import { boundedKeys, type BoundedTable, deliveryPartSql, PERIOD_SPAN } from './0031-ledger-boundary.ts';

const PERIOD_COUNT = 2;

const eventKey = 'alter table events add primary key (id)';
const attemptKey = 'alter table attempts add primary key (delivery_id, number)';

/** The checks exclude partitions from statements that name the status. */
const waiting = `
create table deliveries_waiting partition of deliveries for values in (1)
  with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
alter table deliveries_waiting add primary key (id),
  add constraint "a waiting delivery has not ended and is not parked"
    check (status in ('pending', 'retrying') and (status = 'retrying' or next_attempt_at is null));
create index deliveries_waiting_pending on deliveries_waiting (shard, destination_id, id) where status = 'pending';
create index deliveries_waiting_retrying on deliveries_waiting (shard, next_attempt_at) where status = 'retrying';
create index deliveries_waiting_retrying_by_destination on deliveries_waiting (destination_id, id) where status = 'retrying';
create index deliveries_waiting_for_listeners on deliveries_waiting (destination_id, workspace_id, xid, id)
  where shard = -1 and status = 'pending';
create index deliveries_waiting_in_trouble on deliveries_waiting (channel_id, id)
  where status in ('retrying', 'exhausted', 'cancelled', 'skipped');
create index deliveries_waiting_by_channel on deliveries_waiting (channel_id, id);
create index deliveries_waiting_changed on deliveries_waiting (channel_id, xid, id);
create index deliveries_waiting_by_event on deliveries_waiting (event_id);
comment on table deliveries_waiting is 'pending and retrying deliveries; a row moves to deliveries_ended when it ends';
`;

const parked = `
create table deliveries_parked partition of deliveries for values in (3)
  with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
alter table deliveries_parked add primary key (id),
  add constraint "a parked delivery is pending" check (status = 'pending' and next_attempt_at is not null);
create index deliveries_parked_pending on deliveries_parked (shard, destination_id, id) where status = 'pending';
create index deliveries_parked_by_conversation on deliveries_parked (destination_id, conversation_key, id);
create index deliveries_parked_until on deliveries_parked (shard, next_attempt_at);
create index deliveries_parked_by_channel on deliveries_parked (channel_id, id);
create index deliveries_parked_changed on deliveries_parked (channel_id, xid, id);
create index deliveries_parked_by_event on deliveries_parked (event_id);
comment on table deliveries_parked is
  'pending deliveries behind a held conversation; next_attempt_at is when they leave, even if the hold stays';
`;

const ended = `
create table deliveries_ended partition of deliveries for values in (2) partition by range (id);
alter table deliveries_ended add primary key (id),
  add constraint "an ended delivery does not wait" check (status not in ('pending', 'retrying'));
`;

/**
 * Partitions have their own indexes: an index of the parent would also be built on the old tables, under a lock. A hash
 * of the sender is half as large as the sender, and a page that a checkpoint has to write again holds more of them.
 */
const periodSql = (number: number, bounds: string): string => `
create table events_${number} partition of events for values ${bounds};
create index events_${number}_by_platform_message on events_${number} using hash (platform_message_id)
  where platform_message_id is not null;
create index events_${number}_by_sender on events_${number} using hash (sender) where sender is not null;
create table attempts_${number} partition of attempts for values ${bounds};
create table deliveries_ended_${number} partition of deliveries_ended for values ${bounds};
create index deliveries_ended_${number}_by_channel on deliveries_ended_${number} (channel_id, id);
create index deliveries_ended_${number}_changed on deliveries_ended_${number} (channel_id, xid, id);
create index deliveries_ended_${number}_by_event on deliveries_ended_${number} (event_id);
create index deliveries_ended_${number}_in_trouble on deliveries_ended_${number} (channel_id, id)
  where status in ('retrying', 'exhausted', 'cancelled', 'skipped');
`;

/**
 * Turns the ledger's tables into partitions of tables with the same names. Reads no rows, because 0031 has validated
 * their bounds. Statements of the previous version keep working: an update of `status` moves a row to its partition.
 */
export const partitionedLedger = {
  async up(knex: Knex) {
    await knex.raw('lock table events, deliveries, attempts in access exclusive mode');
    const boundary = await readBoundary(knex);
    await takeSequence(knex, 'events', boundary);
    await takeSequence(knex, 'deliveries', boundary);
    await replaceByParent(knex, { table: 'events', partition: 'range (id)', boundary });
    await knex.raw(eventKey);
    await replaceByParent(knex, { table: 'attempts', partition: 'range (delivery_id)', boundary });
    await knex.raw(attemptKey);
    await replaceByParent(knex, { table: 'deliveries', partition: `list (${deliveryPartSql(boundary)})`, boundary });
    await knex.raw(waiting + parked + ended);
    await attachBefore(knex, boundary);
    await knex.raw('delete from ledger_periods');
    for (let period = 0; period < PERIOD_COUNT; period++) await addPeriod(knex, boundary + period * PERIOD_SPAN);
    await knex.raw('update ledger_periods set began_at = now() where first_id = ?', [boundary]);
  },
  async down(knex: Knex) {
    await knex.raw(
      `update deliveries set next_attempt_at = null where status = 'pending' and next_attempt_at is not null`,
    );
    for (const table of ['attempts', 'deliveries', 'events']) {
      await knex.raw(`
        create table ${table}_whole (like ${table} including defaults including constraints including comments including storage);
        insert into ${table}_whole select * from ${table};
        drop table ${table};
        alter table ${table}_whole rename to ${table};
      `);
    }
    await knex.raw(downIndexes);
    await downSequence(knex, 'events');
    await downSequence(knex, 'deliveries');
    await knex.raw('update ledger_periods set began_at = null');
  },
};

/** 0 if there are no rows to keep. */
async function readBoundary(knex: Knex): Promise<number> {
  const { rows } = await knex.raw<{ rows: { boundary: number }[] }>(
    `select case when exists (select from events) or exists (select from deliveries) then min(first_id) else 0 end as boundary
     from ledger_periods`,
  );
  return rows[0]!.boundary;
}

const testColumns = { events: 'event_number', deliveries: 'delivery_number' } as const;

/** A partition cannot have an identity column. The new sequence has the name of the column's. */
async function takeSequence(knex: Knex, table: 'events' | 'deliveries', boundary: number): Promise<void> {
  const { rows } = await knex.raw<{ rows: { next: number }[] }>(
    `select last_value + is_called::int as next from ${table}_id_seq`,
  );
  await knex.raw(`
    create sequence ${table}_next_id as bigint start ${Math.max(rows[0]!.next, boundary)};
    alter table test_events alter column ${testColumns[table]} set default nextval('${table}_next_id');
    alter table ${table} alter column id drop identity;
    alter sequence ${table}_next_id rename to ${table}_id_seq;
    alter table ${table} alter column id set default nextval('${table}_id_seq');
  `);
}

async function downSequence(knex: Knex, table: 'events' | 'deliveries'): Promise<void> {
  const { rows } = await knex.raw<{ rows: { next: number }[] }>(
    `select last_value + is_called::int as next from ${table}_id_seq`,
  );
  await knex.raw(`
    alter sequence ${table}_id_seq rename to ${table}_parted_id;
    alter table ${table} alter column id drop default;
    alter table ${table} alter column id
      add generated by default as identity (sequence name ${table}_id_seq start ${rows[0]!.next});
    alter table test_events alter column ${testColumns[table]} set default nextval('${table}_id_seq');
    drop sequence ${table}_parted_id;
  `);
}

interface Replacement {
  readonly table: BoundedTable;
  readonly partition: string;
  readonly boundary: number;
}

async function replaceByParent(knex: Knex, { table, partition }: Replacement): Promise<void> {
  await knex.raw(`
    alter table ${table} rename to ${table}_before;
    create table ${table} (
      like ${table}_before including defaults including constraints including comments including storage
    ) partition by ${partition};
    alter table ${table} drop constraint ${table}_before_boundary;
  `);
}

async function attachBefore(knex: Knex, boundary: number): Promise<void> {
  for (const table of Object.keys(boundedKeys)) {
    const bounds = table === 'deliveries' ? 'in (0)' : `from (minvalue) to (${boundary})`;
    await knex.raw(
      boundary === 0
        ? `drop table ${table}_before`
        : `alter table ${table} attach partition ${table}_before for values ${bounds};
           alter table ${table}_before drop constraint ${table}_before_boundary`,
    );
  }
}

async function addPeriod(knex: Knex, first: number): Promise<void> {
  await knex.raw(
    periodSql(first / PERIOD_SPAN, `from (${first === 0 ? 'minvalue' : first}) to (${first + PERIOD_SPAN})`),
  );
  await knex.raw('insert into ledger_periods (first_id) values (?)', [first]);
}

const downIndexes = `
alter table events add primary key (id);
alter table deliveries add primary key (id);
alter table attempts add primary key (delivery_id, number);
create index events_by_platform_message on events using hash (platform_message_id) where platform_message_id is not null;
create index events_by_sender on events (sender, id) where sender is not null;
create index deliveries_by_channel on deliveries (channel_id, id);
create index deliveries_pending on deliveries (shard, destination_id, id) where status = 'pending';
create index deliveries_retrying on deliveries (shard, next_attempt_at) where status = 'retrying';
create index deliveries_retrying_by_destination on deliveries (destination_id, id) where status = 'retrying';
create index deliveries_by_event on deliveries (event_id);
create index deliveries_changed on deliveries (channel_id, xid, id);
create index deliveries_in_trouble on deliveries (channel_id, id)
  where status in ('retrying', 'exhausted', 'cancelled', 'skipped');
create index deliveries_for_listeners_by_workspace on deliveries (destination_id, workspace_id, xid, id)
  where shard = -1 and status = 'pending';
`;
