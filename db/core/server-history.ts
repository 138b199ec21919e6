import pg from 'pg';
import { READ_ONLY } from './database-unavailable.ts';
import type { OwnerFunction } from './owner-function.ts';

/**
 * More than an installation can write while its standby is behind, or until it is restored once more. A negligible share
 * of the ID space, and far below the partitions that exist ahead.
 */
const SKIPPED_IDS = 10_000_000;
/** Bounds the skip by the partitions that exist ahead. */
const MAX_TIMELINES = 100;

/** A promotion or a restore begins a new timeline; a new server has another identifier. */
const historySql = `(select system_identifier from pg_control_system())
  || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8)`;

const compareSql = `select installation.server_history = ${historySql} as same from installation`;

/**
 * A database that is restored twice from one backup comes from the same timeline both times, and the first restore has
 * given IDs beyond its skip. So each timeline in between skips as many.
 */
const timelinesSql = `greatest(1, least(${MAX_TIMELINES},
    case when split_part(former.history, '/', 1) = split_part(${historySql}, '/', 1)
      then ${timelineOf(historySql)} - ${timelineOf('former.history')} else 1 end))`;

function timelineOf(history: string): string {
  return `('x' || split_part(${history}, '/', 2))::bit(32)::int`;
}

/** The lock keeps out the other connections, which then find the history recorded. */
export const skipIdsFunction: OwnerFunction = {
  name: 'skip_ids_of_lost_history',
  returns: 'void',
  body: `declare former record;
  begin
    select server_history as history, server_history = ${historySql} as same into former from installation for update;
    if not found or former.same then return; end if;
    if former.history is not null then
      perform setval(format('%I.%I', schemaname, sequencename)::regclass,
        nextval(format('%I.%I', schemaname, sequencename)::regclass) + ${SKIPPED_IDS} * ${timelinesSql})
      from pg_sequences where schemaname = current_schema() and data_type = 'bigint'::regtype;
    end if;
    update installation set server_history = ${historySql};
  end`,
  callers: ['api', 'worker', 'gateway'],
};

/** The table, column or function does not exist before the migration. Some hosted servers don't show their WAL. */
const unknownStates: ReadonlySet<string | undefined> = new Set(['42P01', '42703', '42883', '0A000', '42501']);

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
    await client.query(`select ${skipIdsFunction.name}()`);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && unknownStates.has(error.code))) throw error;
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
