import type { Knex } from 'knex';

export interface ReplayProgress {
  readonly delivered: number;
  readonly failed: number;
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
