import type { Knex } from 'knex';
import { DBError, Model as ObjectionModel, type PartialModelObject, QueryBuilder, snakeCaseMappers } from 'objection';
import type { IdKind } from '../../contract/ids.ts';
import { withFreshId } from './fresh-id.ts';

/** Throws the errors of `pg`. Objection's own have no SQLSTATE, which retries and responses depend on. */
class NativeErrorQueryBuilder<Row extends ObjectionModel, Result = Row[]> extends QueryBuilder<Row, Result> {
  override async execute(): Promise<Result> {
    try {
      return await super.execute();
    } catch (error) {
      throw error instanceof DBError ? error.nativeError : error;
    }
  }
}

/**
 * The base of all management models. Rows have camelCase properties; column names inside a query (`where`, `select`,
 * `orderBy`) stay those of the database. A query always names its connection: `UserModel.query(db)`.
 */
export class Model extends ObjectionModel {
  static override QueryBuilder = NativeErrorQueryBuilder;
  static override columnNameMappers = snakeCaseMappers();
  static override useLimitInFirst = true;
}

interface PublicRow extends ObjectionModel {
  id: number;
  publicId: string;
}

export interface FreshRow<Row extends PublicRow> {
  readonly kind: IdKind;
  readonly values: PartialModelObject<Row> | ((publicId: string) => PartialModelObject<Row>);
}

/** Inserts a row under an unused public id and returns it with its defaults. */
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
    // After a conflict, Objection returns the given row, without a number.
    return inserted.id === undefined ? undefined : inserted;
  });
}
