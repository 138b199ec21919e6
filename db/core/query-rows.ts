import type { Knex } from 'knex';

type BindingValue = string | number | boolean | Date | Buffer | null;

/** Values of the `:name` parameters. Write `cast(:name as type)` where PostgreSQL needs the type. */
export type Bindings = Readonly<Record<string, BindingValue | readonly BindingValue[]>>;

/** Runs a statement that models can't express. It names its columns as the fields of the record (`as "publicId"`). */
export async function queryRows<Row = never>(db: Knex, sql: string, bindings: Bindings = {}): Promise<Row[]> {
  const { rows } = await db.raw<{ rows: Row[] }>(sql, bindings as Knex.ValueDict);
  return rows;
}
