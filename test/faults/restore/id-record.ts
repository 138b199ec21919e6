import type { Knex } from 'knex';

/** Each row by its table and id, with what tells it from another row of that id. */
export type IdRecord = ReadonlyMap<string, string>;

/** Reads every table with a number as its id. */
export async function readIds(db: Knex): Promise<IdRecord> {
  const { rows: tables } = await db.raw<{ rows: { name: string }[] }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'id'
     join pg_attribute b on b.attrelid = c.oid and b.attname = 'created_at'
     where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and a.atttypid = 'bigint'::regtype`,
  );
  const ids = new Map<string, string>();
  for (const { name } of tables) {
    const rows = await db(name).select<{ id: number; created_at: Date }[]>('id', 'created_at');
    for (const { id, created_at: createdAt } of rows) ids.set(`${name}/${id}`, createdAt.toISOString());
  }
  return ids;
}

/** Returns ids that two rows have. */
export function idsGivenTwice(records: readonly IdRecord[]): string[] {
  const known = new Map<string, string>();
  const twice = new Set<string>();
  for (const record of records) {
    for (const [id, row] of record) {
      if ((known.get(id) ?? row) !== row) twice.add(id);
      known.set(id, row);
    }
  }
  return [...twice];
}
