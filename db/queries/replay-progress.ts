import type { Knex } from 'knex';

/** What has become of the deliveries that a replay made. */
export interface ReplayProgress {
  readonly delivered: number;
  readonly failed: number;
  /** Pending or in the retry schedule. */
  readonly waiting: number;
}

export async function countReplayed(
  db: Knex,
  replayIds: readonly number[],
): Promise<ReadonlyMap<number, ReplayProgress>> {
  if (replayIds.length === 0) return new Map();
  const { rows } = await db.raw<{ rows: (ReplayProgress & { replayId: number })[] }>(
    `select i.replay_id as "replayId",
       count(*) filter (where d.status = 'delivered')::int as delivered,
       count(*) filter (where d.status in ('exhausted', 'cancelled', 'skipped'))::int as failed,
       count(*) filter (where d.status in ('pending', 'retrying'))::int as waiting
     from replay_items i join deliveries d on d.id = i.delivery_id
     where i.replay_id = any (?) group by i.replay_id`,
    [[...replayIds]],
  );
  return new Map(rows.map(({ replayId, ...counts }) => [replayId, counts]));
}

/** Where a delivery comes from, if it is a replay: of which other one, and by which bulk replay. */
export interface ReplayOrigin {
  readonly sourceDeliveryId: number;
  /** Null where somebody replayed this one by itself. */
  readonly replayPublicId: string | null;
}

export async function findReplayOrigin(db: Knex, deliveryId: number): Promise<ReplayOrigin | undefined> {
  const { rows } = await db.raw<{ rows: ReplayOrigin[] }>(
    `select i.source_delivery_id as "sourceDeliveryId", r.public_id as "replayPublicId"
     from replay_items i join replays r on r.id = i.replay_id where i.delivery_id = :deliveryId
     union all
     select source_delivery_id, null from delivery_replays where delivery_id = :deliveryId
     limit 1`,
    { deliveryId },
  );
  return rows[0];
}
