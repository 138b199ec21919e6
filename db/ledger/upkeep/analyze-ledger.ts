import type { Knex } from 'knex';

/** Autovacuum analyzes the partitions, never their parents. */
const parents = ['events', 'deliveries', 'deliveries_ended', 'attempts'] as const;
const TASK = 'ledger_statistics';
/** The statistics describe the distribution of values, which changes slowly. */
const EVERY = '22 hours';
/** From this version on, `only` leaves out the partitions. Before it, they are analyzed once more. */
const HAS_ONLY = 180_000;
const QUERY_CANCELED = '57014';

/** Updates the planner's statistics of the partitioned tables, once a day. Yields each table that was analyzed. */
export async function* analyzeLedger(db: Knex): AsyncGenerator<string> {
  const { rows } = await db.raw<{ rows: { version: number; due: boolean }[] }>(
    `select cast(current_setting('server_version_num') as int) as version,
       not exists (select from retention_sweeps where task = ? and ended_at > now() - cast(? as interval)) as due`,
    [TASK, EVERY],
  );
  const { version, due } = rows[0]!;
  if (!due) return;
  for (const parent of parents) {
    if (await analyze(db, version >= HAS_ONLY ? `only ${parent}` : parent)) yield parent;
  }
  await db.raw(
    `insert into retention_sweeps (task, ended_at) values (?, now()) on conflict (task) do update set ended_at = excluded.ended_at`,
    [TASK],
  );
}

/** Reads a sample of a fixed size. Returns false if a slow disk needs longer than the connection's time limit. */
async function analyze(db: Knex, table: string): Promise<boolean> {
  try {
    await db.raw(`analyze ${table}`);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === QUERY_CANCELED) return false;
    throw error;
  }
}
