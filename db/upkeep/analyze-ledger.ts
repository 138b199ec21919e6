import type { Knex } from 'knex';
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
  const { rows } = await db.raw<{ rows: { version: number }[] }>(
    `select cast(current_setting('server_version_num') as int) as version`,
  );
  try {
    await db.raw(`analyze ${rows[0]!.version >= HAS_ONLY ? 'only ' : ''}${parent}`);
    return true;
  } catch (error) {
    if (isStatementTimeout(error)) return false;
    throw error;
  }
}
