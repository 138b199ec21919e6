import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { queryRows } from './query-rows.ts';

/** Every statement on the table queues behind a migration that waits for its lock, so the migration gives up soon. */
export const MIGRATION_LOCK_TIMEOUT_MS = 1_500;
/** Long enough for the statements that queued meanwhile. The last delay repeats. */
const BACKOFF_MS = [1_000, 2_000, 4_000, 8_000] as const;
/** About ten minutes. */
const MAX_ATTEMPTS = 60;
/** A fraction of the lock timeout, so that each attempt sees its blockers. */
const LOOK_MS = 250;
const LOCK_NOT_AVAILABLE = '55P03';

/** A session that holds a lock which the migration needs. */
export interface Blocker {
  readonly pid: number;
  readonly applicationName: string;
  readonly state: string;
  readonly transactionSeconds: number;
}

export interface BlockedMigration {
  readonly attempt: number;
  readonly retryInMs: number;
  readonly blockers: readonly Blocker[];
}

export interface PatientMigration<Result> {
  readonly db: Knex;
  /** Of the sessions that migrate. */
  readonly applicationName: string;
  readonly act: () => Promise<Result>;
  readonly onBlocked?: ((blocked: BlockedMigration) => void) | undefined;
  /** Optional. Default: a timer. */
  readonly pause?: ((delayMs: number) => Promise<unknown>) | undefined;
}

/**
 * Repeats `act` while it fails because another session holds a lock. Between two attempts it holds no lock, so writes
 * continue. Throws an error that names the other sessions after the last attempt.
 */
export async function migratePatiently<Result>(migration: PatientMigration<Result>): Promise<Result> {
  const { act, onBlocked, pause = sleep } = migration;
  for (let attempt = 1; ; attempt++) {
    const watch = watchBlockers(migration);
    try {
      return await act();
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      const blockers = await watch.stop();
      if (attempt === MAX_ATTEMPTS) throw new Error(describeBlockers(blockers), { cause: error });
      const retryInMs = BACKOFF_MS[Math.min(attempt, BACKOFF_MS.length) - 1]!;
      onBlocked?.({ attempt, retryInMs, blockers });
      await pause(retryInMs);
    } finally {
      await watch.stop();
    }
  }
}

export function describeBlockers(blockers: readonly Blocker[]): string {
  const sessions = blockers.map(
    ({ pid, applicationName, state, transactionSeconds }) =>
      `pid ${pid} (${applicationName || 'unnamed'}, ${state}, in a transaction for ${transactionSeconds} s)`,
  );
  const who = sessions.length > 0 ? sessions.join(', ') : 'an unknown session';
  return `A lock that the migration needs is held by ${who}. Wait until it ends, or end it with pg_terminate_backend.`;
}

function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE;
}

/** Remembers who blocked the migration last: PostgreSQL no longer knows once the attempt has failed. */
function watchBlockers({ db, applicationName }: Pick<PatientMigration<unknown>, 'db' | 'applicationName'>) {
  const stopped = new AbortController();
  let seen: readonly Blocker[] = [];
  const watching = look();
  return {
    async stop() {
      stopped.abort();
      await watching;
      return seen;
    },
  };

  async function look(): Promise<void> {
    for (;;) {
      await sleep(LOOK_MS, undefined, { signal: stopped.signal }).catch(() => undefined);
      if (stopped.signal.aborted) return;
      const found = await readBlockers(db, applicationName).catch(() => []);
      if (found.length > 0) seen = found;
    }
  }
}

/** Without the text of their statements, which may contain secrets. */
async function readBlockers(db: Knex, applicationName: string): Promise<Blocker[]> {
  return await queryRows<Blocker>(
    db,
    `select distinct blocker.pid, blocker.application_name as "applicationName", coalesce(blocker.state, 'unknown') as state,
       coalesce(extract(epoch from clock_timestamp() - blocker.xact_start), 0)::int as "transactionSeconds"
     from pg_stat_activity waiting
     cross join lateral unnest(pg_blocking_pids(waiting.pid)) as blocking (pid)
     join pg_stat_activity blocker on blocker.pid = blocking.pid
     where waiting.datname = current_database() and waiting.application_name = :applicationName
       and waiting.wait_event_type = 'Lock' and blocker.application_name <> :applicationName
     order by blocker.pid limit 10`,
    { applicationName },
  );
}
