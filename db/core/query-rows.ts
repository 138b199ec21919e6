import type { Knex } from 'knex';

type BindingValue = string | number | boolean | Date | Buffer | null;

/** Values of the `:name` parameters of a statement. Cast them in SQL as `cast(:name as type)` where PostgreSQL asks for it. */
export type Bindings = Readonly<Record<string, BindingValue | readonly BindingValue[]>>;

/**
 * Runs a statement that models can't express, such as one with common table expressions, and returns its rows. The
 * statement names its columns as the fields of the record (`as "publicId"`), so rows need no mapping.
 */
export async function queryRows<Row = never>(db: Knex, sql: string, bindings: Bindings = {}): Promise<Row[]> {
  const { rows } = await db.raw<{ rows: Row[] }>(sql, bindings as Knex.ValueDict);
  return rows;
}
