import type { Knex } from 'knex';

/** Searches in about 30 reads, because an index on the time would add a write per delivery. */
export async function firstDeliverySince(db: Knex, at: Date): Promise<number> {
  return await firstSince(db, 'deliveries', at);
}

export async function firstEventSince(db: Knex, at: Date): Promise<number> {
  return await firstSince(db, 'events', at);
}

type Numbered = 'deliveries' | 'events';

async function firstSince(db: Knex, table: Numbered, at: Date): Promise<number> {
  const { rows } = await db.raw<{ rows: { first: number | null; last: number | null }[] }>(
    'select min(id) as first, max(id) as last from ??',
    [table],
  );
  let low = rows[0]?.first ?? 0;
  let high = (rows[0]?.last ?? -1) + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const next = await rowFrom(db, table, middle);
    if (!next || next.created_at >= at) high = middle;
    else low = next.id + 1;
  }
  return low;
}

async function rowFrom(db: Knex, table: Numbered, id: number): Promise<{ id: number; created_at: Date } | undefined> {
  const { rows } = await db.raw<{ rows: { id: number; created_at: Date }[] }>(
    'select id, created_at from ?? where id >= ? order by id limit 1',
    [table, id],
  );
  return rows[0];
}
