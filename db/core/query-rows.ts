import type { Knex } from 'knex';

type BindingValue = string | number | boolean | Date | Buffer | null;

export type Bindings = Readonly<Record<string, BindingValue | readonly BindingValue[]>>;

/** The statement must alias columns to field names (`as "publicId"`). */
export async function queryRows<Row = never>(db: Knex, sql: string, bindings: Bindings = {}): Promise<Row[]> {
  const { rows } = await db.raw<{ rows: Row[] }>(sql, bindings as Knex.ValueDict);
  return rows;
}
