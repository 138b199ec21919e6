import type { Knex } from 'knex';
import { type SealedColumn, sealedColumns } from '../core/sealed-columns.ts';
import { type SecretBox, sealedPrefix } from '../core/secret-box.ts';

const BATCH_SIZE = 500;

/** Returns row counts by column. The next run continues an interrupted one. */
export async function reencrypt(db: Knex, secretBox: SecretBox): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const sealed of sealedColumns) {
    let count = 0;
    for (;;) {
      const batch = await db.transaction((trx) => reencryptBatch(trx, sealed, secretBox));
      if (batch === 0) break;
      count += batch;
    }
    counts[`${sealed.table}.${sealed.column}`] = count;
  }
  return counts;
}

async function reencryptBatch(trx: Knex, sealed: SealedColumn, secretBox: SecretBox): Promise<number> {
  const { table, key = 'id', column, owner, context } = sealed;
  const prefix = sealedPrefix(secretBox.activeKeyId);
  const { rows } = await trx.raw<{ rows: { key: number; sealed: string; owner: string }[] }>(
    `select t.${key} as key, t.${column} as sealed, ${owner} as owner from ${table} t
     where t.${column} is not null and not starts_with(t.${column}, ?) order by t.${key} limit ? for update`,
    [prefix, BATCH_SIZE],
  );
  const texts = rows.map((row) => secretBox.seal(secretBox.open(row.sealed, context(row.owner)), context(row.owner)));
  await trx.raw(
    `update ${table} t set ${column} = n.sealed from unnest(?::bigint[], ?::text[]) as n (key, sealed) where t.${key} = n.key`,
    [rows.map((row) => row.key), texts],
  );
  return rows.length;
}
