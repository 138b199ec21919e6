import type { Knex } from 'knex';
import { type AuditEntry, recordAudit } from '../audit/record-audit.ts';

/** The caller must stop the workflow of a `retrying` delivery. */
export type CancelledFrom = 'pending' | 'retrying';

export async function cancelDelivery(
  db: Knex,
  { id, audit }: { readonly id: number; readonly audit: AuditEntry },
): Promise<CancelledFrom | undefined> {
  return await db.transaction(async (trx) => {
    const { rows } = await trx.raw<{ rows: { was: CancelledFrom }[] }>(cancelSql, { id });
    const [cancelled] = rows;
    if (!cancelled) return undefined;
    await recordAudit(trx, audit);
    return cancelled.was;
  });
}

const cancelSql = `
with waiting as (
  select id, status from deliveries where id = :id and status in ('pending', 'retrying') for update
),
ended as (
  update deliveries d set status = 'cancelled', next_attempt_at = null, xid = pg_current_xact_id()
  from waiting w where d.id = w.id
  returning d.id, d.shard, d.destination_id, d.conversation_key, w.status as was
),
released as (
  delete from conversation_holds h using ended e
  where h.destination_id = e.destination_id and h.conversation_key = e.conversation_key and h.delivery_id = e.id
)
select was, pg_notify('deliveries', shard || ':' || destination_id) from ended`;
