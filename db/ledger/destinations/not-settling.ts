import { isPermanent } from '../../core/database-unavailable.ts';
import type { HotPool } from '../../core/hot-pool.ts';
import { namedStatement } from '../../core/named-statement.ts';

/**
 * A destination is not settling while the ledger refuses to record attempts that its receiver has answered. Its
 * deliveries stay pending although they were sent, and a crash sends them again.
 *
 * The mark is renewed at each refused repetition and ends by itself, so no settlement has to clear it. A time ahead of the
 * clock is from before the clock was set back.
 */
const LASTS = `interval '2 minutes'`;
const AHEAD = `interval '10 seconds'`;

/** SQL over a destination with this alias. */
export const isNotSettlingSql = (destination: string): string =>
  `(${destination}.not_settling_at > now() - ${LASTS} and ${destination}.not_settling_at < now() + ${AHEAD})`;

/**
 * Marks destinations whose attempts the ledger refused. It reads no number that a settlement computes with, so the reason
 * of the refusal does not stop it. A locked destination waits for another transaction, which is no refusal.
 */
export async function markNotSettling(pool: HotPool, destinationIds: readonly number[]): Promise<void> {
  if (destinationIds.length === 0) return;
  await pool.query(statement({ destinationIds: [...new Set(destinationIds)] }));
}

const statement = namedStatement<{ destinationIds: readonly number[] }>(
  'mark-not-settling',
  `
with locked as materialized (
  select id from destinations where id = any (:destinationIds::bigint[]) order by id for no key update skip locked
)
update destinations dest
set not_settling_since = case when ${isNotSettlingSql('dest')} then dest.not_settling_since else now() end,
  not_settling_at = now()
from locked where dest.id = locked.id`,
);

/**
 * Runs the settlement of one attempt, again if the ledger refuses it: the attempt must not be sent again for a reason that
 * ends at once. After the second refusal, marks the destination and throws the error.
 */
export async function settleOrMark<Settlement>(
  pool: HotPool,
  destinationId: number,
  settle: () => Promise<Settlement>,
): Promise<Settlement> {
  try {
    return await settle();
  } catch (error) {
    if (!isPermanent(error)) throw error;
  }
  try {
    return await settle();
  } catch (error) {
    // The caller repeats the attempt, and with it the mark.
    if (isPermanent(error)) await markNotSettling(pool, [destinationId]).catch(() => undefined);
    throw error;
  }
}
