import type { Knex } from 'knex';

/** Returns the columns of all tables, as `table.column`, that contain the text in any row. */
export async function tablesWith(db: Knex, text: string): Promise<string[]> {
  const { rows: columns } = await db.raw<{ rows: { table: string; column: string; type: string }[] }>(
    `select c.table_name as table, c.column_name as column, c.data_type as type
     from information_schema.columns c
     join pg_class t on t.relname = c.table_name and t.relnamespace = cast(c.table_schema as regnamespace) and t.relkind = 'r'
     where c.table_schema = current_schema() order by 1, 2`,
  );
  const found: string[] = [];
  for (const { table, column, type } of columns) {
    const value = type === 'bytea' ? `encode(??, 'escape')` : '??::text';
    const { rows } = await db.raw<{ rows: unknown[] }>(`select from ?? where position(? in ${value}) > 0 limit 1`, [
      ...[table, text, column],
    ]);
    if (rows.length > 0) found.push(`${table}.${column}`);
  }
  return found;
}
