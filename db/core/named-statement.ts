import type { QueryConfig } from 'pg';

/**
 * Compiles `:name` parameters of a prepared statement to `$n`, once. The returned function throws for a missing value,
 * because PostgreSQL would take it for null.
 */
export function namedStatement<Values extends object>(name: string, sql: string): (values: Values) => QueryConfig {
  const parameters: string[] = [];
  const text = sql.replaceAll(PARAMETER, (_, parameter: string) => {
    if (!parameters.includes(parameter)) parameters.push(parameter);
    return `$${parameters.indexOf(parameter) + 1}`;
  });
  return (values) => {
    const given = new Map<string, unknown>(Object.entries(values));
    return { name, text, values: parameters.map((parameter) => valueOf(given, { name, parameter })) };
  };
}

/** Not the second colon of a cast. */
const PARAMETER = /(?<![:\w]):([a-zA-Z]\w*)/g;

function valueOf(
  given: ReadonlyMap<string, unknown>,
  { name, parameter }: { readonly name: string; readonly parameter: string },
): unknown {
  const value = given.get(parameter);
  if (value === undefined) throw new Error(`The statement ${name} needs a value for :${parameter}`);
  return value;
}

/** Rows as one array parameter for each column. */
export interface RowColumns<Row> {
  /** `unnest` with an alias and the column names. */
  from(alias: string): string;
  values(rows: readonly Row[]): Record<string, unknown[]>;
}

export type ColumnTable<Row> = Readonly<
  Record<string, { readonly type: string; readonly of: (row: Row, index: number) => unknown }>
>;

export function rowColumns<Row>(table: ColumnTable<Row>): RowColumns<Row> {
  const columns = Object.entries(table);
  const names = columns.map(([name]) => name).join(', ');
  const arrays = columns.map(([name, { type }]) => `:${name}::${type}[]`).join(', ');
  return {
    from: (alias) => `unnest(${arrays}) as ${alias} (${names})`,
    values: (rows) => Object.fromEntries(columns.map(([name, { of }]) => [name, rows.map(of)])),
  };
}
