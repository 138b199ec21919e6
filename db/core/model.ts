import type { Knex } from 'knex';
import { DBError, Model as ObjectionModel, type PartialModelObject, QueryBuilder, snakeCaseMappers } from 'objection';
import type { IdKind } from '../../contract/ids.ts';
import { withFreshId } from './fresh-id.ts';

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
