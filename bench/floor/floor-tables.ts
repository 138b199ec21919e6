import type { Client } from 'pg';

/** The least of a queue and of a ledger. */
const tablesSql = `
create table if not exists floor_waiting (
  id bigint primary key generated always as identity,
  key uuid not null,
  destination int not null,
  body bytea not null
);
create table if not exists floor_ledger (
  id bigint primary key,
  key uuid not null,
  destination int not null,
  status smallint not null,
  ended_at timestamptz not null default now()
);
`;

export async function createFloorTables(client: Client): Promise<void> {
  await client.query(tablesSql);
}

/** One statement and one round trip for all events that arrived during the last commit. */
export const insertWaitingSql = `
insert into floor_waiting (key, destination, body)
select key, 0, substring($4::bytea from body_at for body_length)
from unnest($1::uuid[], $2::int[], $3::int[]) as event (key, body_at, body_length)
`;

export const claimWaitingSql = `
select id, body from floor_waiting where id <> all ($1::bigint[]) order by id limit $2
`;

export const settleSql = `
with ended as (delete from floor_waiting where id = any ($1::bigint[]) returning id, key, destination)
insert into floor_ledger (id, key, destination, status) select id, key, destination, 200 from ended
`;
