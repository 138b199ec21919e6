import { type HotPool, isDataError } from '../core/hot-pool.ts';
import { namedStatement } from '../core/named-statement.ts';
import {
  attemptColumnNames,
  attemptParameters,
  type AttemptResult,
  insertAttemptsSql,
  latestSql,
  unlockedSql,
} from './attempts.ts';
import { successSql } from './destinations/success-sql.ts';
import { endWaitingSql } from './transitions/end-waiting-sql.ts';
import { isNotified } from './transitions/move-deliveries-sql.ts';

export interface LeftAttempts {
  readonly left: readonly AttemptResult[];
  /** Destinations that another transaction has locked. Their attempts are left. */
  readonly lockedIds: readonly number[];
}

/**
 * Records accepted attempts of deliveries that wait, if their destination's circuit is closed and no other transaction
 * has locked it: nearly all of them, at nine tenths of the cost of the general statement. Returns the others, of which
 * it changes nothing.
 *
 * @param settled In the order of their deliveries, so that two statements wait for each other and don't deadlock.
 */
export async function settleWaiting(pool: HotPool, settled: readonly AttemptResult[]): Promise<LeftAttempts> {
  if (settled.length === 0) return { left: [], lockedIds: [] };
  try {
    const { rows } = await pool.query<SettledRow>(statement({ ...attempts.values(settled), count: settled.length }));
    const [{ is_complete: isComplete, ids, locked_ids: lockedIds }] = rows as [SettledRow];
    if (isComplete) return { left: [], lockedIds: [] };
    const taken = new Set(ids?.map(Number));
    const left = settled.filter(({ deliveryId }) => !taken.has(deliveryId));
    return { left, lockedIds: lockedIds?.map(Number) ?? [] };
  } catch (error) {
    // Another pump has logged a failure of the same attempt, or the receiver's answer cannot be stored.
    if (isDataError(error)) return { left: settled, lockedIds: [] };
    throw error;
  }
}

interface SettledRow {
  readonly is_complete: boolean;
  /** `pg` parses no elements of `bigint[]`. */
  readonly ids: readonly string[] | null;
  readonly locked_ids: readonly string[] | null;
}

const attempts = attemptParameters<AttemptResult>();

/** Counting `locked` makes the deletion wait for the locks, as in `attempts.ts`. */
const statement = namedStatement<Record<string, unknown>>(
  'settle-waiting',
  `
with ${unlockedSql},
${endWaitingSql({
  source: `${attempts.from('s')} join locked l on l.id = s.destination_id`,
  id: 's.id',
  transition: 'deliver',
  where: `d.id = any (:id::bigint[]) and d.attempt_count < s.number and l.circuit = 'closed'
    and (select count(*) from locked) >= 0`,
  attemptCount: 's.number',
  returning: attemptColumnNames.map((column) => `s.${column}`).join(', '),
})},
logged as (${insertAttemptsSql('taken')}
),
${latestSql('taken')},
${successSql('false')}
select count(*) = :count::int as is_complete, case when count(*) < :count::int then array_agg(id) end as ids,
  case when count(*) < :count::int then array(
    select id from destinations where id = any (:destination_id::bigint[]) and id not in (select id from locked)
  ) end as locked_ids
from taken where ${isNotified}
`,
);
