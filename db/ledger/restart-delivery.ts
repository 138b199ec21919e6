import type { Knex } from 'knex';
import type { DeliveryStatus } from '../../contract/deliveries/status.ts';
import { ledgerTransaction } from '../core/ledger-transaction.ts';
import { type AuditEntry, recordAudit } from '../audit/record-audit.ts';
import { isNotified, moveDeliveriesSql } from './transitions/move-deliveries-sql.ts';
import { presentIdSql } from './destinations/kept-urls.ts';

export type RestartObstacle =
  | 'channel_disconnected'
  | 'forwarding_disabled'
  | 'no_destination'
  | 'destination_deleted'
  | 'destination_disabled'
  | 'listener_moved'
  | 'event_erased';

export type Restart =
  | { readonly outcome: 'restarted'; readonly destinationId: number }
  /** Another process changed the row first. */
  | { readonly outcome: 'moved' }
  | { readonly outcome: 'obstructed'; readonly obstacle: RestartObstacle };

export interface RestartRequest {
  readonly id: number;
  readonly from: Extract<DeliveryStatus, 'exhausted' | 'cancelled' | 'skipped'>;
  readonly audit: AuditEntry;
}

/** A delivery without a destination goes to the channel's webhook; one kept for an old URL goes to the current URL. */
export async function restartDelivery(db: Knex, { id, from, audit }: RestartRequest): Promise<Restart> {
  return await ledgerTransaction(db, async (trx) => {
    const { rows: targets } = await trx.raw<{ rows: TargetRow[] }>(targetSql, [id]);
    const [target] = targets;
    if (!target) return { outcome: 'moved' };
    const obstacle = obstacleOf(target);
    if (obstacle !== undefined) return { outcome: 'obstructed', obstacle };
    const { rows } = await trx.raw<{ rows: { destination_id: number }[] }>(restartSql, {
      destinationId: target.destination_id,
      shard: target.shard,
      id,
      from,
    });
    const [moved] = rows;
    if (!moved) return { outcome: 'moved' };
    await recordAudit(trx, audit);
    return { outcome: 'restarted', destinationId: moved.destination_id };
  });
}

export interface TargetRow {
  destination_id: number | null;
  shard: number | null;
  disconnected: boolean;
  forwarding_enabled: boolean;
  deleted: boolean | null;
  enabled: boolean | null;
  /** A listener must not read deliveries of the channel's previous workspace. */
  listener_moved: boolean | null;
  event_erased: boolean;
}

export function obstacleOf(target: TargetRow): RestartObstacle | undefined {
  if (target.event_erased) return 'event_erased';
  if (target.disconnected) return 'channel_disconnected';
  if (!target.forwarding_enabled) return 'forwarding_disabled';
  if (target.destination_id === null) return 'no_destination';
  if (target.deleted) return 'destination_deleted';
  if (!target.enabled) return 'destination_disabled';
  if (target.listener_moved) return 'listener_moved';
  return undefined;
}

/** Requires the aliases `d`, `c` and `dest`. */
export const listenerMovedSql = "dest.type = 'listener' and d.workspace_id <> c.workspace_id as listener_moved";

/** Requires the alias `e`. */
export const erasedSql = 'e.erased_at is not null as event_erased';

/** Locks the channel and the event until commit. The claim handles a destination that is deleted or disabled concurrently. */
const targetSql = `
select dest.id as destination_id, dest.shard, c.disconnected_at is not null as disconnected, c.forwarding_enabled,
  dest.deleted_at is not null as deleted, dest.enabled, ${listenerMovedSql}, ${erasedSql}
from deliveries d
join events e on e.id = d.event_id
join channels c on c.id = d.channel_id
left join webhook_configs config on config.channel_id = c.id
left join destinations aimed on aimed.id = d.destination_id
left join destinations dest on dest.id = coalesce(${presentIdSql('aimed')}, config.destination_id)
where d.id = ? for share of c for key share of e`;

const restartSql = `
with ${moveDeliveriesSql({
  source: '(select cast(:id as bigint) as id) one',
  id: 'one.id',
  transition: 'restart',
  where: 'd.status = :from',
  set: `failed_in_schedule = 0, destination_id = cast(:destinationId as bigint), shard = cast(:shard as int),
    restarted_at = now()`,
  notify: 'shard',
})}
select destination_id from moved where ${isNotified}`;
