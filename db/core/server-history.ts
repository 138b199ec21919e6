import pg from 'pg';

/**
 * More than an installation can write while its standby is behind. A negligible share of the ID space, and far below
 * the partitions that exist ahead.
 */
const SKIPPED_IDS = 10_000_000;

/** A promotion or a restore begins a new timeline; a new server has another identifier. */
const historySql = `(select system_identifier from pg_control_system())
  || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8)`;

const compareSql = `select installation.server_history = ${historySql} as same from installation`;

/** Locks out the other connections, which then find the history recorded. */
const lockedSql = `select server_history is null as new, server_history = ${historySql} as same
  from installation for update`;

const skipSql = `select setval(format('%I.%I', schemaname, sequencename)::regclass,
    nextval(format('%I.%I', schemaname, sequencename)::regclass) + ${SKIPPED_IDS})
  from pg_sequences where schemaname = current_schema() and data_type = 'bigint'::regtype`;

const recordSql = `update installation set server_history = ${historySql}`;

const READ_ONLY = '25006';
/** The table or column does not exist before the migration. Some hosted servers don't show their WAL. */
const unknownStates: ReadonlySet<string | undefined> = new Set(['42P01', '42703', '0A000', '42501']);

/**
 * Skips IDs if a new connection leads to another server, or to another history of the same server. A promoted standby
 * may lack the last transactions of its primary and would give their IDs again, while workers, workflows and receivers
 * still know these IDs. Every connection that writes must call this first. Throws a `DatabaseError` that counts as
 * unavailable if the server is a standby: its sessions outlive the promotion.
 */
export async function followServerHistory(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby');
  if (rows[0]!.standby) throw standbyError();
  try {
    if (await isSame(client, compareSql)) return;
    await skipIds(client);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && unknownStates.has(error.code))) throw error;
  }
}

async function skipIds(client: pg.ClientBase): Promise<void> {
  await client.query('begin');
  try {
    const { rows } = await client.query<{ new: boolean; same: boolean | null }>(lockedSql);
    const [installation] = rows;
    if (installation && !installation.same) {
      if (!installation.new) await client.query(skipSql);
      await client.query(recordSql);
    }
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/** True also before the installation exists. */
async function isSame(client: pg.ClientBase, sql: string): Promise<boolean> {
  const { rows } = await client.query<{ same: boolean | null }>(sql);
  return rows.every(({ same }) => same === true);
}

function standbyError(): pg.DatabaseError {
  const error = new pg.DatabaseError('The server is a standby', 0, 'error');
  error.code = READ_ONLY;
  return error;
}
