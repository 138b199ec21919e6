import type { Knex } from 'knex';
import { ledgerTransaction } from '../core/ledger-transaction.ts';
import { type AuditEntry, recordAudit } from '../audit/record-audit.ts';
import { cancellationBindings, requestedCancellationSql } from './transitions/cancellation-sql.ts';
import { isNotified, moveDeliveriesSql } from './transitions/move-deliveries-sql.ts';

/** `pending`: a pump sends it, now or later. The caller must stop the workflow of a `retrying` delivery. */
export type CancelledFrom = 'pending' | 'retrying';

export async function cancelDelivery(
  db: Knex,
  { id, audit }: { readonly id: number; readonly audit: AuditEntry },
): Promise<CancelledFrom | undefined> {
  return await ledgerTransaction(db, async (trx) => {
    const { rows } = await trx.raw<{ rows: { was: CancelledFrom }[] }>(cancelSql, {
      id,
      ...cancellationBindings({ reason: 'requested', actor: audit.actor }),
    });
    const [cancelled] = rows;
    if (!cancelled) return undefined;
    await recordAudit(trx, audit);
    return cancelled.was;
  });
}

const cancelSql = `
with waiting as (
  select id, case when pump_retries then 'pending' else status end as owner
  from deliveries where id = :id and status in ('pending', 'retrying') for update
),
${moveDeliveriesSql({
  source: 'waiting w',
  id: 'w.id',
  transition: 'cancel',
  cancellation: requestedCancellationSql,
  returning: 'w.owner as was',
  notify: 'destination',
})}
select was from moved where ${isNotified}`;
