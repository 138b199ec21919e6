import type { Knex } from 'knex';
import { type AdoptedType, requestOverdue } from '../../../db/workflow-starts/requested-starts.ts';
import { asProcess } from './database.ts';

/** Returns the ids of rows whose workflow should have made progress. A repetition finds them again. */
export async function overdueRows(
  db: Knex,
  type: AdoptedType,
  { credentialRefreshMs = 0 }: { readonly credentialRefreshMs?: number } = {},
): Promise<string[]> {
  await db('workflow_starts').delete();
  return await asProcess(db, 'worker', (trx) => requestOverdue(trx, { type, credentialRefreshMs }));
}
