import type { Knex } from 'knex';
import { type AuditContext, recordAudit } from '../../audit/record-audit.ts';
import { takeDeliveryTurn } from '../../replays/delivery-turns.ts';
import { namedDestinationsSql } from '../../deliveries/named-destinations.ts';
import { erasedSql, listenerMovedSql, obstacleOf, type RestartObstacle, type TargetRow } from '../restart-delivery.ts';
import { presentIdSql } from '../destinations/kept-urls.ts';

export interface ReplayRequest {
  readonly sourceId: number;
  readonly sourcePublicId: string;
  readonly workspaceId: number;
  /** `webhook`, or a subscription or listener id. Defaults to the delivery's destination. */
  readonly destination: string | undefined;
  readonly idempotencyKeyHash: Buffer | null;
  readonly requestHash: Buffer;
  readonly audit: AuditContext;
}

export type Replay =
  /** Also returned for a repeated request. */
  | { readonly outcome: 'replayed'; readonly deliveryId: number }
  | { readonly outcome: 'obstructed'; readonly obstacle: RestartObstacle }
  | { readonly outcome: 'no_such_destination' | 'key_reused' };

/** Throws `TurnRefused`. */
export async function replayDelivery(db: Knex, request: ReplayRequest): Promise<Replay> {
  return await db.transaction(async (trx) => {
    const repeated = await findRepeated(trx, request);
    if (repeated) return repeated;
    const target = await findTarget(trx, request);
    if (!target) return { outcome: 'no_such_destination' };
    const obstacle = obstacleOf(target);
    if (obstacle !== undefined) return { outcome: 'obstructed', obstacle };
    await takeDeliveryTurn(trx, { destinationId: target.destination_id!, audit: request.audit });
    const deliveryId = await insertReplayedDelivery(trx, { ...request, destinationId: target.destination_id! });
    await trx('delivery_replays').insert({
      source_delivery_id: request.sourceId,
      delivery_id: deliveryId,
      workspace_id: request.workspaceId,
      idempotency_key_hash: request.idempotencyKeyHash,
      request_hash: request.requestHash,
    });
    await recordAudit(trx, { ...request.audit, action: 'delivery.replayed', targetId: request.sourcePublicId });
    return { outcome: 'replayed', deliveryId };
  });
}

/**
 * The conversation key is the negated id. Platform keys are never negative, so the delivery neither holds others nor is
 * held.
 */
export async function insertReplayedDelivery(
  trx: Knex,
  { sourceId, destinationId }: { readonly sourceId: number; readonly destinationId: number },
): Promise<number> {
  const { rows } = await trx.raw<{ rows: { id: number }[] }>(
    `with numbered as materialized (select nextval('deliveries_id_seq') as id),
     source as materialized ( -- the lock keeps the event from retention until the delivery is there
       select d.* from deliveries d join events e on e.id = d.event_id where d.id = :sourceId and e.erased_at is null for key share of e
     ),
     replayed as (
       insert into deliveries
         (id, event_id, channel_id, workspace_id, destination_id, shard, conversation_key, event_type, status)
       select n.id, d.event_id, d.channel_id, d.workspace_id, dest.id, dest.shard, -n.id, d.event_type, 'pending'
       from numbered n, source d, destinations dest where dest.id = :destinationId
       returning id, shard
     )
     select id, pg_notify('deliveries', shard::text) from replayed`,
    { sourceId, destinationId },
  );
  const [row] = rows;
  if (!row) throw new Error(`No delivery ${sourceId} or no destination ${destinationId}`);
  return row.id;
}

/** The lock serializes requests with the same key. */
async function findRepeated(trx: Knex, request: ReplayRequest): Promise<Replay | undefined> {
  const { workspaceId, idempotencyKeyHash: hash, requestHash } = request;
  if (hash === null) return undefined;
  await trx.raw('select pg_advisory_xact_lock(?, ?)', [REPLAY_LOCKS, hash.readInt32BE()]);
  const row = await trx<{
    delivery_id: number;
    request_hash: Buffer;
    workspace_id: number;
    idempotency_key_hash: Buffer;
  }>('delivery_replays')
    .where({ workspace_id: workspaceId, idempotency_key_hash: hash })
    .first('delivery_id', 'request_hash');
  if (!row) return undefined;
  return row.request_hash.equals(requestHash)
    ? { outcome: 'replayed', deliveryId: row.delivery_id }
    : { outcome: 'key_reused' };
}

/** Arbitrary lock namespace. */
const REPLAY_LOCKS = 8_140_662;

async function findTarget(trx: Knex, { sourceId, destination }: ReplayRequest): Promise<TargetRow | undefined> {
  const isNamed = destination !== undefined && destination !== 'webhook';
  const { rows } = await trx.raw<{ rows: TargetRow[] }>(targetSql, {
    sourceId,
    wantsWebhook: destination === 'webhook',
    named: isNamed ? destination : null,
  });
  const [target] = rows;
  return isNamed && (!target || target.destination_id === null || target.deleted) ? undefined : target;
}

/** Clearing and setting a webhook creates a new row, so it is looked up by channel. */
const targetSql = `
select dest.id as destination_id, dest.shard, c.disconnected_at is not null as disconnected, c.forwarding_enabled,
  dest.deleted_at is not null as deleted, dest.enabled, ${listenerMovedSql}, ${erasedSql}
from deliveries d
join events e on e.id = d.event_id
join channels c on c.id = d.channel_id
left join webhook_configs config on config.channel_id = c.id
left join destinations aimed on aimed.id = d.destination_id
left join ${namedDestinationsSql} named on named.public_id = cast(:named as text) and named.channel_id = c.id
left join destinations dest on dest.id = case
  when cast(:named as text) is not null then named.destination_id
  when :wantsWebhook or aimed.id is null or aimed.type = 'webhook' then config.destination_id
  else ${presentIdSql('aimed')} end
where d.id = :sourceId for share of c for key share of e`;
