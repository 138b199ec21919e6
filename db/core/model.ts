import { randomBytes } from 'node:crypto';
import { type IdKind, randomId } from '../../contract/ids.ts';
import type { Knex } from 'knex';
import {
  type AnyQueryBuilder,
  DBError,
  Model as ObjectionModel,
  type PartialModelObject,
  QueryBuilder,
  snakeCaseMappers,
} from 'objection';

/** With a million ids taken, the probability of five collisions is about 10^-41. */
const MAX_DRAWS = 5;

/**
 * `insert` must use `on conflict (public_id) do nothing` and return undefined on a conflict; a unique violation would
 * abort the transaction.
 */
export async function withFreshId<Row>(
  kind: IdKind,
  insert: (publicId: string) => Promise<Row | undefined>,
): Promise<Row> {
  for (let draw = 0; draw < MAX_DRAWS; draw++) {
    const row = await insert(randomId(kind, randomBytes));
    if (row !== undefined) return row;
  }
  throw new Error(`No free ${kind} id in ${MAX_DRAWS} draws`);
}

/** Throws `pg` errors: Objection errors lack the SQLSTATE that retries and responses depend on. */
class NativeErrorQueryBuilder<Row extends ObjectionModel, Result = Row[]> extends QueryBuilder<Row, Result> {
  override async execute(): Promise<Result> {
    try {
      return await super.execute();
    } catch (error) {
      throw error instanceof DBError ? error.nativeError : error;
    }
  }
}

/** Queries take database column names; rows have camelCase properties. */
export class Model extends ObjectionModel {
  static override QueryBuilder = NativeErrorQueryBuilder;
  static override columnNameMappers = snakeCaseMappers();
  static override useLimitInFirst = true;
}

/** All columns of a row, under the names of the model. */
export type RowOf<Row extends ObjectionModel> = Readonly<Omit<Row, keyof ObjectionModel>>;

/** Some columns of a row. */
export type Columns<Row extends ObjectionModel, Name extends keyof Row> = Readonly<Pick<Row, Name>>;

/** The row of another table that a column names. */
export const belongsTo = (modelClass: typeof ObjectionModel, from: string, to: string) => ({
  relation: ObjectionModel.BelongsToOneRelation,
  modelClass,
  join: { from, to },
});

/** The row of another table whose column names this one. */
export const hasOne = (modelClass: typeof ObjectionModel, from: string, to: string) => ({
  relation: ObjectionModel.HasOneRelation,
  modelClass,
  join: { from, to },
});

interface PublicRow extends ObjectionModel {
  id: number;
  publicId: string;
}

export interface FreshRow<Row extends PublicRow> {
  readonly kind: IdKind;
  readonly values: PartialModelObject<Row> | ((publicId: string) => PartialModelObject<Row>);
}

export async function insertWithFreshId<Row extends PublicRow>(
  db: Knex,
  model: (new () => Row) & Pick<typeof ObjectionModel, 'query'>,
  { kind, values }: FreshRow<NoInfer<Row>>,
): Promise<Row> {
  return await withFreshId(kind, async (publicId) => {
    const row = typeof values === 'function' ? values(publicId) : values;
    const inserted = await model
      .query(db)
      .insert({ ...row, publicId })
      .onConflict('public_id')
      .ignore()
      .returning('*')
      .castTo<Row>();
    // After a conflict, Objection returns the row without an id.
    return inserted.id === undefined ? undefined : inserted;
  });
}

export interface PageAfter {
  /** Public id of the last row on the previous page. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/** Returns the rows of the query that are `of` the given owner, newest first; undefined if `after` was never one. */
export async function listAfter<Row>(
  query: AnyQueryBuilder,
  { of, after, limit }: PageAfter & { readonly of: Readonly<Record<string, string | number | null>> },
): Promise<Row[] | undefined> {
  const model = query.modelClass() as typeof ObjectionModel;
  const { tableName } = model;
  query.where(of).orderBy(`${tableName}.id`, 'desc').limit(limit);
  if (after !== undefined) {
    const named = { ...of, [`${tableName}.public_id`]: after };
    const [last] = await model.query(query.knex()).select(`${tableName}.id`).where(named).castTo<{ id: number }[]>();
    if (!last) return undefined;
    query.where(`${tableName}.id`, '<', last.id);
  }
  return await query.castTo<Row[]>();
}
