import type { Knex } from 'knex';
import type { Log } from '../../process/log.ts';
import { StartRefused } from '../../process/start-refused.ts';
import { type SealedColumn, sealedColumns } from '../core/sealed-columns.ts';
import type { SecretBox } from '../core/secret-box.ts';

/**
 * Refuses keys of another installation, with which a process would look healthy and could send nothing. Opens the newest
 * encrypted value of each kind. Keys that open only some of them are accepted with a warning, because one of several keys
 * may be lost for good.
 *
 * @throws StartRefused if there are values and none can be opened.
 */
export async function requireKeys(db: Knex, { secretBox, log }: { secretBox: SecretBox; log: Log }): Promise<void> {
  const newest = (await Promise.all(sealedColumns.map((column) => readNewest(db, column)))).flat();
  const failures = newest.flatMap(({ sealed, context }) => failureOf(() => secretBox.open(sealed, context)));
  const [first] = failures;
  if (first === undefined) return;
  if (failures.length < newest.length) {
    return log.warn('encryptionKeys.openFailed', { failed: failures.length, of: newest.length, reason: first });
  }
  throw new StartRefused(
    `ENCRYPTION_KEYS does not belong to this database (${first}). Use the keys with which the installation was set up.`,
  );
}

async function readNewest(db: Knex, { table, key, column, owner, context }: SealedColumn) {
  const { rows } = await db.raw<{ rows: { sealed: string; owner: string }[] }>(
    `select t.${column} as sealed, ${owner} as owner from ${table} t
       where t.${column} is not null order by t.${key} desc limit 1`,
  );
  return rows.map((row) => ({ sealed: row.sealed, context: context(row.owner) }));
}

function failureOf(open: () => string): string[] {
  try {
    open();
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}
