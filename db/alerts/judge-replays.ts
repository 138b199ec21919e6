import type { Knex } from 'knex';
import { queryRows } from '../core/query-rows.ts';

const MAX_REPLAYS = 20;
/** Items of one replay per call. */
const MAX_ITEMS = 2_000;

/**
 * Counts the failures of completed replays, each item once: it advances over the plan and stops at a delivery that still
 * waits. Returns the number of replays that advanced.
 */
export async function judgeReplays(db: Knex): Promise<number> {
  const judged = await queryRows<{ id: number }>(db, judgeSql, { maxReplays: MAX_REPLAYS, maxItems: MAX_ITEMS });
  return judged.length;
}

/** A replay that has not advanced moves behind the others by the random order, so that twenty slow ones block none. */
const judgeSql = `
with due as materialized (
  select r.id, r.judged_through, r.missing from replays r
  where r.judged_at is null and r.status = 'completed' order by random() limit :maxReplays
),
items as materialized (
  select due.id, i.source_delivery_id, i.delivery_id, i.nth
  from due cross join lateral (
    select source_delivery_id, delivery_id, row_number() over (order by source_delivery_id) as nth
    from replay_items where replay_id = due.id and source_delivery_id > due.judged_through
    order by source_delivery_id limit :maxItems
  ) i
),
outcomes as materialized (
  select i.id, i.source_delivery_id, i.nth, d.status
  from items i left join lateral (select status from deliveries where deliveries.id = i.delivery_id) d on true
),
stops as (
  select due.id, min(o.nth) filter (where o.status in ('pending', 'retrying')) as stop, count(o.nth) as looked
  from due left join outcomes o on o.id = due.id group by due.id
),
steps as (
  select s.id, s.stop is null and s.looked < :maxItems as is_done, max(o.source_delivery_id) as through,
    count(*) filter (where o.status in ('exhausted', 'cancelled', 'skipped')) as failed
  from stops s left join outcomes o on o.id = s.id and (s.stop is null or o.nth < s.stop)
  group by s.id, s.stop, s.looked
)
update replays r
set judged_through = coalesce(s.through, r.judged_through), judged_failed = r.judged_failed + s.failed,
  last_failed_at = case when s.failed > 0 or r.missing > 0 and r.last_failed_at is null then now() else r.last_failed_at end,
  judged_at = case when s.is_done then now() end
from steps s join due on due.id = s.id
where r.id = s.id and r.judged_at is null and r.judged_through = due.judged_through
returning r.id`;
