import type { HotPool } from '../core/hot-pool.ts';
import { namedStatement } from '../core/named-statement.ts';
import type { VoidDelivery } from './claim.ts';
import { voidCancellationSql } from './transitions/cancellation-sql.ts';
import { isNotified, moveDeliveriesSql } from './transitions/move-deliveries-sql.ts';

/** Ends the pending deliveries that a claim found void. */
export async function settleVoided(
  pool: HotPool,
  { shard, fence, voided }: { shard: number; fence: number; voided: readonly VoidDelivery[] },
): Promise<void> {
  if (voided.length === 0) return;
  const ids = voided.map(({ id }) => id);
  const reasons = voided.map(({ end }) => (end.status === 'skipped' ? end.reason : null));
  await pool.query(statement({ ids, reasons, shard, fence }));
}

const statement = namedStatement<{
  ids: readonly number[];
  reasons: readonly (string | null)[];
  shard: number;
  fence: number;
}>(
  'settle-voided',
  `
with ${moveDeliveriesSql({
    source: 'unnest(:ids::bigint[], :reasons::text[]) as v (id, reason)',
    id: 'v.id',
    transition: [{ transition: 'cancel', when: 'v.reason is null' }, { transition: 'skip' }],
    from: ['pending'],
    skipReason: 'v.reason',
    cancellation: voidCancellationSql,
    where: 'exists (select from shard_leases where shard = :shard and fence = :fence)',
    notify: 'released',
  })}
select from moved where ${isNotified}`,
);
