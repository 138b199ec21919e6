import type { Knex } from 'knex';
import type { OwnerFunction } from '../core/owner-function.ts';
import { isStatementTimeout } from '../core/database-unavailable.ts';
import { recordSweep, wasSweptWithin } from './retention-sweeps.ts';

/** Autovacuum analyzes the partitions, never their parents. */
const parents = ['events', 'deliveries', 'deliveries_ended', 'attempts'] as const;
/** The statistics describe the distribution of values, which changes slowly. */
const EVERY_MS = 22 * 3_600_000;
/** From this version on, `only` leaves out the partitions. Before it, they are analyzed once more. */
const HAS_ONLY = 180_000;

/** Updates the planner's statistics of the partitioned tables, once a day. Yields each table that was analyzed. */
export async function* analyzeLedger(db: Knex): AsyncGenerator<string> {
  for (const parent of parents) {
    const task = `${parent}_statistics`;
    if (await wasSweptWithin(db, { task, withinMs: EVERY_MS })) continue;
    const isAnalyzed = await analyze(db, parent);
    await recordSweep(db, task);
    if (isAnalyzed) yield parent;
  }
}

/** Reads a sample of a fixed size. Returns false if a slow disk needs longer than a statement may. */
async function analyze(db: Knex, parent: string): Promise<boolean> {
  try {
    await db.raw('select analyze_ledger(?)', [parent]);
    return true;
  } catch (error) {
    if (isStatementTimeout(error)) return false;
    throw error;
  }
}

/** Only the owner may analyze a table before PostgreSQL 17. */
export const analyzeLedgerFunction: OwnerFunction = {
  name: 'analyze_ledger',
  parameters: 'parent text',
  returns: 'void',
  body: `begin
    if parent not in (${parents.map((name) => `'${name}'`).join()}) then raise '% is not partitioned', parent; end if;
    execute format('analyze %s %I',
      case when current_setting('server_version_num')::int >= ${HAS_ONLY} then 'only' else '' end, parent);
  end`,
  callers: ['worker'],
};
