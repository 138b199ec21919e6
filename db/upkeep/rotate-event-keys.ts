import type { Knex } from 'knex';
import type { OwnerFunction } from '../core/owner-function.ts';
import { unlessLocked } from '../core/unless-locked.ts';

const TASK = 'event_key_generation';
/** Earlier generations that are kept. */
const GENERATIONS = 2;
/** Less than the time after which PostgreSQL looks for deadlocks. Events wait for the lock for as long. */
const LOCK_TIMEOUT = '500ms';

/**
 * Begins a new generation of event keys and drops the oldest, if the present one is old enough. Every key is kept for
 * `keptMs` at least. Returns false if it is not old enough or in use for too long.
 *
 * No duplicate passes at the change: the lock waits for all who insert keys, and who comes after it takes a snapshot
 * after the lock, which shows all keys of the earlier generations. These are never written again.
 */
export async function rotateEventKeys(db: Knex, { keptMs }: { readonly keptMs: number }): Promise<boolean> {
  const isRotated = await unlessLocked(db, async (trx) => {
    await trx.raw(`set local lock_timeout = '${LOCK_TIMEOUT}'`);
    const due = await trx.raw<{ rowCount: number }>(
      `update retention_sweeps set ended_at = now()
       where task = :task and ended_at <= now() - :ageMs * interval '1 millisecond'`,
      { task: TASK, ageMs: keptMs / GENERATIONS },
    );
    if (due.rowCount === 0) return false;
    await trx.raw('select begin_event_keys()');
    return true;
  });
  return isRotated ?? false;
}

export const beginEventKeysFunction: OwnerFunction = {
  name: 'begin_event_keys',
  returns: 'void',
  body: `begin
    lock table event_keys, event_keys_1, event_keys_2 in access exclusive mode;
    drop table event_keys_2;
    alter table event_keys_1 rename to event_keys_2;
    alter table event_keys rename to event_keys_1;
    create table event_keys (like event_keys_1 including all);
    perform copy_privileges('event_keys_1', 'event_keys');
  end`,
  callers: ['worker'],
};
