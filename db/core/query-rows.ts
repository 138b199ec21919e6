import type { Knex } from 'knex';
import { unansweredAfter } from './unanswered.ts';

type BindingValue = string | number | boolean | Date | Buffer | null;

export type Bindings = Readonly<Record<string, BindingValue | readonly BindingValue[]>>;

/** The statement must alias columns to field names (`as "publicId"`). */
export async function queryRows<Row = never>(db: Knex, sql: string, bindings: Bindings = {}): Promise<Row[]> {
  const { rows } = await db.raw<{ rows: Row[] }>(sql, bindings as Knex.ValueDict);
  return rows;
}

/** As `queryRows`, for a statement that may take longer than others of its pool. */
export async function queryRowsWithin<Row>(
  trx: Knex.Transaction,
  { sql, bindings = {}, timeoutMs }: { readonly sql: string; readonly bindings?: Bindings; readonly timeoutMs: number },
): Promise<Row[]> {
  await trx.raw(`set local statement_timeout = ${timeoutMs}`);
  const { rows } = await trx.raw<{ rows: Row[] }>(sql, bindings as Knex.ValueDict).options(unansweredAfter(timeoutMs));
  return rows;
}
