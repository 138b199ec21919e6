import type { Knex } from 'knex';
import { alertReasonOf, statusOfReasons } from '../../contract/channels/judge-health.ts';
import { queryRows } from '../core/query-rows.ts';

const reasons = ['account_not_registered'] as const;

/** Shows at once what the first check would find. */
export async function markUnregistered(trx: Knex, channelId: number): Promise<void> {
  await queryRows(
    trx,
    `update channel_health set account_status = 'not_registered', status = :status,
       reasons = cast(:reasons as text[]), alert_reason = :alertReason
     where channel_id = :channelId`,
    { channelId, reasons, status: statusOfReasons(reasons), alertReason: alertReasonOf(reasons) },
  );
}

/** Returns false if the number was registered already. The check that is due then shows the rest. */
export async function markRegistered(trx: Knex, channelId: number): Promise<boolean> {
  const changed = await queryRows(
    trx,
    `update channel_health set account_status = 'connected', next_check_at = now(),
       reasons = array_remove(reasons, :reason),
       status = case when reasons = array[cast(:reason as text)] then 'unknown' else status end,
       alert_reason = case when reasons = array[cast(:reason as text)] then null else alert_reason end
     where channel_id = :channelId and account_status = 'not_registered' returning 1`,
    { channelId, reason: reasons[0] },
  );
  return changed.length === 1;
}

export async function isUnregistered(db: Knex, channelId: number): Promise<boolean> {
  const found = await queryRows(
    db,
    `select 1 from channel_health h join channels c on c.id = h.channel_id and c.disconnected_at is null
     where h.channel_id = :channelId and h.account_status = 'not_registered'`,
    { channelId },
  );
  return found.length === 1;
}
